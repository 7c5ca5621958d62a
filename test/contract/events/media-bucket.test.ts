import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createBucketStore } from '@reeve/api/images/bucket'
import { databaseImageStore } from '@reeve/api/images/database-store'
import type { ImageStore } from '@reeve/core'
import { statement } from '@reeve/db'
import { createPng, dataUrl } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type ObjectStore, startObjectStore } from '../../support/object-store.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { archiveWorkspace, createFilledWorkspace, createWorkspaceRequests } from '../workspaces/fixture.ts'
import { readEverything } from '../workspaces/read-everything.ts'
import { type EventsFixture, openEventsFixture } from './fixture.ts'

/** The timeout of the store in these tests, in milliseconds: while it responds, and while it does not. */
const PATIENCE_MS = 30_000
const CALL_MS = 500

let store: ObjectStore
let instance: Instance
let fixture: EventsFixture
/** The current image store. */
let images: ImageStore
let inBucket: ImageStore

const dropMedia = statement()((sql) => sql.deleteFrom('media'))

beforeAll(async () => {
  store = startObjectStore()
  inBucket = createBucketStore(store.settings, PATIENCE_MS)
  instance = await openInstance({
    images: {
      save: (...image) => images.save(...image),
      load: (name) => images.load(name),
      remove: (name) => images.remove(name),
    },
  })
})
beforeEach(async () => {
  store.setBehavior('ok')
  images = inBucket
  instance.unexpectedErrors.length = 0
  fixture = await openEventsFixture(instance)
})
afterAll(async () => {
  await instance.close()
  await store.close()
})

/** From now on, the store fails, or leaves what it was sent without a whole response. */
function breakStore(behavior: 'failing' | 'stalled' | 'truncated'): void {
  store.setBehavior(behavior)
  if (behavior !== 'failing') images = createBucketStore(store.settings, CALL_MS)
}

let size = 100
/** An image with unique content. */
const newImage = () => dataUrl(createPng(++size))
const pathOf = (url: string) => new URL(url).pathname
const see = (url: string, headers: Record<string, string> = {}) =>
  instance.request('GET', pathOf(url), { ...fixture.credentials, headers })
const objectOf = (url: string) => pathOf(url).replace('/media/', 'media/')
const send = (imageDataUrl: string) =>
  fixture.writeEvent('POST', { title: 'A', scheduledFor: fixture.minutesFromNow(60), imageDataUrl })

