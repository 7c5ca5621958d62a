import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { ImageStore } from '@reeve/core'
import { createPng, dataUrl, type ImageKind, imageBytes, images, pngPixels } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { type EventsFixture, imageStorages, openEventsFixture, openInstanceWithImages } from './fixture.ts'

let instance: Instance
let fixture: EventsFixture
let imageStore: ImageStore
let close: () => Promise<void>

const MAX_BYTES = 2 * 1024 * 1024
const kinds = Object.keys(images) as ImageKind[]
const types = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const toPath = (url: string) => new URL(url).pathname
const countStoredImages = async () => ((await readStoredRows(instance)).media ?? []).length

/** Serves the instance on a real port, as for a browser. */
async function fetchOverNetwork(url: string, init: RequestInit = {}): Promise<Response> {
  const server = Bun.serve({ port: 0, fetch: instance.app.fetch })
  try {
    const response = await fetch(new URL(toPath(url), server.url), init)
    return new Response(await response.arrayBuffer(), response)
  } finally {
    await server.stop(true)
  }
}

describe.each(imageStorages)('images in %s', (storage) => {
  beforeAll(async () => {
    ;({ instance, imageStore, close } = await openInstanceWithImages(storage))
  })
  beforeEach(async () => {
    fixture = await openEventsFixture(instance)
  })
  afterAll(() => close())

  describe('an image sent with an event', () => {
    for (const kind of kinds) {
      test(`is detected as ${types[kind]} from its content, whatever its declared type, and served unchanged`, async () => {
        const bytes = imageBytes(kind)
        for (const label of [types[kind], 'image/svg+xml', 'text/html;charset=utf-8', '']) {
          const fields = { imageDataUrl: dataUrl(bytes, label), published: 'true' }
          const event = await fixture.createEvent(fields)
          expect(event.imageUrl).toBe(`http://localhost:3000/media/${sha256(bytes)}.${kind}`)
          expect(event.image_url).toBe(event.imageUrl)
        }
        const url = (await fixture.readEvents()).body.events[0].imageUrl
        const served = await fetchOverNetwork(url)
        expect(served.status).toBe(200)
        expect(served.headers.get('content-type')).toBe(types[kind])
        expect(served.headers.get('content-length')).toBe(String(bytes.length))
        expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes)
      })
    }

    test('may be base64 without padding, with line breaks, or base64url', async () => {
      // Bytes whose base64 has padding, and both characters that base64url replaces.
      const bytes = Buffer.from(createPng(100))
      pngPixels(bytes).set(Buffer.from('fbeffffbefff', 'hex'), 1)
      const base64 = bytes.toString('base64')
      expect([base64.length % 4, base64.includes('+'), base64.includes('/'), base64.endsWith('=')]).toEqual([
        0,
        true,
        true,
        true,
      ])
      const lines = base64.match(/.{1,76}/g) ?? []
      for (const encoded of [
        base64.replace(/=+$/, ''),
        lines.join('\r\n'),
        `\n${lines.join('\n')}\n`,
        bytes.toString('base64url'),
        base64.replaceAll('+', '-').replaceAll('/', '_'),
      ]) {
        const response = await fixture.writeEvent('POST', {
          title: 'A',
          scheduledFor: fixture.minutesFromNow(60),
          imageDataUrl: `data:image/png;base64,${encoded}`,
        })
        expect([encoded, response.body.event?.imageUrl]).toEqual([
          encoded,
          `http://localhost:3000/media/${sha256(bytes)}.png`,
        ])
      }
      const wrapped = createPng(MAX_BYTES)
        .toBase64()
        .match(/.{1,76}/g)
        ?.join('\n')
      const { imageUrl } = await fixture.createEvent({ imageDataUrl: `data:image/png;base64,${wrapped}` })
      expect(imageUrl).toBe(`http://localhost:3000/media/${sha256(createPng(MAX_BYTES))}.png`)
    })

    test('may be at most 2 MiB', async () => {
      expect((await fixture.createEvent({ imageDataUrl: dataUrl(createPng(MAX_BYTES)) })).imageUrl).toContain(
        '/media/',
      )
      const fields = {
        title: 'A',
        scheduledFor: '100000000000',
        imageDataUrl: dataUrl(createPng(MAX_BYTES + 1)),
      }
      const { status, body } = await fixture.writeEvent('POST', fields)
      expect([status, body.details]).toEqual([
        400,
        [{ field: 'imageDataUrl', message: `must be at most ${MAX_BYTES} bytes once decoded` }],
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
        { title: 'A', scheduledFor: '100000000000', trainingEnd: '100000000000', imageDataUrl },
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
      expect(rows).toContain(toPath(created.imageUrl))
      expect(rows).not.toContain(created.imageUrl)
    })

    test('has the public URL of the instance, also with https', async () => {
      const secure = await openInstance({ images: imageStore, publicUrl: 'https://staff.example.com:8443/' })
      const secureFixture = await openEventsFixture(secure)
      const created = await secureFixture.createEvent({ imageDataUrl: dataUrl(imageBytes('png')) })
      expect(created.imageUrl).toStartWith('https://staff.example.com:8443/media/')
      expect((await secureFixture.updateEvent(created.id, { imageUrl: created.imageUrl })).imageUrl).toBe(
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
        toPath(imageUrl),
      ]) {
        for (const name of ['imageUrl', 'image_url']) {
          const { status, body } = await fixture.writeEvent('POST', {
            title: 'A',
            scheduledFor: '100000000000',
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
      const bytes = createPng(200)
      pngPixels(bytes).set(Buffer.from(script))
      const { imageUrl } = await fixture.createEvent({
        imageDataUrl: dataUrl(bytes, 'text/html'),
        published: 'true',
      })
      for (const headers of [{}, { authorization: 'Bearer junk', cookie: 'reeve_session=junk' }]) {
        const served = await fetchOverNetwork(imageUrl, { headers })
        expect(served.status).toBe(200)
        expect(Object.fromEntries(served.headers)).toMatchObject({
          'content-type': 'image/png',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
          'content-disposition': 'inline',
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${sha256(bytes)}"`,
        })
        expect(served.headers.get('set-cookie')).toBeNull()
      }
    })

    test('with 304 if the client has it, and to HEAD without the body', async () => {
      const { imageUrl } = await fixture.createEvent({
        imageDataUrl: dataUrl(imageBytes('jpg')),
        published: 'true',
      })
      const get = (headers: Record<string, string>) => instance.request('GET', toPath(imageUrl), { headers })
      const etag = (await get({})).headers.get('etag') ?? ''
      for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`]) {
        const response = await get({ 'if-none-match': ifNoneMatch })
        expect([response.status, response.text, response.headers.get('etag')]).toEqual([304, '', etag])
      }
      expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
      const head = await instance.request('HEAD', toPath(imageUrl))
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'image/jpeg'])
    })

    test('only under its exact name, and only by GET and HEAD', async () => {
      const { imageUrl } = await fixture.createEvent({ imageDataUrl: dataUrl(imageBytes('avif')) })
      const exactPath = toPath(imageUrl)
      for (const path of [
        exactPath.replace('.avif', '.png'),
        exactPath.replace('.avif', ''),
        exactPath.replace(/[0-9a-f]{64}/, (hash) => hash.toUpperCase()),
        exactPath.replace(/[0-9a-f]{64}/, 'f'.repeat(64)),
        exactPath.replace('/media/', '/media/x/'),
        '/media/',
        '/media/__proto__',
        `/media/${'a'.repeat(64)}.toString`,
        '/media/..%2f..%2fetc%2fpasswd',
        '/media/%00',
        '/media/%E0%A4%A',
        `/api${exactPath}`,
      ]) {
        const response = await instance.request('GET', path)
        expect([path, response.status, response.body?.code]).toEqual([path, 404, 'not_found'])
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await instance.request(method, exactPath, fixture.credentials)
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      }
    })
  })
})
