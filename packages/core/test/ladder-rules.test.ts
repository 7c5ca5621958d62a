import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  compareMeasures,
  type LadderStep,
  type Measure,
  recordActions,
  simulateLadder,
} from '../src/index.ts'

const step = (count: number, action: LadderStep['action'], fields: Partial<LadderStep> = {}): LadderStep => ({
  count,
  action,
  durationSeconds: null,
  decayDays: null,
  ...fields,
})

test('a simulated player climbs, and falls back as records decay and leave the window', () => {
  const steps = [step(1, 'warn', { decayDays: 10 }), step(2, 'mute', { durationSeconds: 60 }), step(4, 'ban')]
  const simulate = (days: number[], windowDays: number | null = 30) =>
    simulateLadder({ steps, windowDays }, days).map(({ day, counted, number }) => [day, counted, number])
  expect(simulate([0, 0, 0, 0])).toEqual([
    [0, 0, 1],
    [0, 1, 2],
    [0, 2, 2],
    [0, 3, 3],
  ])
  // The warning decays on day 10, and the mute of day 9 leaves the window on day 39.
  expect(simulate([39, 9, 0, 10])).toEqual([
    [0, 0, 1],
    [9, 1, 2],
    [10, 1, 2],
    [39, 1, 2],
  ])
  expect(simulate([0, 1, 2, 3, 4000], null).at(-1)).toEqual([4000, 3, 3])
})

const measure: fc.Arbitrary<Measure> = fc.record({
  action: fc.constantFrom(...recordActions),
  durationSeconds: fc.option(fc.integer({ min: 1, max: 5 })),
})

test('measures have one order: a note is least, a permanent ban is most, and only sanctions have a duration', () => {
  fc.assert(
    fc.property(measure, measure, measure, (one, other, third) => {
      expect(Math.sign(compareMeasures(one, other))).toBe(-Math.sign(compareMeasures(other, one)) + 0)
      if (compareMeasures(one, other) <= 0 && compareMeasures(other, third) <= 0)
        expect(compareMeasures(one, third)).toBeLessThanOrEqual(0)
      expect(compareMeasures(one, { action: 'ban', durationSeconds: null })).toBeLessThanOrEqual(0)
      expect(compareMeasures({ action: 'note', durationSeconds: 5 }, one)).toBeLessThanOrEqual(0)
    }),
  )
  expect(
    compareMeasures({ action: 'kick', durationSeconds: 1 }, { action: 'kick', durationSeconds: null }),
  ).toBe(0)
})
