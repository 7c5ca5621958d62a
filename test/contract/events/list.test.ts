import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
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

describe('listing', () => {
  test('is ordered by time, with each event once across pages, also for equal times', async () => {
    for (const minutes of [30, 10, 20, 10, 10, 40, 10]) {
      await fixture.createEvent({ title: String(minutes), scheduledFor: fixture.minutesFromNow(minutes) })
    }
    for (const limit of ['1', '2', '3', '7']) {
      const seenIds: string[] = []
      let cursor: string | null = null
      do {
        const page = await fixture.readEvents({ limit, ...(cursor === null ? {} : { cursor }) })
        seenIds.push(...page.body.events.map((event: { id: string }) => event.id))
        cursor = page.body.nextCursor
      } while (cursor !== null && seenIds.length < 10)
      expect([seenIds.length, new Set(seenIds).size]).toEqual([7, 7])
      expect(seenIds).toEqual(
        (await fixture.readEvents()).body.events.map((event: { id: string }) => event.id),
      )
    }
    expect(await fixture.listTitles()).toEqual(['10', '10', '10', '10', '20', '30', '40'])
  })

  test('filters by the time that events end after, and starts the page with those that began before', async () => {
    const { createEvent, minutesFromNow, listTitles } = fixture
    const training = { eventType: 'training' }
    await createEvent({
      ...training,
      title: 'Long',
      scheduledFor: minutesFromNow(10),
      trainingEnd: minutesFromNow(500),
    })
    await createEvent({
      ...training,
      title: 'Over',
      scheduledFor: minutesFromNow(20),
      trainingEnd: minutesFromNow(30),
    })
    await createEvent({ title: 'Later', scheduledFor: minutesFromNow(600) })
    expect(await listTitles({ endsAfter: minutesFromNow(30) })).toEqual(['Long', 'Later'])
    expect(await listTitles({ endsAfter: minutesFromNow(29), to: minutesFromNow(600) })).toEqual([
      'Long',
      'Over',
    ])
    expect(await listTitles({ endsAfter: minutesFromNow(30), from: minutesFromNow(11) })).toEqual(['Later'])
  })

  test('filters by a start time, an end time, and both', async () => {
    for (const minutes of [4, 3, 2, 1]) {
      await fixture.createEvent({ title: String(minutes), scheduledFor: fixture.minutesFromNow(minutes) })
    }
    expect(await fixture.listTitles({ from: fixture.minutesFromNow(2) })).toEqual(['2', '3', '4'])
    expect(await fixture.listTitles({ to: fixture.minutesFromNow(3) })).toEqual(['1', '2'])
    expect(
      await fixture.listTitles({ from: fixture.minutesFromNow(2), to: fixture.minutesFromNow(3) }),
    ).toEqual(['2'])
    const filters = { from: fixture.minutesFromNow(2) }
    const { body } = await fixture.readEvents({ ...filters, limit: '1' })
    expect(await fixture.listTitles({ ...filters, cursor: body.nextCursor })).toEqual(['3', '4'])
  })

  test('filters by type, by published, and by all filters together', async () => {
    await fixture.createEvent({ title: 'draft shift', eventType: 'shift' })
    await fixture.createEvent({ title: 'shift', eventType: 'shift', published: true })
    await fixture.createEvent({ title: 'meeting', eventType: 'meeting', published: true })
    expect((await fixture.listTitles({ eventType: 'shift' })).sort()).toEqual(['draft shift', 'shift'])
    expect(await fixture.listTitles({ published: 'false' })).toEqual(['draft shift'])
    expect((await fixture.listTitles({ published: 'true' })).sort()).toEqual(['meeting', 'shift'])
    expect(
      await fixture.listTitles({
        eventType: 'shift',
        published: '1',
        status: 'scheduled',
        to: fixture.minutesFromNow(61),
      }),
    ).toEqual(['shift'])
    expect(await fixture.listTitles({ published: 'true', status: 'draft' })).toEqual([])
  })

  test('is the same under the legacy prefix, and for HEAD without the body', async () => {
    await fixture.createEvent()
    const search = `?workspaceId=${fixture.workspace.id}`
    const legacy = await instance.request('GET', `${LEGACY_PREFIX}/events${search}`, fixture.credentials)
    expect(legacy.text).toBe((await fixture.readEvents()).text)
    const head = await instance.request('HEAD', path + search, fixture.credentials)
    expect([head.status, head.text]).toEqual([200, ''])
  })
})