describe('with a bucket, an image', () => {
  test('is one object, named by its hash, and its row has no bytes', async () => {
    const imageDataUrl = newImage()
    const events = await Promise.all(Array.from({ length: 10 }, () => fixture.createEvent({ imageDataUrl })))
    const [url = ''] = [...new Set(events.map(({ imageUrl }) => imageUrl))]
    expect<Uint8Array | undefined>(await store.objects.get(objectOf(url))?.bytes()).toEqual(createPng(size))
    const rows = ((await readStoredRows(instance)).media ?? []).map((row) => JSON.parse(row))
    expect(rows.find(({ hash }) => url.includes(hash)).bytes).toBeNull()
    const before = store.requests.length
    await fixture.createEvent({ imageDataUrl })
    expect(store.requests.length).toBe(before)
  })

  test('that the database has is served from there, and is not uploaded when it is sent again', async () => {
    images = databaseImageStore
    const imageDataUrl = newImage()
    const { imageUrl } = await fixture.createEvent({ imageDataUrl })
    images = inBucket
    const before = store.requests.length
    expect((await fixture.createEvent({ imageDataUrl })).imageUrl).toBe(imageUrl)
    expect((await see(imageUrl)).status).toBe(200)
    expect(store.requests.length).toBe(before)
  })

  test('is not served once the bucket setting is removed, and the log has the reason', async () => {
    const { imageUrl } = await fixture.createEvent({ imageDataUrl: newImage() })
    images = databaseImageStore
    expect(await see(imageUrl)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(causes()).toEqual(['an image is in a bucket, but REEVE_S3_BUCKET is not set'])
  })
})

/** The errors in the log. */
const causes = () => instance.unexpectedErrors.map((failure) => ((failure as Error).cause as Error).message)

describe('if the store', () => {
  const behaviors = [
    { behavior: 'failing', message: 'returned status 503 SlowDown' },
    { behavior: 'stalled', message: `failed: no response within ${CALL_MS} ms` },
  ] as const
  for (const { behavior, message } of behaviors) {
    test(`is ${behavior}, an image is rejected and nothing is written; other requests succeed`, async () => {
      const before = await readStoredRows(instance)
      breakStore(behavior)
      const { status, body, headers } = await send(newImage())
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
      expect(body.error).toBe('The image store is currently unavailable. Nothing was changed. Try again.')
      expect(await readStoredRows(instance)).toEqual(before)
      expect(causes()).toEqual([`PUT ${message}`])
      const ban = { workspaceId: fixture.workspace.id, action: 'ban', userId: '261', reason: 'Exploiting' }
      expect(
        (await instance.request('POST', '/api/moderation', { ...fixture.credentials, body: ban })).status,
      ).toBe(200)
      await fixture.createEvent({ imageUrl: 'https://example.com/a.png' })
      expect((await instance.request('GET', '/readyz')).status).toBe(200)
    })

    test(`is ${behavior}, an image request gets 503 in JSON, or 304 if the client has the image`, async () => {
      const { imageUrl } = await fixture.createEvent({ imageDataUrl: newImage() })
      const etag = (await see(imageUrl)).headers.get('etag') ?? ''
      breakStore(behavior)
      const { status, body, headers } = await see(imageUrl)
      expect([status, body.error]).toEqual([503, 'The image store is currently unavailable. Try again.'])
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
      expect((await see(imageUrl, { 'if-none-match': etag })).status).toBe(304)
      expect(causes()).toEqual([`GET ${message}`])
    })

    test(`is ${behavior}, an image that is already stored may be sent again, also under an Idempotency-Key`, async () => {
      const fields = { title: 'A', scheduledFor: fixture.minutesFromNow(60), imageDataUrl: newImage() }
      const headers = { 'idempotency-key': `one ${behavior}` }
      const first = await fixture.writeEvent('POST', fields, headers)
      breakStore(behavior)
      expect((await fixture.writeEvent('POST', fields, headers)).text).toBe(first.text)
      expect((await fixture.writeEvent('POST', fields)).status).toBe(200)
    })
  }

  test('disconnects in the middle of an image, no client gets a part of it', async () => {
    const { imageUrl } = await fixture.createEvent({ imageDataUrl: newImage() })
    breakStore('truncated')
    expect((await see(imageUrl)).status).toBe(503)
    expect(causes()).toEqual([`GET failed: no response within ${CALL_MS} ms`])
  })

  test('returns other content than was stored, or none, no client gets it', async () => {
    const { imageUrl } = await fixture.createEvent({ imageDataUrl: newImage() })
    store.objects.set(objectOf(imageUrl), new Blob([new Uint8Array(createPng(99))]))
    expect((await see(imageUrl)).status).toBe(503)
    store.objects.delete(objectOf(imageUrl))
    expect((await see(imageUrl)).status).toBe(503)
    expect(causes()).toEqual([
      `the content of object ${objectOf(imageUrl).slice('media/'.length)} does not match its hash`,
      'GET returned status 404 NoSuchKey',
    ])
  })

  test('is unreachable, or the key is invalid, no secret and no signed URL is disclosed', async () => {
    const unreachableStore = startObjectStore()
    await unreachableStore.close()
    for (const settings of [
      unreachableStore.settings,
      { ...store.settings, secretAccessKey: 'another-secret' },
      { ...store.settings, accessKeyId: 'AKIDNOBODY' },
    ]) {
      images = createBucketStore(settings, PATIENCE_MS)
      const { status, text } = await send(newImage())
      expect(status).toBe(503)
      const outputText = `${text} ${instance.unexpectedErrors.map((failure) => Bun.inspect(failure)).join(' ')}`
      for (const secret of [settings.accessKeyId, settings.secretAccessKey, 'X-Amz'])
        expect(outputText).not.toContain(secret)
    }
    expect(causes()).toEqual([
      'PUT failed: ECONNREFUSED',
      'PUT returned status 403 SignatureDoesNotMatch',
      'PUT returned status 403 InvalidAccessKeyId',
    ])
  })
})

describe('an archive of a workspace with images in a bucket', () => {
  test('is created while the store does not respond, and its copy returns the same reads', async () => {
    const workspace = await createFilledWorkspace(instance)
    const before = await readEverything(instance, workspace.id, workspace)
    expect(Object.keys(before).filter((path) => path.includes('/media/'))).toHaveLength(2)
    breakStore('stalled')
    const archive = await archiveWorkspace(instance, workspace)
    expect(archive.counts.media).toBe('2')
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    const credentials = { session: workspace.ownerSession }
    const { body, text } = await createWorkspaceRequests(instance, workspace).workspaces(
      { fromArchive: archive.id },
      credentials,
    )
    expect(body.workspace, text).toMatchObject({ status: 'active' })
    store.setBehavior('ok')
    expect(await readEverything(instance, body.workspace.id, workspace)).toEqual(before)
  })

  test('rolls the workspace back, and can be downloaded', async () => {
    const workspace = await createFilledWorkspace(instance)
    const before = await readEverything(instance, workspace.id, workspace)
    instance.clock.advance(1)
    const archive = await archiveWorkspace(instance, workspace)
    const calls = createWorkspaceRequests(instance, workspace)
    const credentials = { session: workspace.ownerSession }
    const download = `/portal/api/archive?workspaceId=${workspace.id}&id=${archive.id}`
    await instance.request('POST', '/portal/api/archive/download', {
      ...credentials,
      body: { workspaceId: workspace.id, id: archive.id },
    })
    const file = await instance.request('GET', download, credentials)
    expect(file.headers.get('content-type')).toBe('application/zstd')
    const { status, text } = await calls.workspaces(
      { id: workspace.id, fromArchive: archive.id },
      credentials,
    )
    expect(status, text).toBe(200)
    expect(await readEverything(instance, workspace.id, workspace)).toEqual(before)
  })

  test('created while the images were in the database restores them there', async () => {
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    images = databaseImageStore
    const workspace = await createFilledWorkspace(instance)
    const before = await readEverything(instance, workspace.id, workspace)
    const archive = await archiveWorkspace(instance, workspace)
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    images = inBucket
    const credentials = { session: workspace.ownerSession }
    const { body } = await createWorkspaceRequests(instance, workspace).workspaces(
      { fromArchive: archive.id },
      credentials,
    )
    store.setBehavior('failing')
    expect(await readEverything(instance, body.workspace.id, workspace)).toEqual(before)
  })
})
