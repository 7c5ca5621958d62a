import { describe, expect, test } from 'bun:test'
import { AppError, OWNER_RANK, type Permission, permissions, UNLIMITED } from '@reeve/core'
import { assertCanAssignRoles } from '../src/assign.ts'
import { roleIds } from '../src/model.ts'

const role = (rank: number, names: readonly Permission[] = [], isOwner = 0) => ({
  rank,
  permissions: JSON.stringify(names),
  is_owner: isOwner,
  limits: null,
  name: 'Role',
})
const grantor = (rank: number, names: readonly Permission[] = permissions) => ({
  rank,
  permissions: new Set(names),
  limits: UNLIMITED,
})

/** The error code and reason of a rejected assignment; null if it is allowed. */
function findRefusal(...args: Parameters<typeof assertCanAssignRoles>) {
  try {
    assertCanAssignRoles(...args)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.options.reason ?? error.code
  }
}

describe('assigning roles', () => {
  test('is allowed below the rank of the grantor, with permissions that the grantor has', () => {
    const roles = [role(9), role(5, ['moderation.view'])]
    expect(findRefusal(grantor(10, ['moderation.view']), roles)).toBeNull()
    expect(findRefusal(grantor(10, []), [])).toBeNull()
  })

  test('is rejected at the rank of the grantor and above', () => {
    for (const rank of [10, 11]) expect(findRefusal(grantor(10), [role(rank)])).toBe('insufficient_rank')
  })

  test('is rejected if the grantor lacks a permission of one of the roles', () => {
    const roles = [role(1, ['moderation.view']), role(2, ['moderation.ban'])]
    expect(findRefusal(grantor(10, ['moderation.view']), roles)).toBe('missing_permission')
  })

  test('is rejected for the owner role: with a conflict for the owner, and by rank for others', () => {
    const ownerRole = role(OWNER_RANK, permissions, 1)
    expect(findRefusal(grantor(OWNER_RANK), [ownerRole])).toBe('conflict')
    expect(findRefusal(grantor(OWNER_RANK - 1), [ownerRole])).toBe('insufficient_rank')
  })
})

test('role ids are separated by commas, unique, and may be none', () => {
  const [first, second] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002']
  expect(roleIds.read(`${first},${second},${first},`)).toEqual([first, second])
  expect(roleIds.read(' ')).toEqual([])
})
