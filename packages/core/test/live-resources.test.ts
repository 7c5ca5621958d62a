import { expect, test } from 'bun:test'
import { canReceive, liveResources, type Permission } from '../src/index.ts'

const memberWith = (...permissions: Permission[]) => ({ permissions: new Set(permissions) })

test('a member without permissions only learns of changes of the workspace', () => {
  expect(liveResources.filter((resource) => canReceive(memberWith(), resource, false))).toEqual([
    'workspaces',
  ])
})

test('a permission to read a resource is enough to learn of its changes', () => {
  expect(canReceive(memberWith('moderation.view'), 'moderation', false)).toBe(true)
  expect(canReceive(memberWith('moderation.view'), 'events', false)).toBe(false)
})

test('changes of drafts reach only those who can edit events', () => {
  expect(canReceive(memberWith('events.view'), 'events', true)).toBe(false)
  expect(canReceive(memberWith('events.view', 'events.manage'), 'events', true)).toBe(true)
})
