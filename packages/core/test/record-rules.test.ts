import { describe, expect, test } from 'bun:test'
import {
  CREATE_PERMISSIONS,
  DEFAULT_SEVERITY,
  expiryChangePermission,
  isRecordAction,
  isSanctionKind,
  LIFT_PERMISSIONS,
  recordActions,
  severities,
} from '../src/index.ts'

test('every record action has a permission and a default severity', () => {
  for (const action of recordActions) {
    expect(CREATE_PERMISSIONS[action]).toBe(`moderation.${action}`)
    expect(severities).toContain(DEFAULT_SEVERITY[action])
  }
})

test('bans and mutes are sanctions; nothing else is', () => {
  expect(recordActions.filter(isSanctionKind)).toEqual(['ban', 'mute'])
  expect(isSanctionKind('unban')).toBe(false)
})

test('only actions that create a record are record actions', () => {
  expect(['ban', 'note', 'unban', 'edit', 'toString', ''].filter(isRecordAction)).toEqual(['ban', 'note'])
})

test('lifting a ban requires a different permission from banning; muting and unmuting require the same one', () => {
  expect(LIFT_PERMISSIONS.ban).not.toBe(CREATE_PERMISSIONS.ban)
  expect(LIFT_PERMISSIONS.mute).toBe(CREATE_PERMISSIONS.mute)
})

describe('moving the expiry of a ban', () => {
  test('to an earlier time needs the permission to lift it', () => {
    expect(expiryChangePermission('ban', 2000, 1000)).toBe('moderation.unban')
    expect(expiryChangePermission('ban', null, 1000)).toBe('moderation.unban')
  })

  test('to a later time needs the permission to ban', () => {
    expect(expiryChangePermission('ban', 1000, 2000)).toBe('moderation.ban')
    expect(expiryChangePermission('ban', 1000, null)).toBe('moderation.ban')
  })

  test('to the same time needs no permission', () => {
    expect(expiryChangePermission('ban', 1000, 1000)).toBeNull()
    expect(expiryChangePermission('ban', null, null)).toBeNull()
  })
})
