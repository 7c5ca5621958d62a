import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createBucketStore } from '@reeve/api/images/bucket'
import { databaseImageStore } from '@reeve/api/images/database-store'
import type { ImageStore } from '@reeve/core'
import { createPng, dataUrl, type ImageKind, imageBytes, images } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type ObjectStore, startObjectStore } from '../../support/object-store.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { type EventsFixture, openEventsFixture } from './fixture.ts'

let instance: Instance
let fixture: EventsFixture
let store: ObjectStore
let imageStore: ImageStore

const LARGEST = 2 * 1024 * 1024
const kinds = Object.keys(images) as ImageKind[]
const types = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const pathOf = (url: string) => new URL(url).pathname
const countStoredImages = async () => ((await readStoredRows(instance)).media ?? []).length

/** Serves the instance on a real port, as for a browser. */
async function overNetwork(url: string, init: RequestInit = {}): Promise<Response> {
  const server = Bun.serve({ port: 0, fetch: instance.app.fetch })
  try {
    const response = await fetch(new URL(pathOf(url), server.url), init)
    return new Response(await response.arrayBuffer(), response)
  } finally {
    await server.stop(true)
  }
}

describe.each(['the database', 'a bucket'])('images in %s', (storage) => {
  beforeAll(async () => {
    store = startObjectStore()
    imageStore = storage === 'a bucket' ? createBucketStore(store.settings) : databaseImageStore
    instance = await openInstance({ images: imageStore })
  })
  beforeEach(async () => {
    fixture = await openEventsFixture(instance)
  })
  afterAll(async () => {
    await instance.close()
    await store.close()
  })

  describe('an image sent with an event', () => {
    for (const kind of kinds) {
      test(`is detected as ${types[kind]} from its content, whatever its declared type, and served unchanged`, async () => {
        const bytes = imageBytes(kind)
        for (const label of [types[kind], 'image/svg+xml', 'text/html;charset=utf-8', '']) {
          const event = await fixture.createEvent({ imageDataUrl: dataUrl(bytes, label) })
          expect(event.imageUrl).toBe(`http://localhost:3000/media/${sha256(bytes)}.${kind}`)
          expect(event.image_url).toBe(event.imageUrl)
        }
        const url = (await fixture.readEvents()).body.events[0].imageUrl
        const served = await overNetwork(url)
        expect(served.status).toBe(200)
        expect(served.headers.get('content-type')).toBe(types[kind])
        expect(served.headers.get('content-length')).toBe(String(bytes.length))
        expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes)
      })
    }

    test('may have 2 MiB and not a byte more', async () => {
      expect((await fixture.createEvent({ imageDataUrl: dataUrl(createPng(LARGEST)) })).imageUrl).toContain(
        '/media/',
      )
      const fields = { title: 'A', scheduledFor: '1', imageDataUrl: dataUrl(createPng(LARGEST + 1)) }
      const { status, body } = await fixture.writeEvent('POST', fields)
      expect([status, body.details]).toEqual([
        400,
        [{ field: 'imageDataUrl', message: `must be at most ${LARGEST} bytes once decoded` }],
      ])
    })

    test('is stored once, however often and in whichever workspace it is sent', async () => {
      const imageDataUrl = dataUrl(createPng(1000))
      const before = await countStoredImages()
      const first = await fixture.createEvent({ imageDataUrl })
      const otherFixture = await openEventsFixture(instance)
      const events = await Promise.all(
        Array.from({ length: 20 }, () => otherFixture.createEvent({ imageDataUrl })),
      )
      expect(new Set(events.map(({ imageUrl }) => imageUrl))).toEqual(new Set([first.imageUrl]))
      expect(await countStoredImages()).toBe(before + 1)
    })

    test('is not stored if the request is rejected', async () => {
      const before = await readStoredRows(instance)
      const imageDataUrl = dataUrl(createPng(1001))
      for (const fields of [
        { title: 'A', imageDataUrl },
        { title: 'A', scheduledFor: '1', trainingEnd: '1', imageDataUrl },
        { id: 'never-was', imageDataUrl },
      ]) {
        expect((await fixture.writeEvent('POST', fields)).status).toBeGreaterThanOrEqual(400)
      }
      expect(await readStoredRows(instance)).toEqual(before)
    })

    test('replaces another one, and null removes it', async () => {
      const created = await fixture.createEvent({ imageUrl: 'https://example.com/a.png' })
      const replaced = await fixture.updateEvent(created.id, { imageDataUrl: dataUrl(imageBytes('gif')) })
      expect(replaced.imageUrl).toMatch(/\/media\/[0-9a-f]{64}\.gif$/)
      for (const name of ['imageUrl', 'image_url', 'imageDataUrl']) {
        await fixture.updateEvent(created.id, { imageDataUrl: dataUrl(imageBytes('gif')) })
        expect(await fixture.updateEvent(created.id, { [name]: null })).toMatchObject({
          imageUrl: null,
          image_url: null,
        })
      }
    })
  })

  describe('the URL of a stored image', () => {
    test('may be sent back, and set for another event, though it is not https', async () => {
      const created = await fixture.createEvent({ imageDataUrl: dataUrl(imageBytes('webp')) })
      for (const fields of [
        { imageUrl: created.imageUrl },
        { image_url: created.imageUrl },
        { imageUrl: created.imageUrl, image_url: created.imageUrl },
      ]) {
        expect((await fixture.updateEvent(created.id, fields)).imageUrl).toBe(created.imageUrl)
        expect((await fixture.createEvent(fields)).imageUrl).toBe(created.imageUrl)
      }
      const rows = ((await readStoredRows(instance)).event ?? []).map((row) => JSON.parse(row).image_url)
      expect(rows).toContain(pathOf(created.imageUrl))
      expect(rows).not.toContain(created.imageUrl)
    })

    test('has the public URL of the instance, also with https', async () => {
      const secure = await openInstance({ images: imageStore, publicUrl: 'https://staff.example.com:8443/' })
      const own = await openEventsFixture(secure)
      const created = await own.createEvent({ imageDataUrl: dataUrl(imageBytes('png')) })
      expect(created.imageUrl).toStartWith('https://staff.example.com:8443/media/')
      expect((await own.updateEvent(created.id, { imageUrl: created.imageUrl })).imageUrl).toBe(
        created.imageUrl,
      )
      await secure.close()
    })

    test('is rejected if no such image is stored', async () => {
      const { imageUrl } = await fixture.createEvent({ imageDataUrl: dataUrl(imageBytes('png')) })
      for (const url of [
        imageUrl.replace(/[0-9a-f]{64}/, '0'.repeat(64)),
        imageUrl.replace('.png', '.gif'),
        imageUrl.replace('.png', '.svg'),
        `${imageUrl}?a=b`,
        pathOf(imageUrl),
      ]) {
        for (const name of ['imageUrl', 'image_url']) {
          const { status, body } = await fixture.writeEvent('POST', {
            title: 'A',
            scheduledFor: '1',
            [name]: url,
          })
          expect([url, status, body.details?.[0]?.field]).toEqual([url, 400, name])
        }
      }
    })
  })

  describe('an image is served', () => {
    test('without authentication, immutably, and only as an image', async () => {
      const script = '/*<script>alert(1)</script><svg onload=alert(1)>*/'
      const bytes = Buffer.concat([Buffer.from('GIF89a'), Buffer.from(script)])
      const { imageUrl } = await fixture.createEvent({ imageDataUrl: dataUrl(bytes, 'text/html') })
      for (const headers of [{}, { authorization: 'Bearer junk', cookie: 'reeve_session=junk' }]) {
        const served = await overNetwork(imageUrl, { headers })
        expect(served.status).toBe(200)
        expect(Object.fromEntries(served.headers)).toMatchObject({
          'content-type': 'image/gif',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'content-disposition': 'inline',
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${sha256(bytes)}"`,
        })
        expect(served.headers.get('set-cookie')).toBeNull()
      }
    })

    test('with 304 if the client has it, and to HEAD without the body', async () => {
      const { imageUrl } = await fixture.createEvent({ imageDataUrl: dataUrl(imageBytes('jpg')) })
      const get = (headers: Record<string, string>) => instance.request('GET', pathOf(imageUrl), { headers })
      const etag = (await get({})).headers.get('etag') ?? ''
      for (const countStoredImages of [etag, `W/${etag}`, `"x", ${etag}`]) {
        const response = await get({ 'if-none-match': countStoredImages })
        expect([response.status, response.text, response.headers.get('etag')]).toEqual([304, '', etag])
      }
      expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
      const head = await instance.request('HEAD', pathOf(imageUrl))
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'image/jpeg'])
    })

    test('only under its exact name, and only by GET and HEAD', async () => {
      const { imageUrl } = await fixture.createEvent({ imageDataUrl: dataUrl(imageBytes('avif')) })
      const own = pathOf(imageUrl)
      for (const path of [
        own.replace('.avif', '.png'),
        own.replace('.avif', ''),
        own.replace(/[0-9a-f]{64}/, (hash) => hash.toUpperCase()),
        own.replace(/[0-9a-f]{64}/, 'f'.repeat(64)),
        own.replace('/media/', '/media/x/'),
        '/media/',
        '/media/__proto__',
        `/media/${'a'.repeat(64)}.toString`,
        '/media/..%2f..%2fetc%2fpasswd',
        '/media/%00',
        '/media/%E0%A4%A',
        `/api${own}`,
      ]) {
        const response = await instance.request('GET', path)
        expect([path, response.status, response.body?.code]).toEqual([path, 404, 'not_found'])
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await instance.request(method, own, fixture.credentials)
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      }
    })
  })

  describe('content of any other type is rejected, naming the field', () => {
    const expectRejected = async (imageDataUrl: unknown) => {
      const { status, body } = await fixture.writeEvent('POST', {
        title: 'A',
        scheduledFor: '1',
        imageDataUrl,
      })
      return [status, body.code, body.details?.map((one: { field: string }) => one.field)]
    }
    const expected = [400, 'invalid_request', ['imageDataUrl']]

    const contents: Record<string, string | Uint8Array> = {
      SVG: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      HTML: '<!doctype html><script>alert(1)</script>',
      nothing: '',
      'a bitmap': Buffer.from('424d3a0000000000000036000000280000000100000001000000010018000000', 'hex'),
      'a TIFF': Buffer.from('49492a0008000000', 'hex'),
      'a video': Buffer.from('0000001c667479706d703432000000006d7034326d70343169736f6d00000000', 'hex'),
      'a HEIC picture': Buffer.from('0000001c6674797068656963000000006d69663168656963', 'hex'),
      'a RIFF sound': Buffer.from('524946462400000057415645666d7420100000000100010044ac', 'hex'),
      'a PNG without a header': Buffer.concat([imageBytes('png').subarray(0, 8), Buffer.alloc(100)]),
      'a PNG without a width': imageBytes('png').fill(0, 16, 20),
      'a PNG without a height': imageBytes('png').fill(0, 20, 24),
      'a PNG after a blank': Buffer.concat([Buffer.from(' '), imageBytes('png')]),
      'a JPEG without a segment': Buffer.from('ffd8ffffffffffff', 'hex'),
      'an AVIF brand past its box': Buffer.concat([
        Buffer.from('00000010667479706d70343200000000', 'hex'),
        Buffer.from('avif'),
      ]),
    }
    for (const [description, content] of Object.entries(contents)) {
      test(description, async () => {
        for (const label of ['image/png', 'image/svg+xml'])
          expect(await expectRejected(dataUrl(content, label))).toEqual(expected)
      })
    }

    test('a data URL that is not strict base64, and text that is not a data URL', async () => {
      const { png } = images
      const urlSafe = dataUrl(Buffer.concat([imageBytes('png'), Buffer.alloc(6, 0xff)])).replaceAll('/', '_')
      for (const value of [
        '',
        png,
        `data:image/png,${png}`,
        `data:image/png;base64 ,${png}`,
        `data:image/png;base64;${png}`,
        `data:image/png;base64,${png} `,
        ` data:image/png;base64,${png}`,
        `data:image/png;base64,${png.slice(0, -2)}`,
        `data:image/png;base64,${png.slice(0, 40)}\n${png.slice(40)}`,
        `data:image/png;base64,${png}${png}`,
        `data:image/png;base64,${png.replace('K', '%4B')}`,
        urlSafe.replace('image_png', 'image/png'),
        'https://example.com/a.png',
        `data:${'x'.repeat(1000)};base64,${png}`,
        1,
        true,
        [png],
        { png },
      ]) {
        expect([value, await expectRejected(value)]).toEqual([value, expected])
      }
    })

    test('every truncated image, without an internal error', async () => {
      for (const kind of kinds) {
        const bytes = imageBytes(kind)
        for (let length = 0; length < 36; length++) {
          const [status] = await expectRejected(dataUrl(bytes.subarray(0, length)))
          expect([200, 400]).toContain(status)
        }
        expect(await expectRejected(dataUrl(bytes.subarray(0, 3)))).toEqual(expected)
      }
      expect(instance.unexpectedErrors).toEqual([])
    })
  })
})
