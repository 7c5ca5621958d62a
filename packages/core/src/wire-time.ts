import { parseRfc3339 } from './rfc3339.ts'
import { type Codec, fail } from './wire-codec.ts'

const failTimeZone = (): never => fail('must be the name of a time zone such as Europe/Berlin')

const MIN_TIME = Date.UTC(1970, 0, 1)
/** The latest time that RFC 3339 can represent. */
export const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Smaller epoch times are in seconds: in milliseconds they are before March 1973, in seconds before the year 5138. */
export const MIN_EPOCH_MS = 1e11

/** The `+` of an offset that was not encoded in a query arrives as a space. */
const SPACE_BEFORE_OFFSET = / (?=\d{2}:\d{2}$)/

/** RFC 3339 with an offset, or digits ↔ epoch milliseconds. Formatted in UTC. */
export const time: Codec<number> = {
  read(text) {
    const isEpoch = /^\d{1,15}$/.test(text)
    if (isEpoch && Number(text) < MIN_EPOCH_MS) {
      fail('must be epoch milliseconds: this number is too small, and probably in seconds')
    }
    const timestamp = isEpoch ? Number(text) : parseRfc3339(text.replace(SPACE_BEFORE_OFFSET, '+'))
    return timestamp >= MIN_TIME && timestamp <= MAX_TIME
      ? timestamp
      : fail('must be a time such as 2026-03-01T18:00:00Z, with an offset, or epoch milliseconds')
  },
  write: (timestamp) => new Date(timestamp).toISOString(),
  description:
    'RFC 3339 time with an offset, or epoch milliseconds as digits, from 100000000000; returned in UTC with milliseconds',
  example: '2026-03-01T18:00:00.000Z',
}

/** The name of a time zone. Offsets such as `+05:30` are rejected, because they do not follow daylight saving time. */
export const timeZone: Codec<string> = {
  read(text) {
    try {
      return /^[A-Za-z]/.test(text)
        ? Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId
        : failTimeZone()
    } catch {
      return failTimeZone()
    }
  },
  write: (name) => name,
  description: 'Name of a time zone in the IANA database',
  example: 'Europe/Berlin',
}

/** A time in a response; null stays null. @param timestamp epoch milliseconds */
export const writeNullableTime = (timestamp: number | null): string | null =>
  timestamp === null ? null : time.write(timestamp)

/** The longest duration in seconds: 10 000 years of 365.25 days. */
export const MAX_DURATION_SECONDS = 315_576_000_000

/** Whole seconds; null is permanent. */
export const duration: Codec<number | null> = {
  read(text) {
    if (text === '' || text === '-1' || text === 'permanent') return null
    const seconds = /^\d{1,12}$/.test(text) ? Number(text) : 0
    return seconds >= 1 && seconds <= MAX_DURATION_SECONDS
      ? seconds
      : fail(
          `must be whole seconds from 1 to ${MAX_DURATION_SECONDS}, or empty, -1 or permanent for no expiry`,
        )
  },
  write: (seconds) => (seconds === null ? 'permanent' : String(seconds)),
  description: `Whole seconds, 1 to ${MAX_DURATION_SECONDS}; permanent if absent, empty, \`-1\` or \`permanent\``,
  example: '86400',
}

/** A change of a duration in whole seconds: positive or negative, never zero. */
export const durationChange: Codec<number> = {
  read(text) {
    const seconds = /^[+-]?\d{1,12}$/.test(text) ? Number(text) : 0
    return seconds !== 0 && Math.abs(seconds) <= MAX_DURATION_SECONDS
      ? seconds
      : fail('must be whole seconds, negative to shorten, and not 0')
  },
  write: String,
  description: 'Whole seconds to add; negative to shorten',
  example: '3600',
}
