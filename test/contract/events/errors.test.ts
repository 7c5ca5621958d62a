import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPng, dataUrl, pngPixels } from '../../support/images.ts'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { quota } from '../../support/workspace-states.ts'
import { type EventsFixture, openEventsFixture, path } from './fixture.ts'

let instance: Instance
let fixture: EventsFixture

beforeAll(async () => {
  instance = await openInstance()
  fixture = await openEventsFixture(instance)
})
afterAll(() => instance.close())

/** Sends a request that must be rejected, and checks that it changed nothing. */
async function expectRejected(method: string, requestPath: string, options: RequestOptions = {}) {
  const before = await readStoredRows(instance)
  const { status, body, headers } = await instance.request(method, requestPath, {
    ...fixture.credentials,
    ...options,
  })
  expect(await readStoredRows(instance)).toEqual(before)
  expect(body.requestId).toBe(headers.get('x-request-id'))
  return { status, code: body.code, details: body.details }
}
const rejectedBody = (method: string, body: unknown, headers: Record<string, string> = {}) =>
  expectRejected(method, fixture.toPath(), { body, headers })
const fields = (...names: string[]) => ({
  status: 400,
  code: 'invalid_request',
  details: names.map((field) => ({ field, message: expect.any(String) })),
})

describe('400', () => {
  test('a request without a workspaceId gets exactly `Missing workspaceId`, whatever its credentials', async () => {
    for (const options of [{}, { key: 'rve_junk' }, fixture.credentials]) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const body = method === 'POST' || method === 'PATCH' ? { body: { title: 'A' } } : {}
        const response = await instance.request(method, path, { ...options, ...body })
        expect([response.status, response.body.error]).toEqual([400, 'Missing workspaceId'])
      }
    }
  })

  const long = (length: number) => 'x'.repeat(length)
  const texts = [null, '', '   ', long(101), 'a\nb', 'a\u0000b', '\ud800', 1.5, ['a'], { a: 'b' }]
  const times = ['', 'tomorrow', '2026-02-30T00:00:00Z', '2026-03-01T18:00:00', '2026-03-01', -1, '1e3', {}]
  const ids = ['', 'a b', long(65), 'ä', []]
  const urls = [
    '',
    'http://example.com/a.png',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//example.com/a.png',
    '/media/a.png',
    'https://user:secret@example.com/',
    `https://example.com/${long(2000)}`,
    'ftp://example.com/a.png',
    {},
  ]
  const values: Record<string, readonly unknown[]> = {
    title: texts,
    description: [long(4001), 'a\u0007b', [], 1e300],
    scheduledFor: [null, ...times],
    published: [null, '', 'yes', 'TRUE', '2', {}],
    eventType: [null, '', 'Training', 'party', {}],
    imageUrl: urls,
    image_url: urls,
    trainingStart: times,
    trainingEnd: times,
    endsAt: times,
    trainingHost: [long(101), 'a\nb', {}],
    hostAccountId: ['', long(65), {}],
    experienceId: ids,
    experienceName: [long(101), 'a\tb', {}],
    experiencePlaceId: ids,
    experienceThumbnailUrl: urls,
    experienceUrl: urls,
    id: ['', long(65), null, {}],
  }
  for (const [name, invalidValues] of Object.entries(values)) {
    test(`${name} is named if its value is invalid`, async () => {
      for (const value of invalidValues) {
        const body = { title: 'A', scheduledFor: fixture.minutesFromNow(1), [name]: value }
        expect({ value, ...(await rejectedBody('POST', body)) }).toEqual({ value, ...fields(name) })
      }
    })
  }

  test('every invalid field is listed, and an unknown one with a suggestion', async () => {
    const { details } = await rejectedBody('POST', { title: '', scheduledfor: '1', published: 'maybe' })
    expect(
      new Map(details.map((one: { field: string; message: string }) => [one.field, one.message])),
    ).toEqual(
      new Map([
        ['title', 'must be 1 to 100 characters'],
        ['published', 'must be true or false'],
        ['scheduledfor', 'is not a field of this request; did you mean scheduledFor?'],
      ]),
    )
  })

  test('creating names all missing fields, and updating without an id names the id', async () => {
    expect(await rejectedBody('POST', {})).toEqual(fields('title', 'scheduledFor'))
    expect(await rejectedBody('POST', { title: 'A' })).toEqual(fields('scheduledFor'))
    expect(await rejectedBody('PATCH', { title: 'A' })).toEqual(fields('id'))
    expect(await expectRejected('DELETE', fixture.toPath())).toEqual(fields('id'))
  })

  test('a training that would not end after its start is rejected, whichever field causes it', async () => {
    const minutesFromNow = (minutes: number) => fixture.minutesFromNow(minutes)
    const base = { title: 'A', scheduledFor: minutesFromNow(60), eventType: 'training' }
    for (const [trainingStart, trainingEnd] of [
      [minutesFromNow(90), minutesFromNow(90)],
      [minutesFromNow(90), minutesFromNow(89)],
      [undefined, minutesFromNow(60)],
      [undefined, minutesFromNow(10)],
    ]) {
      expect(await rejectedBody('POST', { ...base, trainingStart, trainingEnd })).toEqual(
        fields('trainingEnd'),
      )
    }
    const created = await fixture.createEvent({ ...base, trainingEnd: minutesFromNow(100) })
    expect(await rejectedBody('PATCH', { id: created.id, scheduledFor: minutesFromNow(100) })).toEqual(
      fields('trainingEnd'),
    )
    expect(await rejectedBody('PATCH', { id: created.id, trainingStart: minutesFromNow(200) })).toEqual(
      fields('trainingEnd'),
    )
  })

  test('an event that would end after the year 9999 is rejected', async () => {
    const last = '9999-12-31T23:30:00Z'
    expect(await rejectedBody('POST', { title: 'A', scheduledFor: last })).toEqual(fields('scheduledFor'))
    const ends = await fixture.createEvent({ scheduledFor: last, trainingEnd: '9999-12-31T23:59:59.999Z' })
    expect(ends.endsAt).toBe('9999-12-31T23:59:59.999Z')
  })

  test('the two image URL fields must be equal, and cannot be combined with an image', async () => {
    const base = { title: 'A', scheduledFor: fixture.minutesFromNow(1) }
    const { id } = await fixture.createEvent()
    const [one, other] = ['https://example.com/1.png', 'https://example.com/2.png']
    expect(await rejectedBody('POST', { ...base, imageUrl: one, image_url: other })).toEqual(
      fields('image_url'),
    )
    expect(await rejectedBody('POST', { ...base, imageUrl: one, image_url: null })).toEqual(
      fields('image_url'),
    )
    const imageDataUrl = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    for (const more of [
      { imageUrl: one },
      { image_url: one },
      { imageUrl: null },
      { imageUrl: one, image_url: one },
    ]) {
      expect(await rejectedBody('POST', { ...base, imageDataUrl, ...more })).toEqual(fields('imageDataUrl'))
      expect(await rejectedBody('PATCH', { id, imageDataUrl, ...more })).toEqual(fields('imageDataUrl'))
    }
  })

  test('invalid filters, limits and cursors are rejected', async () => {
    const queries: Record<string, readonly string[]> = {
      limit: ['0', '201', 'x', ''],
      cursor: ['x', '', 'WyJkZXBhcnRtZW50cyIsImEiLCJiIl0', 'WyJldmVudHMiLCIxIiwiYSJd', 'WyJldmVudHMiLDFd'],
      from: ['yesterday', ''],
      to: ['2026-03-01'],
      eventType: ['party'],
      published: ['both'],
      status: ['over', ''],
      From: ['1'],
      title: ['A'],
    }
    for (const [name, invalidValues] of Object.entries(queries)) {
      for (const value of invalidValues) {
        expect(await expectRejected('GET', fixture.toPath({ [name]: value }))).toEqual(fields(name))
      }
    }
    expect(await expectRejected('GET', fixture.toPath({ from: '200000000000', to: '100000000000' }))).toEqual(
      fields('to'),
    )
    expect(await expectRejected('GET', `${fixture.toPath()}&status=live&status=ended`)).toEqual(
      fields('status'),
    )
  })
})

