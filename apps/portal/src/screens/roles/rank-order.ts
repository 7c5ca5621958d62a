import { normalizeName, OWNER_RANK } from '@reeve/core'
import type { Actor } from './can-manage.ts'
import type { Role } from './queries.ts'

type RankedRole = Pick<Role, 'id' | 'name' | 'rank'>

/** New ranks by role id. */
export type RankChanges = ReadonlyMap<string, number>

/** How far above the next lower role a moved role ranks, if there is room: later roles fit in between. */
const STEP = 10

/** Roles with some ranks changed, highest first; those of the same rank by name. */
export const applyRanks = <R extends RankedRole>(roles: readonly R[], changes: RankChanges): readonly R[] =>
  roles
    .map((role) => ({ ...role, rank: changes.get(role.id) ?? role.rank }))
    .toSorted((a, b) => b.rank - a.rank || (normalizeName(a.name) < normalizeName(b.name) ? -1 : 1))

/**
 * The ranks that change so that a role comes to stand between two others. Only the moved role changes, unless its new
 * neighbors leave no room: then the roles above it move up, or else those below it move down, and keep their order. Between
 * roles of the same rank it gets their rank.
 * @param roles highest rank first
 * @param position its new index in the list
 * @returns no changes if its rank stays the same; null if there is no room
 */
export function planMove(
  roles: readonly RankedRole[],
  id: string,
  position: number,
  actor: Pick<Actor, 'rank'>,
): RankChanges | null {
  const role = roles.find((candidate) => candidate.id === id)
  const others = roles.filter((candidate) => candidate.id !== id)
  if (!role) return new Map()
  const ceiling = Math.min(actor.rank, OWNER_RANK)
  const upper = Math.min(others[position - 1]?.rank ?? ceiling, ceiling)
  const lower = others[position]?.rank ?? 0
  if (upper === lower) return upper === role.rank ? new Map() : new Map([[id, upper]])
  if (upper > role.rank && role.rank > lower) return new Map()
  if (upper - lower > 1) return new Map([[id, Math.min(lower + STEP, Math.floor((upper + lower) / 2))]])
  const raised = shiftRanks(others, upper, 1)
  if (upper < ceiling && [...raised.values()].every((rank) => rank < ceiling)) return raised.set(id, upper)
  const lowered = shiftRanks(others, lower, -1)
  return lower > 0 && [...lowered.values()].every((rank) => rank > 0) ? lowered.set(id, lower) : null
}

/** Moves the roles of a rank by one, and those of the next ranks as far as they are in the way. */
function shiftRanks(roles: readonly RankedRole[], start: number, direction: 1 | -1): Map<string, number> {
  const changes = new Map<string, number>()
  let rank = start
  for (let level = roles.filter((role) => role.rank === rank); level.length > 0; ) {
    for (const { id } of level) changes.set(id, rank + direction)
    rank += direction
    const next = rank
    level = roles.filter((role) => role.rank === next)
  }
  return changes
}
