import { describe, expect, test } from 'bun:test'
import { OWNER_RANK, permissions } from '@reeve/core'
import { combineRoles } from '../src/gate/membership.ts'

const role = (rank: number, ...names: string[]) => ({
  permissions: JSON.stringify(names),
  rank,
  is_owner: 0,
  limits: null,
})

describe('the roles of a member', () => {
  test('add up to the union of their permissions and the highest rank', () => {
    const combined = combineRoles([
      role(10, 'moderation.view', 'moderation.ban'),
      role(30, 'moderation.view'),
      role(20),
    ])
    expect([...combined.permissions].sort()).toEqual(['moderation.ban', 'moderation.view'])
    expect(combined.rank).toBe(30)
  })

  test('give a member without a role no permission and rank 0', () => {
    const combined = combineRoles([{ permissions: null, rank: null, is_owner: null, limits: null }])
    expect([combined.permissions.size, combined.rank]).toEqual([0, 0])
  })

  test('give the owner every permission and the highest rank, whatever is stored', () => {
    const combined = combineRoles([role(10), { permissions: '[]', rank: 5, is_owner: 1, limits: null }])
    expect([...combined.permissions].sort()).toEqual([...permissions].sort())
    expect(combined.rank).toBe(OWNER_RANK)
  })
})
