import { DAY_MS } from './duration.ts'
import { isSanctionKind, type RecordAction, recordActions } from './record-rules.ts'

/** The rules of escalation ladders, which the server enforces and the portal shows. Pure. */

/** What a ladder does from a number of records on. */
export interface LadderStep {
  /** The first number of records, with the new one, to which the step applies: 1 is a player's first. */
  readonly count: number
  readonly action: RecordAction
  /** Of a ban or mute; null is permanent. Null for other actions. */
  readonly durationSeconds: number | null
  /** How many days a record of this step counts, if fewer than the window has; null for the whole window. */
  readonly decayDays: number | null
}

export const MAX_LADDER_STEPS = 20
/** The highest `count` of a step. */
export const MAX_STEP_COUNT = 100
/** The longest window, and the longest decay. */
export const MAX_LADDER_DAYS = 3650

/** A record as a ladder counts it. Times are epoch milliseconds. */
export interface CountedRecord {
  readonly createdAt: number
  /** When it decays; null if it does not. */
  readonly countsUntil: number | null
}

/** When a record of a step decays. @param createdAt epoch milliseconds @returns null if it does not */
export const findDecay = (step: Pick<LadderStep, 'decayDays'>, createdAt: number): number | null =>
  step.decayDays === null ? null : createdAt + step.decayDays * DAY_MS

/**
 * When a record stops counting: the end of the window, or when it decays.
 * @param windowDays null without a window
 * @returns epoch milliseconds; null is never
 */
export function findCountEnd(record: CountedRecord, windowDays: number | null): number | null {
  const windowEnd = windowDays === null ? null : record.createdAt + windowDays * DAY_MS
  if (record.countsUntil === null || windowEnd === null) return record.countsUntil ?? windowEnd
  return Math.min(record.countsUntil, windowEnd)
}

/** Whether a record counts at `now`: until the millisecond before it stops. */
export function isCounted(record: CountedRecord, windowDays: number | null, now: number): boolean {
  const end = findCountEnd(record, windowDays)
  return end === null || end > now
}

/**
 * The step for the next record of a player.
 * @param steps sorted by `count`; the first has 1
 * @param counted how many records of the player count
 * @returns the step, and its number from 1
 */
export function findStep(
  steps: readonly LadderStep[],
  counted: number,
): { readonly step: LadderStep; readonly number: number } {
  const index = steps.findLastIndex(({ count }) => count <= counted + 1)
  const step = steps[index]
  if (!step) throw new RangeError('a ladder has a step for the first record')
  return { step, number: index + 1 }
}

/** What a moderator or a ladder does to a player. */
export type Measure = Pick<LadderStep, 'action' | 'durationSeconds'>

/**
 * Compares two measures by their action, in the order note, warning, kick, mute, ban, and bans and mutes by their duration.
 * @returns negative if the first is less, positive if it is more
 */
export function compareMeasures(one: Measure, other: Measure): number {
  if (one.action !== other.action)
    return recordActions.indexOf(other.action) - recordActions.indexOf(one.action)
  if (!isSanctionKind(one.action) || one.durationSeconds === other.durationSeconds) return 0
  return (
    (one.durationSeconds ?? Number.POSITIVE_INFINITY) - (other.durationSeconds ?? Number.POSITIVE_INFINITY)
  )
}

/** What a ladder decides for one case of a simulated player. */
export interface SimulatedCase {
  readonly day: number
  /** How many earlier cases count on that day. */
  readonly counted: number
  readonly step: LadderStep
  /** The number of the step, from 1. */
  readonly number: number
}

/**
 * What a ladder decides for a player with a case on each of some days, who never appeals.
 * @param days in any order, each from a common day on
 */
export function simulateLadder(
  { steps, windowDays }: { readonly steps: readonly LadderStep[]; readonly windowDays: number | null },
  days: readonly number[],
): SimulatedCase[] {
  const records: CountedRecord[] = []
  return days
    .toSorted((one, other) => one - other)
    .map((day) => {
      const now = day * DAY_MS
      const counted = records.filter((record) => isCounted(record, windowDays, now)).length
      const decision = findStep(steps, counted)
      records.push({ createdAt: now, countsUntil: findDecay(decision.step, now) })
      return { day, counted, ...decision }
    })
}
