import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { bucket } from '@reeve/api/images/bucket'
import { databaseImageStore } from '@reeve/api/images/database-store'
import type { ImageStore } from '@reeve/core'
import { statement } from '@reeve/db'
import { dataUrl, pngOf } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type ObjectStore, openObjectStore } from '../../support/object-store.ts'
import { stored } from '../../support/stored.ts'
import { callsIn, everyAnswer, filled, sealed } from '../workspaces/world.ts'
import { openScene, type Scene } from './scene.ts'

/** How long these tests let a store take. */
const CALL_MS = 500

let store: ObjectStore
let instance: Instance
let scene: Scene
/** Where images lie at present. */
let images: ImageStore
let inBucket: ImageStore

const dropMedia = statement()((sql) => sql.deleteFrom('media'))

beforeAll(async () => {
  store = openObjectStore()
  inBucket = bucket(store.settings, CALL_MS)
  instance = await openInstance({
    images: { save: (...image) => images.save(...image), load: (name) => images.load(name) },
  })
})
beforeEach(async () => {
  store.become('well')
  images = inBucket
  instance.failures.length = 0
  scene = await openScene(instance)
})
afterAll(async () => {
  await instance.close()
  await store.close()
})

let size = 100
/** An image that nobody has sent before. */
const newImage = () => dataUrl(pngOf(++size))
const pathOf = (address: string) => new URL(address).pathname
const see = (address: string, headers: Record<string, string> = {}) =>
  instance.call('GET', pathOf(address), { headers })
const objectOf = (address: string) => pathOf(address).replace('/media/', 'media/')
const send = (imageDataUrl: string) =>
  scene.write('POST', { title: 'A', scheduledFor: scene.inMinutes(60), imageDataUrl })

