import { maxAssignableRank } from '@reeve/core'
import { formatNumber } from '../../format/number.ts'
import type { Actor } from './can-manage.ts'
import type { Role } from './queries.ts'

const joinNames = (roles: readonly Role[]): string =>
  roles.length > 2 ? `${roles.length} roles` : roles.map(({ name }) => name).join(' and ')

/** The position of a rank among other roles: `below Lead, level with Trainer, above Helper`; empty if there are none. */
export function describePosition(rank: number, others: readonly Role[]): string {
  const above = others.filter((role) => role.rank > rank && !role.isOwner)
  const equal = others.filter((role) => role.rank === rank)
  const below = others.filter((role) => role.rank < rank)
  const [nextAbove, nextBelow] = [
    Math.min(...above.map((role) => role.rank)),
    Math.max(...below.map((role) => role.rank)),
  ]
  return [
    above.length > 0 ? `below ${joinNames(above.filter((role) => role.rank === nextAbove))}` : '',
    equal.length > 0 ? `level with ${joinNames(equal)}` : '',
    below.length > 0 ? `above ${joinNames(below.filter((role) => role.rank === nextBelow))}` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/**
 * The position of a rank among the other roles, in a sentence.
 * @param text the rank as typed
 */
export function describeRank(text: string, others: readonly Role[], actor: Actor): string {
  const rangeHint = `Higher ranks manage lower ones. You can set 1 to ${formatNumber(maxAssignableRank(actor))}.`
  const rank = Number(text)
  if (!/^\d+$/.test(text.trim()) || rank < 1 || rank > maxAssignableRank(actor)) return rangeHint
  const position = describePosition(rank, others)
  return position ? `Ranks ${position}. ${rangeHint}` : `${rangeHint} The only other role is the owner’s.`
}