test('404: an id that does not exist, or is deleted, is not found', async () => {
  const created = await fixture.createEvent()
  await instance.request('DELETE', fixture.toPath({ id: created.id }), fixture.credentials)
  for (const id of [created.id, '0198c0de-dead-7000-8000-00000000dead', 'junk', '1']) {
    const missing = { status: 404, code: 'not_found' }
    expect(await expectRejected('GET', fixture.toPath({ id }))).toMatchObject(missing)
    expect(await expectRejected('DELETE', fixture.toPath({ id }))).toMatchObject(missing)
    for (const method of ['POST', 'PATCH']) {
      const body = { id, title: 'B', scheduledFor: fixture.minutesFromNow(1), published: true }
      expect(await rejectedBody(method, body)).toMatchObject(missing)
    }
  }
})

test('409: concurrent requests with one Idempotency-Key create one event', async () => {
  const fields = { title: 'Racing', scheduledFor: fixture.minutesFromNow(9), eventType: 'tryout' }
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => fixture.writeEvent('POST', fields, { 'idempotency-key': 'race' })),
  )
  const outcomes = new Set(responses.map(({ status, body }) => `${status} ${body.code ?? 'event'}`))
  expect(outcomes).toEqual(new Set(['200 event', '409 conflict']))
  expect(await fixture.listTitles({ eventType: 'tryout' })).toEqual(['Racing'])
})

