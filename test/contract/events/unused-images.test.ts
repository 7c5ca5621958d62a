import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { databaseImageStore } from '@reeve/api/images/database-store'
import type { ImageStore } from '@reeve/core'
import { deleteUnusedImages } from '@reeve/events'
import { idLiteral } from '../../support/engine.ts'
import { createPng, dataUrl } from '../../support/images.ts'
import type { Instance } from '../../support/instance.ts'
import type { ObjectStore } from '../../support/object-store.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { type EventsFixture, imageStorages, openEventsFixture, openInstanceWithImages } from './fixture.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(imageStorages)('in %s, an image that no event has', (storage) => {
  let instance: Instance
  let imageStore: ImageStore
  let store: ObjectStore
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ instance, imageStore, store, close } = await openInstanceWithImages(storage))
  })
  afterAll(() => close())

  let size = 500
  const newImage = () => dataUrl(createPng(++size))
  const cleanUp = (images = imageStore) => deleteUnusedImages(instance.db, instance.ports, images)
  const read = async (imageUrl: string) => (await instance.request('GET', new URL(imageUrl).pathname)).status
  const isStored = async (imageUrl: string) => {
    const [, hash] = /([0-9a-f]{64})/.exec(imageUrl) ?? []
    return (await instance.storage.query(`select hash from media where hash = '${hash}'`)).length === 1
  }
  const hasObject = (imageUrl: string) =>
    [...store.objects.keys()].some((name) => imageUrl.endsWith(name.slice(6)))
  const deleteEvent = async ({ toPath, credentials }: EventsFixture, id: string) =>
    expect((await instance.request('DELETE', toPath({ id }), credentials)).status).toBe(200)

  /** An image that has just lost its only event. */
  async function createUnusedImage() {
    const fixture = await openEventsFixture(instance)
    const imageDataUrl = newImage()
    const { id, imageUrl } = await fixture.createEvent({ imageDataUrl, published: 'true' })
    await deleteEvent(fixture, id)
    return { fixture, imageDataUrl, imageUrl: imageUrl as string }
  }

  test('is deleted a day after it was found', async () => {
    const { imageUrl } = await createUnusedImage()
    await cleanUp()
    instance.clock.advance(DAY - 1)
    await cleanUp()
    expect(await isStored(imageUrl)).toBe(true)
    instance.clock.advance(1)
    await cleanUp()
    expect(await isStored(imageUrl)).toBe(false)
    expect(hasObject(imageUrl)).toBe(false)
  })

  test('stays if an event of any workspace gets it in the meantime', async () => {
    const { imageUrl } = await createUnusedImage()
    await cleanUp()
    instance.clock.advance(DAY - 2 * HOUR)
    const other = await openEventsFixture(instance)
    const { id } = await other.createEvent({ imageUrl, published: 'true' })
    instance.clock.advance(DAY)
    await cleanUp()
    expect(await read(imageUrl)).toBe(200)
    await deleteEvent(other, id)
    await cleanUp()
    instance.clock.advance(DAY)
    await cleanUp()
    expect(await isStored(imageUrl)).toBe(false)
  })

  test('cannot be chosen any more shortly before it is deleted, but uploaded again', async () => {
    const { imageUrl, imageDataUrl } = await createUnusedImage()
    await cleanUp()
    instance.clock.advance(DAY - HOUR)
    const fixture = await openEventsFixture(instance)
    const fields = { title: 'A', scheduledFor: fixture.minutesFromNow(60), published: 'true' }
    const chosen = await fixture.writeEvent('POST', { ...fields, imageUrl })
    expect([chosen.status, chosen.body.details?.[0].field]).toEqual([400, 'imageUrl'])
    const uploaded = await fixture.writeEvent('POST', { ...fields, imageDataUrl })
    expect(uploaded.body.event.imageUrl).toBe(imageUrl)
    // Whatever the cleanup of another process has already deleted.
    store.objects.clear()
    instance.clock.advance(DAY)
    await cleanUp()
    expect(await read(imageUrl)).toBe(200)
  })

  test('is uploaded again after it was deleted', async () => {
    const { imageUrl, imageDataUrl, fixture } = await createUnusedImage()
    await cleanUp()
    instance.clock.advance(DAY)
    await cleanUp()
    expect(await isStored(imageUrl)).toBe(false)
    expect((await fixture.createEvent({ imageDataUrl, published: 'true' })).imageUrl).toBe(imageUrl)
    expect(await read(imageUrl)).toBe(200)
  })

  test('is still in a copy of an archive that has it', async () => {
    const fixture = await openEventsFixture(instance)
    const { id, imageUrl } = await fixture.createEvent({ imageDataUrl: newImage(), published: 'true' })
    const { workspace, credentials } = fixture
    const post = async (body: object) =>
      (await instance.request('POST', '/api/workspaces', { ...credentials, body })).body
    const { archive } = await post({ id: workspace.id, action: 'archive' })
    await post({ id: workspace.id, action: 'restore' })
    await deleteEvent(fixture, id)
    await cleanUp()
    instance.clock.advance(DAY)
    await cleanUp()
    // The archive contains the bytes, unless they are in a bucket.
    expect(await isStored(imageUrl)).toBe(storage === 'a bucket')
    const copy = await post({ fromArchive: archive.id, groupName: 'Copy' })
    expect(copy.workspace.groupName).toBe('Copy')
    expect(await read(imageUrl)).toBe(200)
    await cleanUp()
    instance.clock.advance(DAY)
    await cleanUp()
    expect(await read(imageUrl)).toBe(200)
    const rows = await instance.storage.query(
      `select workspace_id from event where workspace_id = ${idLiteral(copy.workspace.id)}`,
    )
    expect(rows).toHaveLength(1)
  })

  test('is deleted by one of several processes at once, and others of that time stay', async () => {
    const fixture = await openEventsFixture(instance)
    const kept = await fixture.createEvent({ imageDataUrl: newImage(), published: 'true' })
    const unused = await Promise.all(Array.from({ length: 5 }, createUnusedImage))
    await Promise.all([cleanUp(), cleanUp()])
    instance.clock.advance(DAY)
    await Promise.all([cleanUp(), cleanUp()])
    for (const { imageUrl } of unused) expect(await isStored(imageUrl)).toBe(false)
    expect(await read(kept.imageUrl)).toBe(200)
  })

  if (storage === 'a bucket') {
    test('stays as long as the bucket does not respond or is not configured', async () => {
      const { imageUrl } = await createUnusedImage()
      await cleanUp()
      instance.clock.advance(DAY)
      store.setBehavior('failing')
      expect((await rejectionOf(cleanUp())).message).toContain('currently unavailable')
      store.setBehavior('ok')
      await cleanUp(databaseImageStore)
      expect(await isStored(imageUrl)).toBe(true)
      await cleanUp()
      expect(await isStored(imageUrl)).toBe(false)
      expect(hasObject(imageUrl)).toBe(false)
    })
  }
})
