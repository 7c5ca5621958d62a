import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { type EventsFixture, openEventsFixture, path } from './fixture.ts'

let instance: Instance
let fixture: EventsFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openEventsFixture(instance)
})
afterAll(() => instance.close())

const createAllFields = () => ({
  title: '  Cadet training ',
  description: 'Bring your uniform.\nAnd be on time.',
  scheduledFor: fixture.minutesFromNow(60),
  published: true,
  eventType: 'training',
  imageUrl: 'https://example.com/a.png',
  image_url: 'https://example.com/a.png',
  trainingStart: fixture.minutesFromNow(75),
  trainingEnd: fixture.minutesFromNow(135),
  trainingHost: 'Ossian',
  experienceId: 4711,
  experienceName: 'Grounds',
  experiencePlaceId: '123456789012',
  experienceThumbnailUrl: 'https://example.com/thumbnail.png',
  experienceUrl: 'https://example.com/games/4711',
})

describe('creating', () => {
  test('returns the whole event, every field a string or null, and stores it', async () => {
    const { status, body } = await fixture.writeEvent('POST', createAllFields())
    expect(status).toBe(200)
    expect(body).toEqual({
      event: {
        ...createAllFields(),
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        workspaceId: fixture.workspace.id,
        title: 'Cadet training',
        published: 'true',
        experienceId: '4711',
        status: 'scheduled',
        hostAccountId: null,
        endsAt: fixture.minutesFromNow(135),
        createdBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: fixture.minutesFromNow(0),
        updatedAt: fixture.minutesFromNow(0),
        version: '1',
      },
    })
    expect((await fixture.readEvents({ id: body.event.id })).body).toEqual(body)
  })

  test('requires only a title and a time, and makes a draft of one hour', async () => {
    const event = await fixture.createEvent({ scheduledFor: String(instance.clock.now()) })
    expect(event).toEqual({
      ...Object.fromEntries(Object.keys(createAllFields()).map((name) => [name, null])),
      id: event.id,
      workspaceId: fixture.workspace.id,
      title: 'Event',
      scheduledFor: fixture.minutesFromNow(0),
      published: 'false',
      eventType: 'event',
      status: 'draft',
      hostAccountId: null,
      endsAt: fixture.minutesFromNow(60),
      createdBy: event.createdBy,
      createdAt: fixture.minutesFromNow(0),
      updatedAt: fixture.minutesFromNow(0),
      version: '1',
    })
  })

  test('accepts the workspace in the body, times with an offset, and null for unset fields', async () => {
    const { body } = await instance.request('POST', path, {
      ...fixture.credentials,
      body: {
        workspaceId: fixture.workspace.id,
        title: 42,
        scheduledFor: '2031-03-01T20:00:00+02:00',
        trainingHost: null,
        imageDataUrl: null,
      },
    })
    expect(body.event).toMatchObject({
      title: '42',
      scheduledFor: '2031-03-01T18:00:00.000Z',
      trainingHost: null,
    })
  })

  test('in the portal records the account as the creator', async () => {
    const { accountId, session } = await instance.member(fixture.workspace.id, ['events.manage'])
    const body = { title: 'By hand', scheduledFor: fixture.minutesFromNow(1) }
    const response = await instance.request('POST', fixture.toPath(), { session, body })
    expect(response.body.event.createdBy).toBe(accountId)
  })
})

