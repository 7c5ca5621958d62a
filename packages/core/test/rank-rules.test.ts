import { describe, expect, test } from 'bun:test'
import {
  assertCanGrant,
  assertCanManage,
  assertOutranks,
  canManageApiKey,
  findManageObstacle,
  findUngrantable,
  maxAssignableRank,
  OWNER_RANK,
  outranks,
  type Permission,
} from '../src/index.ts'

const owner = { rank: OWNER_RANK }
const moderator = { rank: 100, permissions: new Set<Permission>(['moderation.view', 'moderation.warn']) }

describe('rank', () => {
  test('an actor outranks lower ranks, not their own', () => {
    expect([99, 100, 101].map((rank) => outranks(moderator, rank))).toEqual([true, false, false])
    expect(() => assertOutranks(moderator, 99)).not.toThrow()
    expect(() => assertOutranks(moderator, 100)).toThrow('higher rank')
  })

  test('the highest assignable rank is below the actor’s own and below the owner’s', () => {
    expect(maxAssignableRank(moderator)).toBe(99)
    expect(maxAssignableRank(owner)).toBe(OWNER_RANK - 1)
    expect(maxAssignableRank({ rank: OWNER_RANK + 5 })).toBe(OWNER_RANK - 1)
    expect(maxAssignableRank({ rank: 1 })).toBe(0)
  })

  test('an API key of the actor’s own rank can be managed, a higher one cannot', () => {
    expect([99, 100, 101].map((rank) => canManageApiKey(moderator, { rank }))).toEqual([true, true, false])
  })
})

describe('managing a role or member', () => {
  test('of a lower rank is allowed', () => {
    expect(findManageObstacle(moderator, { rank: 99, isOwner: false })).toBeNull()
    expect(() => assertCanManage(moderator, { rank: 99, isOwner: false }, '')).not.toThrow()
  })

  test('of an equal rank is forbidden', () => {
    const target = { rank: 100, isOwner: false }
    expect(findManageObstacle(moderator, target)).toBe('rank')
    expect(() => assertCanManage(moderator, target, '')).toThrow(
      expect.objectContaining({ code: 'forbidden', options: { reason: 'insufficient_rank' } }),
    )
  })

  test('of the owner is forbidden to everybody else, and a conflict for the owner', () => {
    const target = { rank: OWNER_RANK, isOwner: true }
    expect(findManageObstacle(owner, target)).toBe('owner')
    expect(() => assertCanManage(moderator, target, 'unused')).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    )
    expect(() => assertCanManage(owner, target, 'The owner stays.')).toThrow(
      expect.objectContaining({ code: 'conflict', message: 'The owner stays.' }),
    )
  })
})

test('only permissions that the actor has can be granted', () => {
  expect(findUngrantable(moderator, ['moderation.warn', 'moderation.ban', 'audit.view'])).toEqual([
    'moderation.ban',
    'audit.view',
  ])
  expect(() => assertCanGrant(moderator, ['moderation.warn'])).not.toThrow()
  expect(() => assertCanGrant(moderator, ['moderation.warn', 'moderation.ban'])).toThrow(
    'Missing permission: moderation.ban.',
  )
})
