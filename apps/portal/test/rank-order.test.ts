import { describe, expect, test } from 'bun:test'
import { OWNER_RANK } from '@reeve/core'
import { applyRanks, planMove } from '../src/screens/roles/rank-order.ts'

const toRoles = (...ranks: readonly number[]) =>
  ranks.map((rank, index) => ({ id: String.fromCharCode(97 + index), name: `Role ${index}`, rank }))
const owner = { rank: OWNER_RANK }
const plan = (ranks: readonly number[], id: string, position: number, actor = owner) => {
  const changes = planMove(toRoles(...ranks), id, position, actor)
  return changes && Object.fromEntries(changes)
}

describe('moving a role changes', () => {
  test('only its own rank, if there is room between its new neighbors', () => {
    expect(plan([OWNER_RANK, 100, 50, 20], 'd', 2)).toEqual({ d: 60 })
    expect(plan([OWNER_RANK, 24, 20, 5], 'd', 2)).toEqual({ d: 22 })
    expect(plan([OWNER_RANK, 100, 50], 'c', 1)).toEqual({ c: 110 })
    expect(plan([OWNER_RANK, 100, 50], 'b', 2)).toEqual({ b: 10 })
    expect(plan([OWNER_RANK, 100, 3], 'b', 2)).toEqual({ b: 1 })
  })

  test('nothing if the role stays between the same neighbors, or among roles of its own rank', () => {
    expect(plan([OWNER_RANK, 100, 50], 'c', 2)).toEqual({})
    expect(plan([OWNER_RANK, 20, 20, 20], 'd', 2)).toEqual({})
    expect(plan([20, 10], 'unknown', 0)).toEqual({})
  })

  test('its rank to that of two neighbors that are level', () => {
    expect(plan([OWNER_RANK, 20, 20, 5], 'd', 2)).toEqual({ d: 20 })
  })

  test('the roles above, or else those below, if its neighbors leave no room, and keeps their order', () => {
    expect(plan([OWNER_RANK, 22, 21, 20, 5], 'e', 3)).toEqual({ b: 23, c: 22, e: 21 })
    expect(plan([OWNER_RANK, 21, 21, 20, 5], 'e', 3)).toEqual({ b: 22, c: 22, e: 21 })
    expect(plan([50, 30, 29, 28, 10], 'e', 1, { rank: 31 })).toEqual({ b: 29, c: 28, d: 27, e: 30 })
  })

  test('nothing at or above the rank of the user', () => {
    const changes = plan([500, 100, 99, 98, 5], 'e', 2, { rank: 100 })
    expect(changes).toEqual({ c: 98, d: 97, e: 99 })
    expect(plan([3, 2, 1, 1], 'd', 1, { rank: 3 })).toBeNull()
  })

  test('for every position in any list: the order of the others, and nothing out of reach', () => {
    let seed = 7
    const random = (limit: number) => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed % limit
    }
    for (let round = 0; round < 3000; round++) {
      const spread = 1 + random(30)
      const actor = { rank: 2 + random(spread + 5) }
      const roles = applyRanks(
        toRoles(...Array.from({ length: 2 + random(8) }, () => 1 + random(spread))),
        new Map(),
      )
      const movable = roles.filter(({ rank }) => rank < actor.rank)
      const moved = movable[random(Math.max(1, movable.length))]
      if (!moved) continue
      const position = roles.length - movable.length + random(movable.length)
      const changes = planMove(roles, moved.id, position, actor)
      if (changes === null) continue
      const others = roles.filter(({ id }) => id !== moved.id)
      const getRank = (role: (typeof roles)[number]) => changes.get(role.id) ?? role.rank
      for (const [id, rank] of changes) {
        expect(roles.find((role) => role.id === id)?.rank).toBeLessThan(actor.rank)
        expect(rank).toBeGreaterThan(0)
        expect(rank).toBeLessThan(actor.rank)
      }
      for (const [index, role] of others.entries()) {
        const next = others[index + 1]
        if (next) expect(Math.sign(getRank(role) - getRank(next))).toBe(Math.sign(role.rank - next.rank))
      }
      const [above, below] = [others[position - 1], others[position]]
      if (above) expect(getRank(above)).toBeGreaterThanOrEqual(getRank(moved))
      if (below) expect(getRank(below)).toBeLessThanOrEqual(getRank(moved))
    }
  })
})
