import { parsePlayerId, parseRfc3339, wire } from '@reeve/core'
import { UnreadableEntry } from './format.ts'

/** Reads the values of other tools. Each function throws `UnreadableEntry` whose message names the field. */

export type Fields = Readonly<Record<string, unknown>>

/** A value as text; null for none. */
export function toText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text
}

/** A text that an entry must have. */
export function requireText(fields: Fields, field: string): string {
  const text = toText(fields[field])
  if (text === null) throw new UnreadableEntry(`${field} is missing`)
  return text
}

const TRUE: ReadonlySet<unknown> = new Set(['1', '\u0001', 't', 'true', 'yes', 'y'])

export const toBoolean = (value: unknown): boolean =>
  typeof value === 'string'
    ? TRUE.has(value.trim().toLowerCase()) || value === '\u0001'
    : value === true || value === 1

/** A whole number of seconds or milliseconds since 1970 in milliseconds. */
export function toEpoch(fields: Fields, field: string, unitMs: 1 | 1000): number {
  const text = requireText(fields, field)
  const time = /^-?\d{1,16}$/.test(text) ? Number(text) * unitMs : Number.NaN
  return checkTime(time, field, text)
}

/** The latest time, so that a duration that stands for "never" does not become one. */
function checkTime(time: number, field: string, text: string): number {
  if (time >= 0 && time <= wire.MAX_TIME) return time
  throw new UnreadableEntry(`${field} is not a time: ${shorten(text)}`)
}

const LOCAL_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i

/** A time as people and databases write it; one without an offset is in UTC. */
export function toTime(fields: Fields, field: string): number {
  const text = requireText(fields, field)
  if (/^\d{1,16}$/.test(text)) {
    const number = Number(text)
    return checkTime(number < wire.MIN_EPOCH_MS ? number * 1000 : number, field, text)
  }
  const [, day, time = '00:00', zone = 'Z'] = LOCAL_TIME.exec(text) ?? []
  if (day === undefined) throw new UnreadableEntry(`${field} is not a time: ${shorten(text)}`)
  const offset = /^(?:Z|UTC)$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')
  // Rejects a day that the month does not have.
  return checkTime(parseRfc3339(`${day}T${time.length === 5 ? `${time}:00` : time}${offset}`), field, text)
}

/** The start of a text in a message. */
export const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object of a JSON file. */
export function requireObject(value: unknown): Fields {
  if (!isObject(value)) throw new UnreadableEntry('an object is expected')
  return value
}

/** The id of a player on a platform, in its one form. */
export function toPlayerId(platform: string, fields: Fields, field: string): string {
  const text = requireText(fields, field)
  try {
    return parsePlayerId(`${platform}:${text}`)
  } catch (error) {
    if (error instanceof wire.WireError)
      throw new UnreadableEntry(`${field} ${error.message}: ${shorten(text)}`)
    throw error
  }
}
