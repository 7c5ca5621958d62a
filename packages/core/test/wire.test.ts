import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { wire } from '../src/index.ts'
import { readOrNull, testCodec } from './codec-properties.ts'

const daysIn = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31

/** Epoch milliseconds by counting days, without `Date`; NaN for an invalid time. */
function expectedTime(text: string): number {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+\- ])(\d\d):(\d\d))$/.exec(
      text,
    )
  if (!parts) return Number.NaN
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number)
  const [zoneHour, zoneMinute] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)]
  const inRange = month >= 1 && month <= 12 && day >= 1 && hour < 24 && minute < 60 && second < 60
  if (!inRange || zoneHour > 23 || zoneMinute > 59 || day > daysIn(year, month)) return Number.NaN
  let days = 0
  for (let current = Math.min(year, 1970); current < Math.max(year, 1970); current++) {
    days += (year < 1970 ? -1 : 1) * (daysIn(current, 2) + 337)
  }
  for (let current = 1; current < month; current++) days += daysIn(year, current)
  const minutes = (days + day - 1) * 1440 + hour * 60 + minute
  const zone = (parts[8] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute)
  return (minutes - zone) * 60_000 + second * 1000 + Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
}

describe('time', () => {
  const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
  const year = fc.oneof(fc.integer({ min: 1968, max: 2400 }), fc.integer({ min: 0, max: 9999 }))
  const composed = fc
    .tuple(
      year.map((n) => String(n).padStart(4, '0')),
      twoDigits(13),
      twoDigits(32),
      fc.constantFrom('T', 't', ' '),
      twoDigits(25),
      twoDigits(61),
      twoDigits(61),
      fc.oneof(
        fc.constant(''),
        fc.integer({ min: 0, max: 999_999_999 }).map((n) => `.${n}`),
      ),
      fc.oneof(
        fc.constantFrom('Z', 'z', '', '+00:00', '-00:00'),
        twoDigits(25).chain((h) => twoDigits(61).map((m) => `+${h}:${m}`)),
        twoDigits(14).map((h) => `-${h}:30`),
        twoDigits(14).map((h) => ` ${h}:30`),
      ),
    )
    .map(([y, m, d, t, h, min, s, fraction, zone]) => `${y}-${m}-${d}${t}${h}:${min}:${s}${fraction}${zone}`)
  const accepts = (text: string) => {
    if (/^\d{1,15}$/.test(text)) return Number(text) >= 1e11 && Number(text) <= wire.MAX_TIME
    const at = expectedTime(text)
    return at >= 0 && at <= wire.MAX_TIME
  }
  const moments = fc.integer({ min: 0, max: wire.MAX_TIME })
  testCodec(
    wire.time,
    moments,
    accepts,
    fc.oneof(composed, moments.map(wire.time.write), moments.map(String)),
  )

  test('parses to the right number of milliseconds', () => {
    fc.assert(
      fc.property(composed, (text) => {
        const read = readOrNull(wire.time, text)
        if (read) expect({ text, at: read.value }).toEqual({ text, at: expectedTime(text) })
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('boolean', () => {
  testCodec(wire.boolean, fc.boolean(), (text) => ['true', 'false', '1', '0'].includes(text))
})

describe('duration', () => {
  const inRange = (text: string) =>
    /^\d{1,12}$/.test(text) && BigInt(text) >= 1n && BigInt(text) <= BigInt(wire.MAX_DURATION_SECONDS)
  testCodec(
    wire.duration,
    fc.option(fc.integer({ min: 1, max: wire.MAX_DURATION_SECONDS })),
    (text) => ['', '-1', 'permanent'].includes(text) || inRange(text),
  )
})

describe('a change of a duration', () => {
  const values = fc
    .integer({ min: -wire.MAX_DURATION_SECONDS, max: wire.MAX_DURATION_SECONDS })
    .filter((seconds) => seconds !== 0)
  testCodec(wire.durationChange, values, (text) => {
    if (!/^[+-]?\d{1,12}$/.test(text)) return false
    const seconds = Number(text)
    return seconds !== 0 && Math.abs(seconds) <= wire.MAX_DURATION_SECONDS
  })
})

describe('color', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
  const texts = fc.oneof(
    hex,
    hex.map((text) => text.toUpperCase()),
    hex.map((text) => text.slice(0, 4)),
  )
  testCodec(wire.color, hex, (text) => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text), texts)
})

const BARE_ID = /^[A-Za-z0-9_.:-]{1,64}$/
const bareIds = fc.string({
  unit: fc.constantFrom(...'ABCXYZabcxyz0123456789_.:-'),
  minLength: 1,
  maxLength: 64,
})

describe('ids of the platform', () => {
  testCodec(wire.platformId, bareIds, (text) => BARE_ID.test(text))
})

describe('ids of players', () => {
  const isId = (text: string) => BARE_ID.test(text) && !/^(roblox|steam|minecraft|discord|fivem):/i.test(text)
  const isQualified = (text: string) =>
    text.length <= 128 && /^[a-z][a-z0-9-]{0,31}:[A-Za-z0-9_.:-]+$/.test(text)
  testCodec(wire.playerId, bareIds, (text) => isId(text) || isQualified(text))
  describe('in a list', () => {
    const lists = fc.uniqueArray(bareIds, { minLength: 1, maxLength: wire.MAX_PLAYERS })
    testCodec(wire.playerIds, lists, (text) => {
      const parts = text.split(',').map((part) => part.trim())
      return parts.length <= wire.MAX_PLAYERS && parts.every((part) => isId(part) || isQualified(part))
    })
    test('are at most 200', () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => String(index)).join(',')
      expect(wire.playerIds.read(many(wire.MAX_PLAYERS))).toHaveLength(wire.MAX_PLAYERS)
      expect(readOrNull(wire.playerIds, many(wire.MAX_PLAYERS + 1))).toBeNull()
    })
  })
})

describe('a record id', () => {
  testCodec(
    wire.id,
    fc.uuid({ version: 7 }),
    (text) => text.trim() !== '' && text.trim().toLowerCase().length <= 64,
  )
})

describe('whole numbers', () => {
  const codec = wire.integer({ min: 1, max: 999_999 })
  testCodec(
    codec,
    fc.integer({ min: 1, max: 999_999 }),
    (text) => /^\d{1,16}$/.test(text) && Number(text) >= 1 && Number(text) <= 999_999,
  )
  describe('of rows per page', () => {
    testCodec(
      wire.limit,
      fc.integer({ min: 1, max: 200 }),
      (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 200,
    )
  })
})
