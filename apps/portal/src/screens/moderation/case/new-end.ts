import type { FieldProblem, Permission } from '@reeve/core'
import { EXACT, lengthOf, WITHOUT_END } from '../act/length.ts'
import type { Entry } from '../data.ts'
import { type Deed, liftingNeeds } from '../deeds.ts'
import { sayLength } from '../when.ts'
import { isRestraint, wordsOf } from '../words.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60

/** How much later, in seconds. */
const later = [DAY, 3 * DAY, 7 * DAY, 30 * DAY]

/** What the end can be moved to: what has none can only be given one. */
export const endOptions = ({ expiresAt }: Entry) => [
  ...(expiresAt === null
    ? []
    : [
        ...later.map((seconds) => ({ value: String(seconds), label: `${sayLength(seconds)} longer` })),
        { value: WITHOUT_END, label: 'Without end' },
      ]),
  { value: EXACT, label: 'Until…' },
]

/** When it is to end; null is never. */
export type EndChange =
  | { readonly at: number | null; readonly problem?: never }
  | { readonly problem: FieldProblem; readonly at?: never }

/** The end that was chosen. */
export function newEndOf({ expiresAt }: Entry, choice: string, until: string, now: number): EndChange {
  if (choice !== EXACT && choice !== WITHOUT_END && choice !== '' && expiresAt !== null) {
    return { at: new Date(expiresAt).getTime() + Number(choice) * SECOND }
  }
  const length = lengthOf(choice, until, now)
  if (length.problem) return { problem: length.problem }
  const at = length.seconds === null ? null : new Date(until).getTime()
  return at !== null && expiresAt !== null && at === new Date(expiresAt).getTime()
    ? { problem: { field: 'until', message: 'is the end that it has already' } }
    : { at }
}

/** What carries it out: whole seconds from where the server counts, so that no clock of ours matters. */
export function deedFor({ id, createdAt, expiresAt }: Entry, { at }: EndChange): Deed {
  if (at === null || at === undefined) return { action: 'edit', id, durationSeconds: WITHOUT_END }
  const seconds = (from: string) => String(Math.ceil((at - new Date(from).getTime()) / SECOND))
  return expiresAt === null
    ? { action: 'edit', id, durationSeconds: seconds(createdAt) }
    : { action: 'extend', id, value: seconds(expiresAt) }
}

/** Why the reader may not move it there, or null where they may. */
export function forbiddenIn(
  { action, expiresAt }: Entry,
  { at }: EndChange,
  permissions: ReadonlySet<Permission>,
): string | null {
  if (!isRestraint(action) || at === undefined) return null
  const end = (time: number | string | null) =>
    time === null ? Number.POSITIVE_INFINITY : new Date(time).getTime()
  const isSooner = end(at) < end(expiresAt)
  const needed = isSooner ? liftingNeeds[action] : wordsOf[action].permission
  if (permissions.has(needed)) return null
  return isSooner
    ? `You may make this ${action} longer, but not let it end sooner: that is for those who may lift it.`
    : `You may let this ${action} end sooner, but not make it longer: that is for those who may ${action} players.`
}
