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
  links: boolean
  appealAfterDays: number | string
  windowDays: number | string
  noteDays: number | string
  warnDays: number | string
  kickDays: number | string
  muteDays: number | string
  banDays: number | string
  evidence: string | readonly string[]
  answers: string | readonly string[]
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

/** The fields that contain the ID of the player whom a write is about: a body that has one of them needs it. */
const REQUIRED_PLAYER_FIELDS: ReadonlySet<string> = new Set(['userId', 'linkedUserId', 'confirmUserId'])
/** All fields that contain the IDs of players. */
const PLAYER_FIELDS: ReadonlySet<string> = new Set([
  ...REQUIRED_PLAYER_FIELDS,
  'userIds',
  'actorPlatformUserId',
])

/** The ID of a player as it is sent. @throws TypeError for a value that is none, such as a variable that was not set */
export function toPlayerId(name: string, value: unknown): string {
  const isId =
    typeof value === 'string'
      ? value.trim() !== ''
      : typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  if (isId) return toText(name, value as UserId)
  const found = typeof value === 'string' ? 'an empty text' : String(value)
  throw new TypeError(`${name}: must be the ID of a player, not ${found}.`)
}

/**
 * The ID of one player as it is sent. The API would read a comma as a list, and the result could be that of another player.
 * @throws TypeError for a value that is none, or a list
 */
export function toSinglePlayerId(name: string, value: UserId): string {
  const id = toPlayerId(name, value)
  if (id.includes(',')) throw new TypeError(`${name}: must be the ID of one player, not ${id}.`)
  return id
}

const toFieldText = (name: string, value: Exclude<Value, readonly unknown[]>): string =>
  value === null || value === undefined || PLAYER_FIELDS.has(name)
    ? toPlayerId(name, value)
    : toText(name, value)

/** The values of a field as they are sent. A list of players is not empty: a filter by none would be no filter. */
function toTexts(name: string, values: Extract<Value, readonly unknown[]>): string[] {
  if (values.length === 0 && PLAYER_FIELDS.has(name))
    throw new TypeError(`${name}: must have the ID of at least one player.`)
  return values.map((one) => toFieldText(name, one))
}

/** Query parameters as they are sent; lists are separated by commas. */
export function toQuery(values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined || (value === null && !PLAYER_FIELDS.has(name))) return []
      return [[name, isList(value) ? toTexts(name, value).join(',') : toFieldText(name, value)]]
    }),
  )
}

type BodyValue = string | null | readonly string[]

/** The fields of a body as they are sent; lists stay lists, and `null` clears a field. */
export function toBody(values: Values): Record<string, BodyValue> {
  const serialize = (name: string, value: Value): BodyValue => {
    if (value === null && !PLAYER_FIELDS.has(name)) return null
    return isList(value) ? toTexts(name, value) : toFieldText(name, value)
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined && !REQUIRED_PLAYER_FIELDS.has(name)
        ? []
        : [[name, serialize(name, value)] as const],
    ),
  )
}

const isList = (value: Value): value is Extract<Value, readonly unknown[]> => Array.isArray(value)
