import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
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

describe('the times of a training', () => {
  test('follow scheduledFor as long as they are not set, wherever it moves', async () => {
    const made = await scene.create({ eventType: 'training' })
    expect(made).toMatchObject({
      trainingStart: scene.inMinutes(60),
      trainingEnd: scene.inMinutes(120),
      endsAt: scene.inMinutes(120),
    })
    expect(await scene.update(made.id, { scheduledFor: scene.inMinutes(600) })).toMatchObject({
      trainingStart: scene.inMinutes(600),
      trainingEnd: scene.inMinutes(660),
      endsAt: scene.inMinutes(660),
    })
  })

  test('stay once they are set, until null lets them follow again', async () => {
    const set = { trainingStart: scene.inMinutes(70), trainingEnd: scene.inMinutes(75) }
    const made = await scene.create({ eventType: 'training', ...set })
    expect(made).toMatchObject({ ...set, endsAt: set.trainingEnd })
    const moved = await scene.update(made.id, { scheduledFor: scene.inMinutes(600) })
    expect(moved).toMatchObject({ ...set, endsAt: set.trainingEnd })
    expect(await scene.update(made.id, { trainingStart: null, trainingEnd: null })).toMatchObject({
      trainingStart: scene.inMinutes(600),
      trainingEnd: scene.inMinutes(660),
    })
  })

  test('end an hour after the start where only the start is set', async () => {
    const made = await scene.create({ eventType: 'training', trainingStart: scene.inMinutes(90) })
    expect(made).toMatchObject({ trainingEnd: scene.inMinutes(150), endsAt: scene.inMinutes(150) })
  })

  test('are shown of other events only where they are set, and come with the type', async () => {
    const made = await scene.create({ trainingEnd: scene.inMinutes(200) })
    expect(made).toMatchObject({ trainingStart: null, trainingEnd: scene.inMinutes(200) })
    expect(made.endsAt).toBe(made.trainingEnd)
    const training = await scene.update(made.id, { eventType: 'training', trainingEnd: null })
    expect(training).toMatchObject({ trainingStart: scene.inMinutes(60), trainingEnd: scene.inMinutes(120) })
    const shift = await scene.update(made.id, { eventType: 'shift' })
    expect(shift).toMatchObject({ trainingStart: null, trainingEnd: null, endsAt: scene.inMinutes(120) })
  })
})

describe('the status', () => {
  test('is draft until published, then goes by the clock, to the millisecond', async () => {
    const made = await scene.create({ scheduledFor: scene.inMinutes(1) })
    const status = async () => (await scene.read({ id: made.id })).body.event.status
    expect(made.status).toBe('draft')
    expect((await scene.update(made.id, { published: 'true' })).status).toBe('scheduled')
    instance.clock.advance(59_999)
    expect(await status()).toBe('scheduled')
    instance.clock.advance(1)
    expect(await status()).toBe('live')
    instance.clock.advance(3_599_999)
    expect(await status()).toBe('live')
    instance.clock.advance(1)
    expect(await status()).toBe('ended')
    expect((await scene.update(made.id, { published: 'false' })).status).toBe('draft')
  })

  test('finds in a list exactly the events that show it', async () => {
    for (const published of [true, false]) {
      for (const scheduled of [-120, -60, -59, -1, 0, 1, 90]) {
        for (const training of [
          {},
          { eventType: 'training', trainingStart: scene.inMinutes(scheduled + 30) },
          { trainingEnd: scene.inMinutes(scheduled + 100) },
          {
            trainingStart: scene.inMinutes(scheduled - 200),
            trainingEnd: scene.inMinutes(scheduled - 100),
          },
        ]) {
          await scene.create({ published, scheduledFor: scene.inMinutes(scheduled), ...training })
        }
      }
    }
    const all = (await scene.read({ limit: '200' })).body.events
    expect(new Set(all.map(({ status }: { status: string }) => status)).size).toBe(4)
    for (const status of ['draft', 'scheduled', 'live', 'ended']) {
      const expected = all.filter((one: { status: string }) => one.status === status)
      expect((await scene.read({ limit: '200', status })).body.events).toEqual(expected)
    }
  })
})

describe('listing', () => {
  test('goes soonest first, page after page, each once, however many begin at once', async () => {
    for (const minutes of [30, 10, 20, 10, 10, 40, 10]) {
      await scene.create({ title: String(minutes), scheduledFor: scene.inMinutes(minutes) })
    }
    for (const limit of ['1', '2', '3', '7']) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await scene.read({ limit, ...(cursor === null ? {} : { cursor }) })
        seen.push(...page.body.events.map((one: { id: string }) => one.id))
        cursor = page.body.nextCursor
      } while (cursor !== null && seen.length < 10)
      expect([seen.length, new Set(seen).size]).toEqual([7, 7])
      expect(seen).toEqual((await scene.read()).body.events.map((one: { id: string }) => one.id))
    }
    expect(await scene.titles()).toEqual(['10', '10', '10', '10', '20', '30', '40'])
  })

  test('from a moment on, up to another one, and both', async () => {
    for (const minutes of [4, 3, 2, 1]) {
      await scene.create({ title: String(minutes), scheduledFor: scene.inMinutes(minutes) })
    }
    expect(await scene.titles({ from: scene.inMinutes(2) })).toEqual(['2', '3', '4'])
    expect(await scene.titles({ to: scene.inMinutes(3) })).toEqual(['1', '2'])
    expect(await scene.titles({ from: scene.inMinutes(2), to: scene.inMinutes(3) })).toEqual(['2'])
    const { body } = await scene.read({ limit: '1' })
    const cursor: string = body.nextCursor
    expect(await scene.titles({ cursor, from: scene.inMinutes(3) })).toEqual(['3', '4'])
    expect(await scene.titles({ cursor, from: scene.inMinutes(1) })).toEqual(['2', '3', '4'])
  })

  test('by type, by whether they are published, and by all of these at once', async () => {
    await scene.create({ title: 'draft shift', eventType: 'shift' })
    await scene.create({ title: 'shift', eventType: 'shift', published: true })
    await scene.create({ title: 'meeting', eventType: 'meeting', published: true })
    expect((await scene.titles({ eventType: 'shift' })).sort()).toEqual(['draft shift', 'shift'])
    expect(await scene.titles({ published: 'false' })).toEqual(['draft shift'])
    expect((await scene.titles({ published: 'true' })).sort()).toEqual(['meeting', 'shift'])
    expect(
      await scene.titles({
        eventType: 'shift',
        published: '1',
        status: 'scheduled',
        to: scene.inMinutes(61),
      }),
    ).toEqual(['shift'])
    expect(await scene.titles({ published: 'true', status: 'draft' })).toEqual([])
  })

  test('answers the same under the legacy prefix, and HEAD without the body', async () => {
    await scene.create()
    const search = `?workspaceId=${scene.workspace.id}`
    const legacy = await instance.call('GET', `${LEGACY_PREFIX}/events${search}`, scene.as)
    expect(legacy.text).toBe((await scene.read()).text)
    const head = await instance.call('HEAD', path + search, scene.as)
    expect([head.status, head.text]).toEqual([200, ''])
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
