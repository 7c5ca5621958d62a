import { OWNER_RANK } from '@reeve/core'
import { number } from '../../format/number.ts'
import type { Reader } from './reach.ts'
import type { Role } from './role-data.ts'

const named = (roles: readonly Role[]): string =>
  roles.length > 2 ? `${roles.length} roles` : roles.map(({ name }) => name).join(' and ')

/**
 * Where a rank stands among others, in a sentence: a number alone says nothing.
 * @param text as it was typed
 */
export function placeOf(text: string, others: readonly Role[], reader: Reader): string {
  const reach = `Higher ranks manage lower ones. You can give 1 to ${number(Math.min(reader.rank, OWNER_RANK) - 1)}.`
  const rank = Number(text)
  if (!/^\d+$/.test(text.trim()) || rank < 1 || rank >= reader.rank) return reach
  const above = others.filter((role) => role.rank > rank && !role.isOwner)
  const level = others.filter((role) => role.rank === rank)
  const below = others.filter((role) => role.rank < rank)
  const parts = [
    above.length > 0 ? `below ${named(above.filter((role) => role.rank === above.at(-1)?.rank))}` : '',
    level.length > 0 ? `level with ${named(level)}` : '',
    below.length > 0 ? `above ${named(below.filter((role) => role.rank === below[0]?.rank))}` : '',
  ].filter(Boolean)
  if (parts.length === 0) return `${reach} There is no other role yet but the owner’s.`
  const sentence = parts.join(', ')
  return `It stands ${sentence}. ${reach}`
}
