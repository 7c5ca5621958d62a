import { expect, test } from 'bun:test'

await import('./english-browser.ts')
const { formatRelativeTime } = await import('../src/format/time.ts')

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A Wednesday, 10:00 local time. */
const now = new Date(2026, 2, 4, 10).getTime()

test('a relative time is never rounded up to a larger unit', () => {
  const formatted = [
    -10_000,
    -50_000,
    -40 * MINUTE,
    40 * MINUTE,
    -9 * HOUR,
    -13 * HOUR,
    13 * HOUR,
    -25 * HOUR,
    -4 * DAY,
    6 * DAY,
    8 * DAY,
    -70 * DAY,
  ].map((offset) => formatRelativeTime(now + offset, now))
  expect(formatted).toEqual([
    'just now',
    '1 minute ago',
    '40 minutes ago',
    'in 40 minutes',
    '9 hours ago',
    '13 hours ago',
    'in 13 hours',
    'yesterday',
    '4 days ago',
    'in 6 days',
    'in 1 week',
    '2 months ago',
  ])
})

test('days are calendar days: 35 hours ago can be 2 days ago', () => {
  expect(formatRelativeTime(now - 30 * HOUR, now)).toBe('yesterday')
  expect(formatRelativeTime(now - 35 * HOUR, now)).toBe('2 days ago')
  expect(formatRelativeTime(now + 38 * HOUR, now)).toBe('in 2 days')
})
