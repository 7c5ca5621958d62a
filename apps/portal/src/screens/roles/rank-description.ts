import { maxAssignableRank } from '@reeve/core'
import { formatNumber } from '../../format/number.ts'
import type { Actor } from './can-manage.ts'
import type { Role } from './queries.ts'

const joinNames = (roles: readonly Role[]): string =>
  roles.length > 2 ? `${roles.length} roles` : roles.map(({ name }) => name).join(' and ')

/**
 * The position of a rank among the other roles, in a sentence.
 * @param text the rank as typed
 */
export function describeRank(text: string, others: readonly Role[], actor: Actor): string {
  const rangeHint = `Higher ranks manage lower ones. You can set 1 to ${formatNumber(maxAssignableRank(actor))}.`
  const rank = Number(text)
  if (!/^\d+$/.test(text.trim()) || rank < 1 || rank > maxAssignableRank(actor)) return rangeHint
  const above = others.filter((role) => role.rank > rank && !role.isOwner)
  const equal = others.filter((role) => role.rank === rank)
  const below = others.filter((role) => role.rank < rank)
  const parts = [
    above.length > 0 ? `below ${joinNames(above.filter((role) => role.rank === above.at(-1)?.rank))}` : '',
    equal.length > 0 ? `level with ${joinNames(equal)}` : '',
    below.length > 0 ? `above ${joinNames(below.filter((role) => role.rank === below[0]?.rank))}` : '',
  ].filter(Boolean)
  if (parts.length === 0) return `${rangeHint} The only other role is the owner’s.`
  const position = parts.join(', ')
  return `Ranks ${position}. ${rangeHint}`
}
