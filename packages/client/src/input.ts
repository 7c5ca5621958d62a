import type { components, paths } from './generated/openapi.ts'

/** The schemas of the API by name: `Schemas['Record']`. */
export type Schemas = components['schemas']

/** The ID of a player on the game platform. Numbers above 2^53 must be strings or bigints. */
export type UserId = string | number | bigint

/** What requests may contain: everything but arrays and objects is sent as a string. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly (string | number | bigint)[]
export type Values = Readonly<Record<string, Value>>

/** What fields accept besides the string that is sent. */
interface FieldInputs {
  userId: UserId
  userIds: string | readonly UserId[]
  linkedUserId: UserId
  confirmUserId: UserId
  actorPlatformUserId: UserId
  ids: string | readonly string[]
  recordIds: string | readonly string[]
  durationSeconds: number | string
  severity: 'low' | 'medium' | 'high' | 'critical'
  defaultSeverity: 'low' | 'medium' | 'high' | 'critical'
  confidence: 'low' | 'medium' | 'high'
  appealable: boolean
  appealAfterDays: number | string
  windowDays: number | string
  noteDays: number | string
  warnDays: number | string
  kickDays: number | string
  muteDays: number | string
  banDays: number | string
  evidence: string | readonly string[]
  permissions: string | readonly string[]
  events: string | readonly string[]
  graceSeconds: number | string
  since: Date | string
  limit: number | string
  deleted: boolean
  archived: boolean
  published: boolean
  eventType: 'event' | 'training' | 'shift' | 'meeting' | 'tryout' | 'other'
  experienceId: UserId
  experiencePlaceId: UserId
  from: Date | string
  to: Date | string
  endsAfter: Date | string
  endsAt: Date | string
  scheduledFor: Date | string
  trainingStart: Date | string
  trainingEnd: Date | string
}

/** What filters accept: several values are alternatives. */
interface FilterInputs {
  userId: UserId | readonly UserId[]
  status: string | readonly string[]
  action: string | readonly string[]
  caseNumber: number | string | readonly (number | string)[]
}

type Inputs<Fields, Accepted> = {
  [Name in keyof Fields]:
    | (Name extends keyof Accepted ? Accepted[Name] | Extract<Fields[Name], null> : Fields[Name])
    | undefined
}

/** Fields of a request, each with its documentation. `Required` ones must be set. */
export type Input<Fields, Required extends keyof Fields, Optional extends keyof Fields = never> = Inputs<
  { [Name in keyof Pick<Fields, Required>]-?: Exclude<Fields[Name], undefined> },
  FieldInputs
> &
  Inputs<Partial<Pick<Fields, Optional>>, FieldInputs>

/** Parameters that select what is listed. */
export type Filter<Fields, Name extends keyof Fields> = Inputs<
  Partial<Pick<Fields, Name>>,
  FilterInputs & Omit<FieldInputs, keyof FilterInputs>
>

/** The query parameters of a read. */
export type Query<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Parameters } }
}
  ? NonNullable<Parameters>
  : never

/** The fields of the body of a write. */
export type Body<Path extends keyof paths, Method extends 'post' | 'patch'> =
  paths[Path] extends Record<Method, { requestBody?: { content: { 'application/json': infer Fields } } }>
    ? Fields
    : never

/** A value as it is sent. @throws TypeError for a number that has lost digits */
export function toText(name: string, value: string | number | bigint | boolean | Date): string {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(
      `${name}: ${value} is too large for a number and has lost digits; pass a string or a bigint.`,
    )
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Query parameters as they are sent; lists are separated by commas. */
export function toQuery(values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined || value === null) return []
      const list = isList(value) ? value : [value]
      return [[name, list.map((one) => toText(name, one)).join(',')]]
    }),
  )
}

type BodyValue = string | null | readonly string[]

/** The fields of a body as they are sent; lists stay lists, and `null` clears a field. */
export function toBody(values: Values): Record<string, BodyValue> {
  const serialize = (name: string, value: Exclude<Value, undefined>): BodyValue => {
    if (value === null) return null
    if (isList(value)) return value.map((one) => toText(name, one))
    return toText(name, value)
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, serialize(name, value)] as const],
    ),
  )
}

const isList = (value: Value): value is Extract<Value, readonly unknown[]> => Array.isArray(value)
