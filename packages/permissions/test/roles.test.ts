import { describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { getRolePermissions } from '../src/model.ts'
import { groupByCombination } from '../src/role-combinations.ts'

const rows = (account_id: string, ...roleIds: string[]) => roleIds.map((role_id) => ({ account_id, role_id }))

describe('combinations of roles', () => {
  test('are counted by member, most members first', () => {
    expect(
      groupByCombination([
        ...rows('a', 'helper'),
        ...rows('b', 'helper', 'trainer'),
        ...rows('c', 'helper', 'trainer'),
        ...rows('d', 'trainer'),
        ...rows('e', 'helper', 'trainer'),
      ]),
    ).toEqual([
      { roleIds: ['helper', 'trainer'], members: 3 },
      { roleIds: ['helper'], members: 1 },
      { roleIds: ['trainer'], members: 1 },
    ])
  })

  test('are empty without roles', () => {
    expect(groupByCombination([])).toEqual([])
  })
})

describe('the permissions of a role', () => {
  const row = {
    workspace_id: 'w',
    id: 'r',
    name: 'Helper',
    name_key: 'helper',
    color: null,
    rank: 1,
    permissions: '["moderation.view"]',
    limits: null,
    is_owner: 0,
    second_factor_since: null,
    created_at: 0,
    updated_at: 0,
    version: 1,
  }

  test('are those that are stored', () => {
    expect(getRolePermissions(row)).toEqual(['moderation.view'])
  })

  test('of the owner are all permissions, including those of later releases', () => {
    expect(getRolePermissions({ ...row, is_owner: 1 })).toEqual(permissions)
  })
})
