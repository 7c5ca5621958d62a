import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { deleteUnusedImages } from '@reeve/events'
import { createPng, dataUrl } from '../../support/images.ts'
import { requestDeletion, runDeletionJob, UNDO_MS } from '../workspaces/deletion-fixture.ts'
import { archiveWorkspace } from '../workspaces/fixture.ts'
import { imageStorages, openEventsFixture, openInstanceWithImages } from './fixture.ts'

setDefaultTimeout(60_000)

const DAY = 86_400_000

describe.each(imageStorages)('in %s, after a workspace was deleted for good', (storage) => {
  test('its images are deleted a day later, except those that another workspace has too', async () => {
    const { instance, imageStore, store, close } = await openInstanceWithImages(storage)
    const [deleted, other] = [await openEventsFixture(instance), await openEventsFixture(instance)]
    const [own, shared] = [dataUrl(createPng(701)), dataUrl(createPng(702))]
    const publish = async (fixture: typeof deleted, imageDataUrl: string): Promise<string> =>
      (await fixture.createEvent({ imageDataUrl, published: 'true' })).imageUrl
    const ownUrl = await publish(deleted, own)
    const sharedUrl = await publish(deleted, shared)
    expect(await publish(other, shared)).toBe(sharedUrl)
    const read = async (url: string) => (await instance.request('GET', new URL(url).pathname)).status
    const cleanUp = () => deleteUnusedImages(instance.db, instance.ports, imageStore)
    const countStored = async () =>
      storage === 'a bucket'
        ? store.objects.size
        : (await instance.storage.query('select hash from media')).length
    expect([await read(ownUrl), await read(sharedUrl), await countStored()]).toEqual([200, 200, 2])

    const { workspace } = deleted
    const { body } = await instance.request('GET', `/api/workspaces?id=${workspace.id}`, {
      key: workspace.key,
    })
    await archiveWorkspace(instance, workspace)
    const requested = await requestDeletion(instance, workspace, body.workspace.groupName)
    expect([requested.status, requested.text]).toEqual([200, requested.text])
    instance.clock.advance(UNDO_MS)
    expect(await runDeletionJob(instance)).toEqual([body.workspace.groupName])
    await cleanUp()
    instance.clock.advance(DAY + 1)
    await cleanUp()
    expect([await read(ownUrl), await read(sharedUrl), await countStored()]).toEqual([404, 200, 1])
    expect(instance.unexpectedErrors).toEqual([])
    await close()
  })
})