describe('updating', () => {
  for (const method of ['POST', 'PATCH']) {
    test(`with ${method} changes the fields sent and leaves the rest`, async () => {
      const created = await fixture.createEvent(createAllFields())
      fixture.advanceMinutes(1)
      const { status, body } = await fixture.writeEvent(method, { id: created.id, title: 'Renamed' })
      expect(status).toBe(200)
      expect(body.event).toEqual({
        ...created,
        title: 'Renamed',
        updatedAt: fixture.minutesFromNow(0),
        version: '2',
      })
    })
  }

  test('clears every optional field with null', async () => {
    const created = await fixture.createEvent({ ...createAllFields(), eventType: 'other' })
    const { title, scheduledFor, published, eventType, ...optional } = createAllFields()
    const cleared = Object.fromEntries(Object.keys(optional).map((name) => [name, null]))
    expect(await fixture.updateEvent(created.id, cleared)).toEqual({
      ...created,
      ...cleared,
      endsAt: fixture.minutesFromNow(120),
      version: '2',
    })
  })

  test('with a response as the request changes nothing, under either name of the image', async () => {
    const created = await fixture.createEvent(createAllFields())
    const { workspaceId, status, endsAt, createdBy, createdAt, updatedAt, version, ...fields } = created
    expect(await fixture.updateEvent(created.id, fields)).toEqual(created)
    const { imageUrl, image_url, ...others } = fields
    expect(await fixture.updateEvent(created.id, { ...others, image_url })).toEqual(created)
  })

  test('succeeds under If-Match with the current version', async () => {
    const created = await fixture.createEvent()
    const { status } = await fixture.writeEvent(
      'PATCH',
      { id: created.id, title: 'B' },
      { 'if-match': '"1"' },
    )
    expect(status).toBe(200)
  })

  test('a hundred times concurrently increments the version a hundred times', async () => {
    const created = await fixture.createEvent()
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        fixture.updateEvent(created.id, { trainingHost: `${index}` }),
      ),
    )
    expect((await fixture.readEvents({ id: created.id })).body.event.version).toBe('101')
  })
})

describe('deleting', () => {
  test('returns the event and removes it permanently', async () => {
    const created = await fixture.createEvent(createAllFields())
    const { status, body } = await instance.request(
      'DELETE',
      fixture.toPath({ id: created.id }),
      fixture.credentials,
    )
    expect([status, body]).toEqual([200, { event: created }])
    expect((await fixture.readEvents({ id: created.id })).status).toBe(404)
    expect(await fixture.listTitles()).toEqual([])
  })
})

test('an Idempotency-Key returns the first response again and creates one event', async () => {
  const headers = { 'idempotency-key': 'once' }
  const fields = { title: 'Once', scheduledFor: fixture.minutesFromNow(5) }
  const first = await fixture.writeEvent('POST', fields, headers)
  const replayed = await fixture.writeEvent('POST', fields, headers)
  expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
  expect(await fixture.listTitles()).toEqual(['Once'])
})

test('every change is announced and is in the audit log, in one unbroken chain', async () => {
  const announcedKinds: string[] = []
  const end = instance.db.onChange(({ kind, workspaceId, id }) =>
    announcedKinds.push(`${kind} ${workspaceId} ${id}`),
  )
  const created = await fixture.createEvent()
  await fixture.updateEvent(created.id, { title: 'Renamed' })
  await fixture.updateEvent(created.id, { title: 'Ready', published: true })
  await fixture.updateEvent(created.id, { published: true })
  await fixture.updateEvent(created.id, { published: false })
  await instance.request('DELETE', fixture.toPath({ id: created.id }), fixture.credentials)
  end()
  expect(announcedKinds).toEqual(Array(5).fill(`event ${fixture.workspace.id} ${created.id}`))
  const rows = ((await readStoredRows(instance)).audit ?? [])
    .map((row) => JSON.parse(row))
    .filter((row) => row.target_id === created.id)
    .sort((one, other) => one.sequence - other.sequence)
  expect(rows.map((row) => row.action)).toEqual([
    'events.create',
    'events.update',
    'events.publish',
    'events.unpublish',
    'events.delete',
  ])
  const changes = rows.map((row) => JSON.parse(row.changes))
  const { title, scheduledFor } = created
  expect(changes[0]).toMatchObject({ before: null, after: { title, scheduledFor, published: 'false' } })
  expect(changes[2]).toMatchObject({
    before: { title: 'Renamed', published: 'false' },
    after: { title: 'Ready', published: 'true' },
  })
  expect(changes[4]).toMatchObject({ before: { title: 'Ready', scheduledFor }, after: null })
  expect((await verifyAudit(instance.db.read, instance.ports)).faults).toEqual([])
})
