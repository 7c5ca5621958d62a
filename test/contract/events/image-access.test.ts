import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mistypeKey } from '../../support/callers.ts'
import { createPng, dataUrl } from '../../support/images.ts'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'
import { type EventsFixture, openEventsFixture } from './fixture.ts'

const PUBLIC = 'public, max-age=31536000, immutable'
const PRIVATE = 'private, no-cache'

let instance: Instance
let fixture: EventsFixture
let size = 100
beforeAll(async () => {
  instance = await openInstance()
  fixture = await openEventsFixture(instance)
})
afterAll(() => instance.close())

/** Creates an event with an image that nothing else has. */
async function createEventWithImage(fields: Record<string, unknown> = {}) {
  const event = await fixture.createEvent({ imageDataUrl: dataUrl(createPng(++size)), ...fields })
  return { id: event.id, imageUrl: event.imageUrl, path: new URL(event.imageUrl).pathname }
}

/** Requests an image. @returns the status, and how it may be cached */
async function see(path: string, options: RequestOptions = {}) {
  const { status, headers } = await instance.request('GET', path, options)
  return [status, headers.get('cache-control')]
}

describe('the image of a draft', () => {
  test('is visible only to sessions and keys that may see the draft, and not stored by proxies', async () => {
    const { path } = await createEventWithImage()
    const { id, ownerSession, key } = fixture.workspace
    const other = await instance.workspace()
    const manager = await instance.member(id, ['events.manage'])
    const moderator = await instance.member(id, ['moderation.ban', 'events.publish'])
    const allowed = [
      { session: ownerSession },
      { session: manager.session },
      { key },
      { key: await instance.key(id, ['events.manage']) },
    ]
    for (const options of allowed) expect(await see(path, options)).toEqual([200, PRIVATE])
    const unknown = await instance.request('GET', `/media/${'0'.repeat(64)}.png`)
    const denied = [
      {},
      { session: moderator.session },
      { session: other.ownerSession },
      { session: await instance.session(await instance.account(undefined, true)) },
      { session: 'junk' },
      { key: other.key },
      { key: await instance.key(id, ['moderation.view']) },
      { key: mistypeKey(key) },
    ]
    for (const options of denied) {
      const { status, body, headers } = await instance.request('GET', path, options)
      expect([status, { ...body, requestId: null }]).toEqual([404, { ...unknown.body, requestId: null }])
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    }
    const etag = (await instance.request('GET', path, { key })).headers.get('etag') ?? ''
    const conditional = { headers: { 'if-none-match': etag } }
    expect((await instance.request('GET', path, conditional)).status).toBe(404)
    expect((await instance.request('GET', path, { ...conditional, key })).status).toBe(304)
    expect((await instance.request('HEAD', path)).status).toBe(404)
  })

  test('becomes public when the event is published, and private when it is a draft again', async () => {
    const { id, path } = await createEventWithImage()
    await fixture.updateEvent(id, { published: 'true' })
    expect(await see(path)).toEqual([200, PUBLIC])
    expect(await see(path, { key: fixture.workspace.key })).toEqual([200, PUBLIC])
    await fixture.updateEvent(id, { published: 'false' })
    expect(await see(path)).toEqual([404, 'no-store'])
  })

  test('is public while any other event with it is published, also of another workspace', async () => {
    const { path } = await createEventWithImage()
    const other = await openEventsFixture(instance)
    const published = await other.createEvent({ imageDataUrl: dataUrl(createPng(size)), published: 'true' })
    expect(new URL(published.imageUrl).pathname).toBe(path)
    expect(await see(path)).toEqual([200, PUBLIC])
  })

  test('is seen by nobody once no event has it', async () => {
    const { id, path } = await createEventWithImage({ published: 'true' })
    await fixture.updateEvent(id, { imageUrl: null })
    for (const options of [{}, { key: fixture.workspace.key }])
      expect(await see(path, options)).toEqual([404, 'no-store'])
  })
})

test('images are limited for each IP address, whether or not they exist', async () => {
  const limited = await openInstance({ imageRatePerMinute: 60 })
  const target = await openEventsFixture(limited)
  const { imageUrl } = await target.createEvent({ imageDataUrl: dataUrl(createPng(100)), published: 'true' })
  const { pathname } = new URL(imageUrl)
  const request = (path: string, from: string) => limited.request('GET', path, { from })
  for (let index = 0; index < 10; index++)
    expect(
      (await request(index % 2 === 0 ? pathname : `/media/${'0'.repeat(64)}.png`, '192.0.2.1')).status,
    ).toBeLessThan(405)
  const rejected = await request(pathname, '192.0.2.1')
  expect([rejected.status, rejected.body.code, rejected.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    '1',
  ])
  expect((await request(pathname, '192.0.2.2')).status).toBe(200)
  // A network of IPv6 is one address.
  for (let index = 0; index < 10; index++) await request(pathname, `2001:db8::${index}`)
  expect((await request(pathname, '2001:db8::ffff')).status).toBe(429)
  limited.clock.advance(1000)
  expect((await request(pathname, '192.0.2.1')).status).toBe(200)
  await limited.close()
})
