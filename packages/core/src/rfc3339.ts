import { MINUTE_MS } from './duration.ts'

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/

/**
 * Reads a time as RFC 3339 writes it, with an offset: https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @returns epoch milliseconds, cut off there; NaN where it is no such time
 */
export function parseRfc3339(text: string): number {
  const parts = RFC_3339.exec(text)
  if (!parts) return Number.NaN
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const zone = parts[8] as string
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  if (year < 100 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return Number.NaN
  const local = Date.UTC(
    year,
    month - 1,
    day,
    hour,
    minute,
    second,
    Math.floor(Number(`0${parts[7] ?? ''}`) * 1000),
  )
  // A day that the month does not have would roll over into the next one.
  if (day < 1 || new Date(local).getUTCDate() !== day) return Number.NaN
  if (zone === 'Z' || zone === 'z') return local
  const [zoneHour, zoneMinute] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))]
  if (zoneHour > 23 || zoneMinute > 59) return Number.NaN
  return local - (zone.startsWith('-') ? -1 : 1) * (zoneHour * 60 + zoneMinute) * MINUTE_MS
}
