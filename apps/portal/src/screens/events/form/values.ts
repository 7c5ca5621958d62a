import type { FieldProblem } from '@reeve/core'
import { addDays, type Day, dayOf } from '../calendar.ts'
import type { Event } from '../event-data.ts'
import { fieldOfMoment, momentOfField } from './field-time.ts'

const HOUR = 3_600_000
const WEEK_DAYS = 7
/** When an event begins that is made for a day. */
const EVENING = 'T18:00'

const texts = [
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

const always = ['title', 'eventType', 'published'] as const

type Always = (typeof always)[number] | 'scheduledFor'
type Clearable = (typeof texts)[number] | (typeof trainingTimes)[number]

/** What the form holds, by the names of the fields; times as fields of date and time have them. */
export type EventValues = Record<Always | Clearable, string>

/** A new event, on a day where one is given. */
export const blankValues = (day: Day | null): EventValues => ({
  title: '',
  eventType: 'event',
  scheduledFor: day === null ? '' : `${day}${EVENING}`,
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
export function valuesOf(event: Event): EventValues {
  const { title, eventType, scheduledFor, published, trainingStart, trainingEnd } = event
  const begins = Date.parse(scheduledFor)
  const starts = trainingStart === null ? begins : Date.parse(trainingStart)
  const follows = eventType === 'training'
  const isSet = (time: string | null, usual: number): time is string =>
    time !== null && !(follows && Date.parse(time) === usual)
  return {
    ...blankValues(null),
    ...(Object.fromEntries(texts.map((name) => [name, event[name] ?? ''])) as Record<
      (typeof texts)[number],
      string
    >),
    title,
    eventType,
    published,
    scheduledFor: fieldOfMoment(scheduledFor),
    trainingStart: isSet(trainingStart, begins) ? fieldOfMoment(trainingStart) : '',
    trainingEnd: isSet(trainingEnd, starts + HOUR) ? fieldOfMoment(trainingEnd) : '',
  }
}

/** An event once more, as a draft: at the same hour, so many whole weeks later that it is still to come. */
export function copyValues(event: Event, now: number): EventValues {
  const values = valuesOf(event)
  let days = WEEK_DAYS
  while (momentOfField(shifted(values.scheduledFor, days)) <= now) days += WEEK_DAYS
  const moved = (name: 'scheduledFor' | (typeof trainingTimes)[number]) => shifted(values[name], days)
  return {
    ...values,
    published: 'false',
    scheduledFor: moved('scheduledFor'),
    trainingStart: moved('trainingStart'),
    trainingEnd: moved('trainingEnd'),
  }
}

/** The same time of day, days later. */
function shifted(field: string, days: number): string {
  if (field === '') return ''
  return `${addDays(dayOf(field), days)}${field.slice('yyyy-mm-dd'.length)}`
}

/** The fields of a write; null clears one. */
export type EventBody = { [Name in Always]?: string } & { [Name in Clearable]?: string | null }

/** What has to be sent: what differs from how it was. @param before null for a new event */
export function bodyOf(values: EventValues, before: EventValues | null): EventBody {
  const isTraining = values.eventType === 'training'
  const was = before ?? { ...blankValues(null), eventType: '' }
  const body: EventBody = {}
  const differs = (name: keyof EventValues) => values[name] !== was[name]
  for (const name of always) if (differs(name)) body[name] = values[name]
  if (differs('scheduledFor')) body.scheduledFor = timeOf(values.scheduledFor)
  for (const name of texts) if (differs(name)) body[name] = values[name] || null
  for (const name of trainingTimes) if (differs(name)) body[name] = timeOf(values[name]) || null
  if (!isTraining) for (const name of trainingFields) delete body[name]
  // What is no training any more has none of its fields. Of one, what is left empty is said to be: times that were set
  // look like those that follow.
  if (before?.eventType === 'training' && !isTraining) for (const name of trainingFields) body[name] = null
  if (before && isTraining) for (const name of trainingTimes) if (values[name] === '') body[name] = null
  return body
}

/** A time as it is sent; what is no time is sent as it is, and refused. */
function timeOf(field: string): string {
  const at = momentOfField(field)
  return Number.isNaN(at) ? field : new Date(at).toISOString()
}

/** What can be told before anything is sent: what is left out, and what the times say against one another. */
export function problemsOf(values: EventValues): FieldProblem[] {
  const { title, eventType, scheduledFor, trainingStart, trainingEnd } = values
  const problems = [
    { field: 'title', isWrong: title.trim() === '', message: 'is required' },
    { field: 'scheduledFor', isWrong: scheduledFor === '', message: 'is required' },
    {
      field: 'trainingEnd',
      isWrong:
        eventType === 'training' &&
        momentOfField(trainingEnd) <= momentOfField(trainingStart || scheduledFor),
      message: 'has to be later than the start of the training',
    },
  ]
  return problems.filter(({ isWrong }) => isWrong).map(({ field, message }) => ({ field, message }))
}
