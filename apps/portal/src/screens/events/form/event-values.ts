import { type FieldProblem, HOUR_MS } from '@reeve/core'
import { addDays, type Day, padTwo, toDay } from '../calendar.ts'
import type { Event } from '../event-data.ts'

const DAYS_PER_WEEK = 7
/** The default start time of an event created for a day. */
const DEFAULT_START_TIME = 'T18:00'

const textFields = [
  'description',
  'experienceName',
  'experienceUrl',
  'experienceId',
  'experiencePlaceId',
  'experienceThumbnailUrl',
] as const
const nullableTimes = ['trainingStart', 'endsAt'] as const

const nonNullableFields = ['title', 'eventType', 'published'] as const

type NonNullableField = (typeof nonNullableFields)[number] | 'scheduledFor'
type NullableField =
  | (typeof textFields)[number]
  | (typeof nullableTimes)[number]
  | 'trainingHost'
  | 'hostAccountId'

/** Whether the form creates, copies or edits an event. */
export type EventFormMode =
  | { readonly kind: 'new'; readonly day: Day | null }
  | { readonly kind: 'copy' | 'edit'; readonly event: Event }

/** The form values by API field name; times as `datetime-local` inputs have them. */
export type EventValues = Record<NonNullableField | NullableField, string>

/** The values of a new event, optionally on a given day. */
export const createBlankValues = (day: Day | null): EventValues => ({
  title: '',
  eventType: 'event',
  scheduledFor: day === null ? '' : `${day}${DEFAULT_START_TIME}`,
  published: 'false',
  trainingStart: '',
  endsAt: '',
  description: '',
  trainingHost: '',
  hostAccountId: '',
  experienceName: '',
  experienceUrl: '',
  experienceId: '',
  experiencePlaceId: '',
  experienceThumbnailUrl: '',
})

/** The values of an existing event. Times of a training that equal the defaults stay empty, so that they follow the start. */
export function toEventValues(event: Event): EventValues {
  const { title, eventType, scheduledFor, published, trainingStart, trainingEnd } = event
  const eventStartsAt = Date.parse(scheduledFor)
  const trainingStartsAt = trainingStart === null ? eventStartsAt : Date.parse(trainingStart)
  const hasDefaultTimes = eventType === 'training'
  const isSet = (time: string | null, defaultTime: number): time is string =>
    time !== null && !(hasDefaultTimes && Date.parse(time) === defaultTime)
  return {
    ...createBlankValues(null),
    ...(Object.fromEntries(textFields.map((name) => [name, event[name] ?? ''])) as Record<
      (typeof textFields)[number],
      string
    >),
    title,
    eventType,
    published,
    trainingHost: event.trainingHost ?? '',
    hostAccountId: event.hostAccountId ?? '',
    scheduledFor: toDateTimeInput(scheduledFor),
    trainingStart: isSet(trainingStart, eventStartsAt) ? toDateTimeInput(trainingStart) : '',
    endsAt: isSet(trainingEnd, trainingStartsAt + HOUR_MS) ? toDateTimeInput(trainingEnd) : '',
  }
}

/** The values of a copy: a draft at the same time of day, moved by whole weeks into the future. */
export function copyEventValues(event: Event, now: number): EventValues {
  const values = toEventValues(event)
  let days = DAYS_PER_WEEK
  while (parseDateTimeInput(addDaysToInput(values.scheduledFor, days)) <= now) days += DAYS_PER_WEEK
  const shiftField = (name: 'scheduledFor' | (typeof nullableTimes)[number]) =>
    addDaysToInput(values[name], days)
  return {
    ...values,
    published: 'false',
    scheduledFor: shiftField('scheduledFor'),
    trainingStart: shiftField('trainingStart'),
    endsAt: shiftField('endsAt'),
  }
}

/** Adds days and keeps the time of day. */
function addDaysToInput(field: string, days: number): string {
  if (field === '') return ''
  return `${addDays(toDay(field), days)}${field.slice('yyyy-mm-dd'.length)}`
}

/** The fields of a request body; null clears a field. */
export type EventBody = { [Name in NonNullableField]?: string } & { [Name in NullableField]?: string | null }

/** The changed fields as a request body. @param before null for a new event */
export function toRequestBody(values: EventValues, before: EventValues | null): EventBody {
  const isTraining = values.eventType === 'training'
  const baseline = before ?? { ...createBlankValues(null), eventType: '' }
  const body: EventBody = {}
  const hasChanged = (name: keyof EventValues) => values[name] !== baseline[name]
  for (const name of nonNullableFields) if (hasChanged(name)) body[name] = values[name]
  if (hasChanged('scheduledFor')) body.scheduledFor = toIsoTime(values.scheduledFor)
  for (const name of textFields) if (hasChanged(name)) body[name] = values[name] || null
  for (const name of nullableTimes) if (hasChanged(name)) body[name] = toIsoTime(values[name]) || null
  if (!isTraining) delete body.trainingStart
  // The name of a member is set by the server.
  if (hasChanged('hostAccountId') || hasChanged('trainingHost')) {
    if (values.hostAccountId === '') body.trainingHost = values.trainingHost || null
    else body.hostAccountId = values.hostAccountId
  }
  // An event that is no longer a training has no start of the training. Empty times of a training are sent as null, since an
  // explicitly set time can equal the default.
  if (before?.eventType === 'training' && !isTraining) body.trainingStart = null
  if (before && isTraining) for (const name of nullableTimes) if (values[name] === '') body[name] = null
  return body
}

/** RFC 3339. An invalid input is passed through, and the server rejects it. */
function toIsoTime(field: string): string {
  const at = parseDateTimeInput(field)
  return Number.isNaN(at) ? field : new Date(at).toISOString()
}

/** Validates required fields and the order of times before sending. */
export function validateValues(values: EventValues): FieldProblem[] {
  const { title, eventType, scheduledFor, trainingStart, endsAt } = values
  const start = (eventType === 'training' && trainingStart) || scheduledFor
  const problems = [
    { field: 'title', isInvalid: title.trim() === '', message: 'is required' },
    { field: 'scheduledFor', isInvalid: scheduledFor === '', message: 'is required' },
    {
      field: 'endsAt',
      isInvalid: parseDateTimeInput(endsAt) <= parseDateTimeInput(start),
      message: 'must be after the start',
    },
  ]
  return problems.filter(({ isInvalid }) => isInvalid).map(({ field, message }) => ({ field, message }))
}

/** A time as the value of a `datetime-local` input, in the user's time zone: `2026-03-01T18:00`. */
function toDateTimeInput(time: string | number): string {
  const at = new Date(time)
  return `${toDay(at)}T${padTwo(at.getHours())}:${padTwo(at.getMinutes())}`
}

/** The time of a `datetime-local` input in milliseconds; NaN if it is empty. */
export const parseDateTimeInput = (input: string): number => new Date(input).getTime()