test('412: a stale If-Match changes nothing', async () => {
  const created = await fixture.createEvent()
  await fixture.updateEvent(created.id, { title: 'B' })
  const staleHeaders = { 'if-match': '"1"' }
  const mismatch = { status: 412, code: 'version_mismatch' }
  expect(await rejectedBody('PATCH', { id: created.id, title: 'C' }, staleHeaders)).toMatchObject(mismatch)
  expect(
    await expectRejected('DELETE', fixture.toPath({ id: created.id }), { headers: staleHeaders }),
  ).toMatchObject(mismatch)
})

test('413: a body of more than 3 MiB is rejected by its length; a smaller one of megabytes is read', async () => {
  const body = (length: number) => ({
    title: 'A',
    scheduledFor: '100000000000',
    description: 'x"\\:'.repeat(length / 6),
  })
  expect(await rejectedBody('POST', body(3 * 1024 * 1024))).toMatchObject({
    status: 413,
    code: 'payload_too_large',
  })
  expect(await rejectedBody('POST', body(3 * 1024 * 1024 - 1024))).toEqual(fields('description'))
})

test('415: a body of another media type is rejected', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect(await rejectedBody('POST', '{"title":"A"}', headers)).toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
  })
})

test('422: an Idempotency-Key is rejected for a second, different request', async () => {
  const headers = { 'idempotency-key': 'reused' }
  const scheduledFor = fixture.minutesFromNow(3)
  expect((await fixture.writeEvent('POST', { title: 'First', scheduledFor }, headers)).status).toBe(200)
  expect(await rejectedBody('POST', { title: 'Second', scheduledFor }, headers)).toMatchObject({
    status: 422,
    code: 'idempotency_mismatch',
  })
})

test('422: an Idempotency-Key is rejected for another large image', async () => {
  const headers = { 'idempotency-key': 'large-image' }
  const event = { title: 'Large', scheduledFor: fixture.minutesFromNow(3) }
  const image = createPng(200_000)
  const sent = { ...event, imageDataUrl: dataUrl(image) }
  expect((await fixture.writeEvent('POST', sent, headers)).status).toBe(200)
  expect((await fixture.writeEvent('POST', sent, headers)).headers.get('idempotent-replayed')).toBe('true')
  pngPixels(image).fill(1, -1)
  expect(await rejectedBody('POST', { ...event, imageDataUrl: dataUrl(image) }, headers)).toMatchObject({
    status: 422,
    code: 'idempotency_mismatch',
  })
})

test('429: over the quota, writes are rejected and reads are not', async () => {
  const other = await openEventsFixture(instance)
  await quota(instance, other.workspace.id, 1)
  await other.createEvent()
  const second = await other.writeEvent('POST', { title: 'B', scheduledFor: '100000000000' })
  expect([second.status, second.body.code]).toEqual([429, 'quota_exceeded'])
  expect((await other.readEvents()).status).toBe(200)
})
