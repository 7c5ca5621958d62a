import { expect, test } from 'bun:test'
import { groupDays } from '../src/screens/insights/chart-bars.ts'

const DAY_MS = 86_400_000

const createDays = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
    bans: String(index),
    mutes: '0',
    warnings: '0',
    kicks: '0',
    lifted: '0',
    appealed: '0',
  }))

test('a bar is a day, and a week from Monday on if the days do not fit a phone', () => {
  const short = groupDays(createDays('2026-03-01', 62))
  expect([short.unit, short.bars.length]).toEqual(['day', 62])
  const { unit, bars } = groupDays(createDays('2026-03-01', 63))
  expect(unit).toBe('week')
  // 1 March 2026 is a Sunday.
  expect(bars.map(({ first, last }) => [first, last]).slice(0, 3)).toEqual([
    ['2026-03-01', '2026-03-01'],
    ['2026-03-02', '2026-03-08'],
    ['2026-03-09', '2026-03-15'],
  ])
  expect(bars.at(-1)?.last).toBe('2026-05-02')
})

test('every day of a period is in one bar, and a year fits a phone', () => {
  for (const from of ['2027-01-01', '2028-01-01', '2028-01-02', '2028-01-07']) {
    const days = createDays(from, 366)
    const { bars } = groupDays(days)
    expect(bars.flatMap((bar) => bar.days)).toEqual(days)
    expect(bars.length).toBeLessThanOrEqual(54)
  }
})
