import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { assignLanes } from '../src/screens/events/assign-lanes.ts'
import {
  addDays,
  addMonths,
  listMonthWeeks,
  listWeekDays,
  startOfDay,
} from '../src/screens/events/calendar.ts'
import { getDayPosition } from '../src/screens/events/day-position.ts'
import { type Event, groupByDay } from '../src/screens/events/event-data.ts'
import { dragCrop, getCropRect, initialCrop } from '../src/screens/events/form/crop.ts'
import {
  copyEventValues,
  toEventValues,
  toRequestBody,
  validateValues,
} from '../src/screens/events/form/event-values.ts'

const originalTimeZone = process.env.TZ
// Daylight saving time starts on 9 March 2025 and ends on 2 November.
beforeAll(() => {
  process.env.TZ = 'America/New_York'
})
afterAll(() => {
  if (originalTimeZone === undefined) delete process.env.TZ
  else process.env.TZ = originalTimeZone
})

const HOUR = 3_600_000

describe('days', () => {
  test('are counted correctly across daylight saving changes', () => {
    expect(addDays('2025-03-08', 1)).toBe('2025-03-09')
    expect(addDays('2025-11-02', 1)).toBe('2025-11-03')
    expect(startOfDay('2025-03-10') - startOfDay('2025-03-09')).toBe(23 * HOUR)
    expect(addDays('2024-12-31', 60)).toBe('2025-03-01')
  })

  test('are clamped to the end of a shorter month', () => {
    expect(addMonths('2024-01-31', 1)).toBe('2024-02-29')
    expect(addMonths('2025-01-15', -1)).toBe('2024-12-15')
  })

  test('are grouped into weeks that start on the chosen weekday; a month has whole weeks', () => {
    expect(listWeekDays('2025-03-09', 1)).toEqual(
      Array.from({ length: 7 }, (_, index) => addDays('2025-03-03', index)),
    )
    expect(listWeekDays('2025-03-09', 7)[0]).toBe('2025-03-09')
    expect(listWeekDays('2025-03-09', 6)[0]).toBe('2025-03-08')
    const weeks = listMonthWeeks('2025-03-20', 1)
    expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.[6]]).toEqual([6, '2025-02-24', '2025-04-06'])
    // February 2027 is exactly four weeks.
    expect(listMonthWeeks('2027-02-10', 1)).toHaveLength(4)
  })
})

describe('an event of several days', () => {
  const createEvent = (scheduledFor: string, endsAt: string) => ({ scheduledFor, endsAt }) as Event
  const listDays = (event: Event, from = '2025-01-01', last: string | null = null) => [
    ...groupByDay([event], from, last).keys(),
  ]

  test('is on each of its days, in the time zone of the reader', () => {
    // 22:00 on 7 March to 02:00 on 10 March, across the change to daylight saving time.
    const event = createEvent('2025-03-08T03:00:00Z', '2025-03-10T06:00:00Z')
    expect(listDays(event)).toEqual(['2025-03-07', '2025-03-08', '2025-03-09', '2025-03-10'])
    expect(listDays(event, '2025-03-09')).toEqual(['2025-03-09', '2025-03-10'])
    expect(listDays(event, '2025-03-01', '2025-03-08')).toEqual(['2025-03-07', '2025-03-08'])
    expect(['2025-03-07', '2025-03-08', '2025-03-10'].map((day) => getDayPosition(event, day))).toEqual([
      { start: 22 * 60, end: 24 * 60 },
      { start: 0, end: 24 * 60 },
      { start: 0, end: 2 * 60 },
    ])
  })

  test('is not on the day that begins when it ends', () => {
    const event = createEvent('2025-11-01T22:00:00Z', '2025-11-02T04:00:00Z')
    expect(listDays(event)).toEqual(['2025-11-01'])
    expect(getDayPosition(event, '2025-11-01')).toEqual({ start: 18 * 60, end: 24 * 60 })
  })

  test('comes before those that begin later, and days are in order', () => {
    const long = createEvent('2025-03-03T17:00:00Z', '2025-03-05T17:00:00Z')
    const short = createEvent('2025-03-04T17:00:00Z', '2025-03-04T18:00:00Z')
    expect([...groupByDay([long, short], '2025-03-01', null)]).toEqual([
      ['2025-03-03', [long]],
      ['2025-03-04', [long, short]],
      ['2025-03-05', [long]],
    ])
  })
})

test('overlapping events share the width in lanes; others take the full width', () => {
  const spans = [
    { start: 600, end: 700 },
    { start: 60, end: 120 },
    { start: 90, end: 300 },
    { start: 120, end: 180 },
  ]
  expect(assignLanes(spans)).toEqual([
    { lane: 0, lanes: 1 },
    { lane: 0, lanes: 2 },
    { lane: 1, lanes: 2 },
    { lane: 0, lanes: 2 },
  ])
  expect(assignLanes([])).toEqual([])
})

