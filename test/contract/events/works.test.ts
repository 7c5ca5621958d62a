import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'
import { openScene, path, type Scene } from './scene.ts'

let instance: Instance
let scene: Scene

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  scene = await openScene(instance)
})
afterAll(() => instance.close())

const everyField = () => ({
  title: '  Cadet training ',
  description: 'Bring your uniform.\nAnd be on time.',
  scheduledFor: scene.inMinutes(60),
  published: true,
  eventType: 'training',
  imageUrl: 'https://example.com/a.png',
  image_url: 'https://example.com/a.png',
  trainingStart: scene.inMinutes(75),
  trainingEnd: scene.inMinutes(135),
  trainingHost: 'Ossian',
  experienceId: 4711,
  experienceName: 'Grounds',
  experiencePlaceId: '123456789012',
  experienceThumbnailUrl: 'https://example.com/thumbnail.png',
  experienceUrl: 'https://example.com/games/4711',
})

describe('creating', () => {
  test('answers the whole event, every field a string or null, and keeps it', async () => {
    const { status, body } = await scene.write('POST', everyField())
    expect(status).toBe(200)
    expect(body).toEqual({
      event: {
        ...everyField(),
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        workspaceId: scene.workspace.id,
        title: 'Cadet training',
        published: 'true',
        experienceId: '4711',
        status: 'scheduled',
        endsAt: scene.inMinutes(135),
        createdBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: scene.inMinutes(0),
        updatedAt: scene.inMinutes(0),
        version: '1',
      },
    })
    expect((await scene.read({ id: body.event.id })).body).toEqual(body)
  })

  test('needs a title and a time and nothing else: a draft that lasts an hour', async () => {
    const event = await scene.create({ scheduledFor: String(instance.clock.now()) })
    expect(event).toEqual({
      ...Object.fromEntries(Object.keys(everyField()).map((name) => [name, null])),
      id: event.id,
      workspaceId: scene.workspace.id,
      title: 'Event',
      scheduledFor: scene.inMinutes(0),
      published: 'false',
      eventType: 'event',
      status: 'draft',
      endsAt: scene.inMinutes(60),
      createdBy: event.createdBy,
      createdAt: scene.inMinutes(0),
      updatedAt: scene.inMinutes(0),
      version: '1',
    })
  })

  test('takes the workspace from the body, times with an offset, and null for what is not set', async () => {
    const { body } = await instance.call('POST', path, {
      ...scene.as,
      body: {
        workspaceId: scene.workspace.id,
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

  test('by a member in the portal names the account as the maker', async () => {
    const { accountId, session } = await instance.member(scene.workspace.id, ['events.manage'])
    const body = { title: 'By hand', scheduledFor: scene.inMinutes(1) }
    const answer = await instance.call('POST', scene.at(), { session, body })
    expect(answer.body.event.createdBy).toBe(accountId)
  })
})

describe('updating', () => {
  for (const method of ['POST', 'PATCH']) {
    test(`with ${method} changes what is sent and leaves the rest`, async () => {
      const made = await scene.create(everyField())
      scene.advance(1)
      const { status, body } = await scene.write(method, { id: made.id, title: 'Renamed' })
      expect(status).toBe(200)
      expect(body.event).toEqual({ ...made, title: 'Renamed', updatedAt: scene.inMinutes(0), version: '2' })
    })
  }

  test('clears every optional field with null', async () => {
    const made = await scene.create({ ...everyField(), eventType: 'other' })
    const { title, scheduledFor, published, eventType, ...optional } = everyField()
    const cleared = Object.fromEntries(Object.keys(optional).map((name) => [name, null]))
    expect(await scene.update(made.id, cleared)).toEqual({
      ...made,
      ...cleared,
      endsAt: scene.inMinutes(120),
      version: '2',
    })
  })

  test('takes back all that it answered, under either name of the image, without a change', async () => {
    const made = await scene.create(everyField())
    const { workspaceId, status, endsAt, createdBy, createdAt, updatedAt, version, ...fields } = made
    expect(await scene.update(made.id, fields)).toEqual({ ...made, version: '2' })
    const { imageUrl, image_url, ...others } = fields
    expect(await scene.update(made.id, { ...others, image_url })).toEqual({ ...made, version: '3' })
  })

  test('under If-Match with the version at hand goes through', async () => {
    const made = await scene.create()
    const { status } = await scene.write('PATCH', { id: made.id, title: 'B' }, { 'if-match': '"1"' })
    expect(status).toBe(200)
  })

  test('a hundred at once are all counted in its version', async () => {
    const made = await scene.create()
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => scene.update(made.id, { trainingHost: `${index}` })),
    )
    expect((await scene.read({ id: made.id })).body.event.version).toBe('101')
  })
})

describe('deleting', () => {
  test('answers with the event as it was, and it is gone for good', async () => {
    const made = await scene.create(everyField())
    const { status, body } = await instance.call('DELETE', scene.at({ id: made.id }), scene.as)
    expect([status, body]).toEqual([200, { event: made }])
    expect((await scene.read({ id: made.id })).status).toBe(404)
    expect(await scene.titles()).toEqual([])
  })
})

test('an Idempotency-Key gives the first answer again and makes one event', async () => {
  const headers = { 'idempotency-key': 'once' }
  const fields = { title: 'Once', scheduledFor: scene.inMinutes(5) }
  const first = await scene.write('POST', fields, headers)
  const again = await scene.write('POST', fields, headers)
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
  expect(await scene.titles()).toEqual(['Once'])
})

test('every change is told to listeners and stands in the audit log, in one whole chain', async () => {
  const told: string[] = []
  const end = instance.db.onChange(({ kind, workspaceId, id }) => told.push(`${kind} ${workspaceId} ${id}`))
  const made = await scene.create()
  await scene.update(made.id, { title: 'Renamed' })
  const published = await scene.update(made.id, { title: 'Ready', published: true })
  await scene.update(made.id, { published: true })
  await scene.update(made.id, { published: false })
  await instance.call('DELETE', scene.at({ id: made.id }), scene.as)
  end()
  expect(told).toEqual(Array(6).fill(`event ${scene.workspace.id} ${made.id}`))
  const rows = ((await stored(instance)).audit ?? [])
    .map((row) => JSON.parse(row))
    .filter((row) => row.target_id === made.id)
    .sort((one, other) => one.sequence - other.sequence)
  expect(rows.map((row) => row.action)).toEqual([
    'events.create',
    'events.update',
    'events.publish',
    'events.update',
    'events.unpublish',
    'events.delete',
  ])
  const changes = rows.map((row) => JSON.parse(row.changes))
  expect(changes[0]).toMatchObject({ before: null, after: made })
  expect(changes[2]).toMatchObject({ before: { title: 'Renamed' }, after: published })
  expect(changes[5]).toMatchObject({ before: { title: 'Ready', version: '5' }, after: null })
  expect((await verifyAudit(instance.db.read)).faults).toEqual([])
})
