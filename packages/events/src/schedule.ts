import { HOUR_MS, invalidRequest, wire } from '@reeve/core'
import type { EventTable } from '@reeve/db'

/** How long an event lasts that does not say so. */
const DEFAULT_DURATION_MS = HOUR_MS

export const statuses = ['draft', 'scheduled', 'live', 'ended'] as const

export type EventStatus = (typeof statuses)[number]

type EventTimes = Pick<EventTable, 'scheduled_for' | 'training_start' | 'training_end'>

/** When an event begins: `trainingStart` where it is set, else `scheduledFor`. A list filters by the same rule in SQL. */
export const getStart = (event: EventTimes): number => event.training_start ?? event.scheduled_for

/** When an event ends: `trainingEnd` where it is set, else an hour after it begins. */
export const getEnd = (event: EventTimes): number =>
  event.training_end ?? getStart(event) + DEFAULT_DURATION_MS

/** What an event is at a moment. */
export function getStatus(
  event: EventTimes & Pick<EventTable, 'published' | 'ends_at'>,
  now: number,
): EventStatus {
  if (event.published === 0) return 'draft'
  if (now < getStart(event)) return 'scheduled'
  return now < event.ends_at ? 'live' : 'ended'
}

/**
 * The training times an event shows. Those that are set are shown as set. Of a training the others are shown by default;
 * they are not stored, and so they follow `scheduledFor` wherever it moves.
 */
export function getTrainingTimes(event: EventTimes & Pick<EventTable, 'event_type'>): {
  start: number | null
  end: number | null
} {
  if (event.event_type !== 'training') return { start: event.training_start, end: event.training_end }
  return { start: getStart(event), end: getEnd(event) }
}

/** @throws AppError `invalid_request` where an event would end before it begins, or after the calendar. */
export function assertValidSchedule(event: EventTimes): void {
  const start = getStart(event)
  const end = getEnd(event)
  if (end <= start) {
    const startField = event.training_start === null ? 'scheduledFor' : 'trainingStart'
    throw invalidRequest({
      field: 'trainingEnd',
      message: `must be later than ${startField}, ${wire.time.write(start)}`,
    })
  }
  if (end > wire.MAX_TIME) {
    const field = event.training_start === null ? 'scheduledFor' : 'trainingStart'
    throw invalidRequest({ field, message: 'must be at least an hour before the year 10000' })
  }
}