describe('a crop', () => {
  const image = { width: 1600, height: 1600 }

  test('keeps its aspect ratio and stays inside the image', () => {
    expect(getCropRect(image, initialCrop)).toEqual({ left: 0, top: 350, width: 1600, height: 900 })
    expect(getCropRect(image, { shape: 'square', zoom: 2, x: 1, y: 0 })).toEqual({
      left: 800,
      top: 0,
      width: 800,
      height: 800,
    })
    expect(getCropRect({ width: 300, height: 100 }, { ...initialCrop, shape: 'whole' })).toMatchObject({
      width: 300,
      height: 100,
    })
  })

  test('follows a drag, but not beyond the edge of the image', () => {
    expect(dragCrop(image, initialCrop, 0.5, 0.1)).toMatchObject({ x: 0.5, y: 0.5 - 90 / 700 })
    expect(dragCrop(image, initialCrop, 0, 9).y).toBe(0)
    expect(dragCrop(image, initialCrop, 0, -9).y).toBe(1)
  })
})

const training = {
  id: '1',
  title: 'Cadet training',
  eventType: 'training',
  published: 'true',
  description: null,
  scheduledFor: '2025-03-04T23:00:00.000Z',
  trainingStart: '2025-03-04T23:00:00.000Z',
  trainingEnd: '2025-03-05T02:00:00.000Z',
  trainingHost: 'Ossian',
  experienceId: null,
  experienceName: null,
  experiencePlaceId: null,
  experienceThumbnailUrl: null,
  experienceUrl: null,
} as unknown as Event

describe('the form of an event', () => {
  test('leaves training times empty if they are the default, and shows times in the local zone', () => {
    expect(toEventValues(training)).toMatchObject({
      scheduledFor: '2025-03-04T18:00',
      trainingStart: '',
      endsAt: '2025-03-04T21:00',
      description: '',
    })
    const usual = { ...training, trainingEnd: '2025-03-05T00:00:00.000Z' }
    expect(toEventValues(usual).endsAt).toBe('')
  })

  test('sends changed fields only; an emptied field is cleared', () => {
    const before = toEventValues({ ...training, eventType: 'event', description: 'Come.' })
    expect(toRequestBody(before, before)).toEqual({})
    expect(toRequestBody({ ...before, description: '', title: 'Party' }, before)).toEqual({
      description: null,
      title: 'Party',
    })
    const moved = { ...before, scheduledFor: '2025-07-01T18:00' }
    expect(toRequestBody(moved, before)).toEqual({ scheduledFor: '2025-07-01T22:00:00.000Z' })
  })

  test('clears the start of the training when the type changes', () => {
    const before = toEventValues(training)
    expect(toRequestBody({ ...before, eventType: 'meeting' }, before)).toEqual({
      eventType: 'meeting',
      trainingStart: null,
    })
    expect(toRequestBody({ ...before, endsAt: '' }, before)).toEqual({ trainingStart: null, endsAt: null })
  })

  test('keeps the end and the host of any type; the host is a member or a guest', () => {
    const before = toEventValues({ ...training, eventType: 'meeting', trainingStart: null })
    expect(before).toMatchObject({ endsAt: '2025-03-04T21:00', trainingHost: 'Ossian', hostAccountId: '' })
    expect(toRequestBody({ ...before, endsAt: '2025-03-09T03:30' }, before)).toEqual({
      endsAt: '2025-03-09T07:30:00.000Z',
    })
    const member = { ...before, trainingHost: 'robin', hostAccountId: 'id-of-robin' }
    expect(toRequestBody(member, before)).toEqual({ hostAccountId: 'id-of-robin' })
    expect(toRequestBody({ ...member, trainingHost: 'Guest', hostAccountId: '' }, member)).toEqual({
      trainingHost: 'Guest',
    })
    expect(toRequestBody({ ...member, trainingHost: '', hostAccountId: '' }, member)).toEqual({
      trainingHost: null,
    })
  })

  test('of a copy is a draft at the same time of day, on the next future date a whole number of weeks later', () => {
    const now = Date.parse('2025-03-20T12:00:00Z')
    expect(copyEventValues(training, now)).toMatchObject({
      published: 'false',
      scheduledFor: '2025-03-25T18:00',
      endsAt: '2025-03-25T21:00',
      trainingStart: '',
    })
    expect(copyEventValues(training, Date.parse('2025-01-01T00:00:00Z')).scheduledFor).toBe(
      '2025-03-11T18:00',
    )
  })

  test('reports missing and invalid fields before sending', () => {
    const values = toEventValues(training)
    const fields = (change: object) => validateValues({ ...values, ...change }).map(({ field }) => field)
    expect(fields({})).toEqual([])
    expect(fields({ title: ' ', scheduledFor: '' })).toEqual(['title', 'scheduledFor'])
    expect(fields({ endsAt: '2025-03-04T18:00' })).toEqual(['endsAt'])
    expect(
      fields({ endsAt: '2025-03-04T18:00', trainingStart: '2025-03-04T17:00', eventType: 'event' }),
    ).toEqual(['endsAt'])
  })
})
