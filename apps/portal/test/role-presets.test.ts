import { describe, expect, test } from 'bun:test'
import { type Permission, permissionCatalog, permissions } from '@reeve/core'
import { presetsByPermission, rolePresets } from '../src/screens/roles/role-presets.ts'

const permissionsOf = (id: string): readonly Permission[] =>
  rolePresets.find((preset) => preset.id === id)?.permissions ?? []

describe('the role presets', () => {
  test('decide every permission, and no other', () => {
    expect(Object.keys(presetsByPermission).sort()).toEqual(Object.keys(permissionCatalog).sort())
  })

  test('grant what the table says, in the order of the catalog', () => {
    for (const { id, permissions: granted } of rolePresets) {
      expect(granted).toEqual(
        permissions.filter((permission) => presetsByPermission[permission].includes(id)),
      )
      expect(granted.length).toBeGreaterThan(0)
    }
  })

  test('let a senior moderator do everything that a moderator does, and an administrator everything that both do', () => {
    expect(permissionsOf('senior-moderator')).toEqual(expect.arrayContaining([...permissionsOf('moderator')]))
    for (const id of ['senior-moderator', 'event-host'])
      expect(permissionsOf('administrator')).toEqual(expect.arrayContaining([...permissionsOf(id)]))
  })

  test('let everyone who can change something view it', () => {
    for (const { permissions: granted } of rolePresets) {
      for (const permission of granted) {
        const view = `${permission.split('.')[0]}.view`
        if (view in permissionCatalog) expect<readonly string[]>(granted).toContain(view)
      }
    }
  })

  test('leave archiving, restoring and creating workspaces to the owner', () => {
    for (const permission of ['workspace.archive', 'workspace.restore', 'workspace.create'] as const)
      expect(presetsByPermission[permission]).toEqual([])
  })

  test('have different names, colors and ranks, and rank an administrator highest', () => {
    for (const field of ['name', 'color', 'rank'] as const)
      expect(new Set(rolePresets.map((preset) => preset[field])).size).toBe(rolePresets.length)
    const highest = rolePresets.toSorted((a, b) => b.rank - a.rank)[0]
    expect(highest?.id).toBe('administrator')
  })
})