describe('with a bucket, an image', () => {
  test('is one object, named by its hash, and its row holds no bytes', async () => {
    const imageDataUrl = newImage()
    const events = await Promise.all(Array.from({ length: 10 }, () => scene.create({ imageDataUrl })))
    const [address = ''] = [...new Set(events.map(({ imageUrl }) => imageUrl))]
    expect(store.objects.get(objectOf(address))).toEqual(pngOf(size))
    const rows = ((await stored(instance)).media ?? []).map((row) => JSON.parse(row))
    expect(rows.find(({ hash }) => address.includes(hash)).bytes).toBeNull()
    const before = store.calls.length
    await scene.create({ imageDataUrl })
    expect(store.calls.length).toBe(before)
  })

  test('that the database held before is served from there, and sent again is not sent on', async () => {
    images = databaseImageStore
    const imageDataUrl = newImage()
    const { imageUrl } = await scene.create({ imageDataUrl })
    images = inBucket
    const before = store.calls.length
    expect((await scene.create({ imageDataUrl })).imageUrl).toBe(imageUrl)
    expect((await see(imageUrl)).status).toBe(200)
    expect(store.calls.length).toBe(before)
  })

  test('is not shown where no bucket is set any more, and the log says why', async () => {
    const { imageUrl } = await scene.create({ imageDataUrl: newImage() })
    images = databaseImageStore
    expect(await see(imageUrl)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(causes()).toEqual(['an image lies in a bucket, and REEVE_S3_BUCKET is not set'])
  })
})

/** Why calls failed, as the log tells it. */
const causes = () => instance.failures.map((failure) => ((failure as Error).cause as Error).message)

describe('where the store', () => {
  const moods = [
    { mood: 'failing', says: 'was answered 503 SlowDown' },
    { mood: 'stalled', says: `failed: no answer within ${CALL_MS} ms` },
  ] as const
  for (const { mood, says } of moods) {
    test(`is ${mood}, an image is not taken and nothing is written; everything else goes on`, async () => {
      const before = await stored(instance)
      store.become(mood)
      const { status, body, headers } = await send(newImage())
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
      expect(body.error).toBe(
        'The store of images does not take this one right now; nothing was changed. Try again.',
      )
      expect(await stored(instance)).toEqual(before)
      expect(causes()).toEqual([`PUT ${says}`])
      const ban = { workspaceId: scene.workspace.id, action: 'ban', userId: '261', reason: 'Exploiting' }
      expect((await instance.call('POST', '/api/moderation', { ...scene.as, body: ban })).status).toBe(200)
      await scene.create({ imageUrl: 'https://example.com/a.png' })
      expect((await instance.call('GET', '/readyz')).status).toBe(200)
    })

    test(`is ${mood}, an image is answered 503 in JSON, and 304 to whoever has it`, async () => {
      const { imageUrl } = await scene.create({ imageDataUrl: newImage() })
      const etag = (await see(imageUrl)).headers.get('etag') ?? ''
      store.become(mood)
      const { status, body, headers } = await see(imageUrl)
      expect([status, body.error]).toEqual([
        503,
        'The store of images does not give this one out right now. Try again.',
      ])
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
      expect((await see(imageUrl, { 'if-none-match': etag })).status).toBe(304)
      expect(causes()).toEqual([`GET ${says}`])
    })

    test(`is ${mood}, an image that it holds already may be sent again, also under an Idempotency-Key`, async () => {
      const fields = { title: 'A', scheduledFor: scene.inMinutes(60), imageDataUrl: newImage() }
      const headers = { 'idempotency-key': `one ${mood}` }
      const first = await scene.write('POST', fields, headers)
      store.become(mood)
      expect((await scene.write('POST', fields, headers)).text).toBe(first.text)
      expect((await scene.write('POST', fields)).status).toBe(200)
    })
  }

  test('breaks off in the middle of an image, nobody gets a part of it', async () => {
    const { imageUrl } = await scene.create({ imageDataUrl: newImage() })
    store.become('half')
    expect((await see(imageUrl)).status).toBe(503)
    expect(causes()).toEqual([`GET failed: no answer within ${CALL_MS} ms`])
  })

  test('gives out something else than was stored, or nothing, nobody gets it', async () => {
    const { imageUrl } = await scene.create({ imageDataUrl: newImage() })
    store.objects.set(objectOf(imageUrl), pngOf(99))
    expect((await see(imageUrl)).status).toBe(503)
    store.objects.delete(objectOf(imageUrl))
    expect((await see(imageUrl)).status).toBe(503)
    expect(causes()).toEqual([
      `the object ${objectOf(imageUrl).slice('media/'.length)} is not what its name says`,
      'GET was answered 404 NoSuchKey',
    ])
  })

  test('is not there, or the key is not good, no secret and no signed address is told', async () => {
    const gone = openObjectStore()
    await gone.close()
    for (const settings of [
      gone.settings,
      { ...store.settings, secretAccessKey: 'another-secret' },
      { ...store.settings, accessKeyId: 'AKIDNOBODY' },
    ]) {
      images = bucket(settings, CALL_MS)
      const { status, text } = await send(newImage())
      expect(status).toBe(503)
      const told = `${text} ${instance.failures.map((failure) => Bun.inspect(failure)).join(' ')}`
      for (const secret of [settings.accessKeyId, settings.secretAccessKey, 'X-Amz'])
        expect(told).not.toContain(secret)
    }
    expect(causes()).toEqual([
      'PUT failed: ECONNREFUSED',
      'PUT was answered 403 SignatureDoesNotMatch',
      'PUT was answered 403 InvalidAccessKeyId',
    ])
  })
})

describe('an archive of a workspace whose images lie in a bucket', () => {
  test('is sealed while the store stands still, and a copy of it answers every read as before', async () => {
    const workspace = await filled(instance)
    const before = await everyAnswer(instance, workspace.id, workspace)
    expect(Object.keys(before).filter((path) => path.includes('/media/'))).toHaveLength(2)
    store.become('stalled')
    const archive = await sealed(instance, workspace)
    expect(archive.counts.media).toBe('2')
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    const as = { session: workspace.ownerSession }
    const { body, text } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id }, as)
    expect(body.workspace, text).toMatchObject({ status: 'active' })
    store.become('well')
    expect(await everyAnswer(instance, body.workspace.id, workspace)).toEqual(before)
  })

  test('rolls it back, and may be downloaded', async () => {
    const workspace = await filled(instance)
    const before = await everyAnswer(instance, workspace.id, workspace)
    instance.clock.advance(1)
    const archive = await sealed(instance, workspace)
    const calls = callsIn(instance, workspace)
    const as = { session: workspace.ownerSession }
    const download = `/portal/api/archive?workspaceId=${workspace.id}&id=${archive.id}`
    const file = await instance.call('GET', download, as)
    expect(file.headers.get('content-type')).toBe('application/zstd')
    const { status, text } = await calls.workspaces({ id: workspace.id, fromArchive: archive.id }, as)
    expect(status, text).toBe(200)
    expect(await everyAnswer(instance, workspace.id, workspace)).toEqual(before)
  })

  test('that was sealed when they lay in the database brings them back there', async () => {
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    images = databaseImageStore
    const workspace = await filled(instance)
    const before = await everyAnswer(instance, workspace.id, workspace)
    const archive = await sealed(instance, workspace)
    await instance.db.write((tx) => tx.run(dropMedia, {}))
    images = inBucket
    const as = { session: workspace.ownerSession }
    const { body } = await callsIn(instance, workspace).workspaces({ fromArchive: archive.id }, as)
    store.become('failing')
    expect(await everyAnswer(instance, body.workspace.id, workspace)).toEqual(before)
  })
})
