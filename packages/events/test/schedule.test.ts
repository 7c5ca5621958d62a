import { describe, expect, test } from 'bun:test'
import { type AppError, wire } from '@reeve/core'
import { assertValidSchedule, getEnd, getStart, getStatus, getTrainingTimes } from '../src/schedule.ts'

const HOUR = 3_600_000
const scheduled = wire.time.read('2026-03-01T18:00:00Z')

const createEvent = (fields: Partial<Parameters<typeof getTrainingTimes>[0]> = {}) => ({
  event_type: 'event' as const,
  scheduled_for: scheduled,
  training_start: null,
  training_end: null,
  ...fields,
})

describe('the times of an event', () => {
  test('are its schedule and an hour, by default', () => {
    expect([getStart(createEvent()), getEnd(createEvent())]).toEqual([scheduled, scheduled + HOUR])
  })

  test('are its training times if they are set', () => {
    const start = scheduled + HOUR
    expect(getEnd(createEvent({ training_start: start }))).toBe(start + HOUR)
    const event = createEvent({ training_start: start, training_end: start + 1 })
    expect([getStart(event), getEnd(event)]).toEqual([start, start + 1])
  })

  test('are shown as training times only for a training', () => {
    expect(getTrainingTimes(createEvent())).toEqual({ start: null, end: null })
    expect(getTrainingTimes(createEvent({ event_type: 'training' }))).toEqual({
      start: scheduled,
      end: scheduled + HOUR,
    })
    const end = scheduled + 1
    expect(getTrainingTimes(createEvent({ training_end: end }))).toEqual({ start: null, end })
  })
})

describe('the status of an event', () => {
  const statusAt = (now: number, published = 1) => {
    const event = createEvent()
    return getStatus({ ...event, published, ends_at: getEnd(event) }, now)
  }

  test('is draft at any time until it is published', () => {
    for (const now of [0, scheduled, scheduled + 2 * HOUR]) expect(statusAt(now, 0)).toBe('draft')
  })

  test('is live from the millisecond of the start until before the millisecond of the end', () => {
    expect(statusAt(scheduled - 1)).toBe('scheduled')
    expect(statusAt(scheduled)).toBe('live')
    expect(statusAt(scheduled + HOUR - 1)).toBe('live')
    expect(statusAt(scheduled + HOUR)).toBe('ended')
  })
})

describe('a schedule', () => {
  const problem = (fields: Parameters<typeof createEvent>[0]) => {
    try {
      assertValidSchedule(createEvent(fields), 'trainingEnd')
      return null
    } catch (error) {
      const [detail] = (error as AppError).options.details ?? []
      return `${detail?.field} ${detail?.message}`
    }
  }

  test('ends after it starts', () => {
    expect(problem({ training_end: scheduled + 1 })).toBeNull()
    expect(problem({ training_end: scheduled })).toBe(
      'trainingEnd must be later than scheduledFor, 2026-03-01T18:00:00.000Z',
    )
    expect(problem({ training_start: scheduled + HOUR, training_end: scheduled + HOUR })).toBe(
      'trainingEnd must be later than trainingStart, 2026-03-01T19:00:00.000Z',
    )
  })

  test('ends within the year 9999', () => {
    expect(problem({ scheduled_for: wire.MAX_TIME - HOUR })).toBeNull()
    expect(problem({ scheduled_for: wire.MAX_TIME })).toStartWith(
      'scheduledFor must be at least an hour before',
    )
    expect(problem({ training_start: wire.MAX_TIME })).toStartWith('trainingStart must be')
  })
})
