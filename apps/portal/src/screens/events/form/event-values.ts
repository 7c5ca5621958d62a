import type { FieldProblem } from '@reeve/core'
import { addDays, type Day, toDay } from '../calendar.ts'
import type { Event } from '../event-data.ts'
import { parseDateTimeInput, toDateTimeInput } from './field-time.ts'

const HOUR = 3_600_000
const DAYS_PER_WEEK = 7
/** When an event begins that is made for a day. */
const DEFAULT_START_TIME = 'T18:00'

const textFields = [
  'description',
  'trainingHost',
  'experienceName',
  'experienceUrl',
  'experienceId',
  'experiencePlaceId',
  'experienceThumbnailUrl',
] as const
const trainingTimes = ['trainingStart', 'trainingEnd'] as const
const trainingFields = [...trainingTimes, 'trainingHost'] as const

const nonNullableFields = ['title', 'eventType', 'published'] as const

type NonNullableField = (typeof nonNullableFields)[number] | 'scheduledFor'
type NullableField = (typeof textFields)[number] | (typeof trainingTimes)[number]

/** What the form is for: a new event, a copy of one, or an existing one. */
export type EventFormMode =
  | { readonly kind: 'new'; readonly day: Day | null }
  | { readonly kind: 'copy' | 'edit'; readonly event: Event }

/** What the form holds, by the names of the fields; times as fields of date and time have them. */
export type EventValues = Record<NonNullableField | NullableField, string>

/** A new event, on a day where one is given. */
export const createBlankValues = (day: Day | null): EventValues => ({
  title: '',
  eventType: 'event',
  scheduledFor: day === null ? '' : `${day}${DEFAULT_START_TIME}`,
  published: 'false',
  trainingStart: '',
  trainingEnd: '',
  description: '',
  trainingHost: '',
  experienceName: '',
  experienceUrl: '',
  experienceId: '',
  experiencePlaceId: '',
  experienceThumbnailUrl: '',
})

/** An event as it is. The times of a training that follow from its beginning are left to follow it. */
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
    scheduledFor: toDateTimeInput(scheduledFor),
    trainingStart: isSet(trainingStart, eventStartsAt) ? toDateTimeInput(trainingStart) : '',
    trainingEnd: isSet(trainingEnd, trainingStartsAt + HOUR) ? toDateTimeInput(trainingEnd) : '',
  }
}

/** An event once more, as a draft: at the same hour, so many whole weeks later that it is still to come. */
export function copyEventValues(event: Event, now: number): EventValues {
  const values = toEventValues(event)
  let days = DAYS_PER_WEEK
  while (parseDateTimeInput(addDaysToInput(values.scheduledFor, days)) <= now) days += DAYS_PER_WEEK
  const shiftField = (name: 'scheduledFor' | (typeof trainingTimes)[number]) =>
    addDaysToInput(values[name], days)
  return {
    ...values,
    published: 'false',
    scheduledFor: shiftField('scheduledFor'),
    trainingStart: shiftField('trainingStart'),
    trainingEnd: shiftField('trainingEnd'),
  }
}

/** The same time of day, days later. */
function addDaysToInput(field: string, days: number): string {
  if (field === '') return ''
  return `${addDays(toDay(field), days)}${field.slice('yyyy-mm-dd'.length)}`
}

/** The fields of a write; null clears one. */
export type EventBody = { [Name in NonNullableField]?: string } & { [Name in NullableField]?: string | null }

/** What has to be sent: what differs from how it was. @param before null for a new event */
export function toRequestBody(values: EventValues, before: EventValues | null): EventBody {
  const isTraining = values.eventType === 'training'
  const baseline = before ?? { ...createBlankValues(null), eventType: '' }
  const body: EventBody = {}
  const hasChanged = (name: keyof EventValues) => values[name] !== baseline[name]
  for (const name of nonNullableFields) if (hasChanged(name)) body[name] = values[name]
  if (hasChanged('scheduledFor')) body.scheduledFor = toIsoTime(values.scheduledFor)
  for (const name of textFields) if (hasChanged(name)) body[name] = values[name] || null
  for (const name of trainingTimes) if (hasChanged(name)) body[name] = toIsoTime(values[name]) || null
  if (!isTraining) for (const name of trainingFields) delete body[name]
  // What is no training any more has none of its fields. Of one, what is left empty is said to be: times that were set
  // look like those that follow.
  if (before?.eventType === 'training' && !isTraining) for (const name of trainingFields) body[name] = null
  if (before && isTraining) for (const name of trainingTimes) if (values[name] === '') body[name] = null
  return body
}

/** A time as it is sent; what is no time is sent as it is, and refused. */
function toIsoTime(field: string): string {
  const at = parseDateTimeInput(field)
  return Number.isNaN(at) ? field : new Date(at).toISOString()
}

/** What can be told before anything is sent: what is left out, and what the times say against one another. */
export function validateValues(values: EventValues): FieldProblem[] {
  const { title, eventType, scheduledFor, trainingStart, trainingEnd } = values
  const problems = [
    { field: 'title', isInvalid: title.trim() === '', message: 'is required' },
    { field: 'scheduledFor', isInvalid: scheduledFor === '', message: 'is required' },
    {
      field: 'trainingEnd',
      isInvalid:
        eventType === 'training' &&
        parseDateTimeInput(trainingEnd) <= parseDateTimeInput(trainingStart || scheduledFor),
      message: 'has to be later than the start of the training',
    },
  ]
  return problems.filter(({ isInvalid }) => isInvalid).map(({ field, message }) => ({ field, message }))
}
