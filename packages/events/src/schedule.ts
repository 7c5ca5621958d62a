import { HOUR_MS, invalidRequest, wire } from '@reeve/core'
import type { EventTable } from '@reeve/db'

/** The duration of an event without an end time. */
const DEFAULT_DURATION_MS = HOUR_MS

export const statuses = ['draft', 'scheduled', 'live', 'ended'] as const

export type EventStatus = (typeof statuses)[number]

type EventTimes = Pick<EventTable, 'scheduled_for' | 'training_start' | 'training_end'>

/** The start of an event: `trainingStart` if set, else `scheduledFor`. The list query repeats this rule in SQL. */
export const getStart = (event: EventTimes): number => event.training_start ?? event.scheduled_for

/** The end of an event: `trainingEnd` if set, else an hour after the start. */
export const getEnd = (event: EventTimes): number =>
  event.training_end ?? getStart(event) + DEFAULT_DURATION_MS

/** The status of an event at `now` (epoch milliseconds). */
export function getStatus(
  event: EventTimes & Pick<EventTable, 'published' | 'ends_at'>,
  now: number,
): EventStatus {
  if (event.published === 0) return 'draft'
  if (now < getStart(event)) return 'scheduled'
  return now < event.ends_at ? 'live' : 'ended'
}

/**
 * The training times of an event in responses: as set, and with defaults for an event of type `training`. Defaults are
 * not stored, so that they follow `scheduledFor`.
 */
export function getTrainingTimes(event: EventTimes & Pick<EventTable, 'event_type'>): {
  start: number | null
  end: number | null
} {
  if (event.event_type !== 'training') return { start: event.training_start, end: event.training_end }
  return { start: getStart(event), end: getEnd(event) }
}

/** @throws AppError `invalid_request` if the event would end before it starts, or after the year 9999 */
export function assertValidSchedule(event: EventTimes, endField: 'trainingEnd' | 'endsAt'): void {
  const start = getStart(event)
  const end = getEnd(event)
  if (end <= start) {
    const startField = event.training_start === null ? 'scheduledFor' : 'trainingStart'
    throw invalidRequest({
      field: endField,
      message: `must be later than ${startField}, ${wire.time.write(start)}`,
    })
  }
  if (end > wire.MAX_TIME) {
    const field = event.training_start === null ? 'scheduledFor' : 'trainingStart'
    throw invalidRequest({ field, message: 'must be at least an hour before the year 10000' })
  }
}
