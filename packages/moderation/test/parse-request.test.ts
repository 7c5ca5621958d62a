import { describe, expect, test } from 'bun:test'
import { requestReader } from '@reeve/http'
import { actionNames } from '../src/records/actions.ts'
import { findRequiredPermission, isReadRequest, parseListQuery } from '../src/records/parse-request.ts'
import { ModerationQuery, ModerationRequest } from '../src/records/requests.ts'

const readFields = requestReader({ query: ModerationQuery, body: ModerationRequest })

/** What the gate requires for a POST: `read`, or the permission of a write. */
function decide(query: Record<string, string>, body: Record<string, unknown>) {
  const fields = readFields(query, body)
  return isReadRequest(fields) ? 'read' : findRequiredPermission(fields)
}

describe('the permission of a POST', () => {
  test('is that of a read for an empty body, and for a list without an action', () => {
    expect(decide({}, {})).toBe('read')
    expect(decide({ status: 'active' }, {})).toBe('read')
    for (const list of ['banList', 'banHistory']) {
      expect(decide({ [list]: 'true' }, { userId: '261' })).toBe('read')
      expect(decide({ [list]: 'false' }, { userId: '261' })).toBeNull()
    }
    expect(findRequiredPermission(readFields({}, {}))).toBe('moderation.view')
  })

  test('is that of the action, whatever else is invalid in the request', () => {
    for (const query of [{}, { banList: 'true' }, { limit: 'x' }]) {
      expect(decide(query, { action: 'perm_ban', userId: {}, colour: 'red' })).toBe('moderation.ban')
      expect(decide(query, { action: 'pardon' })).toBe('moderation.unban')
    }
    const unknownFields = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field${i}`, 'x']))
    expect(decide({}, { ...unknownFields, action: 'kick' })).toBe('moderation.kick')
    for (const action of actionNames) expect(decide({}, { action })).toStartWith('moderation.')
  })

  test('is undecided if the action is invalid, and such a request is never a read', () => {
    for (const action of ['', 'constructor', '__proto__', 'BAN', null, 7.5, {}]) {
      for (const query of [{}, { banList: 'true' }]) expect(decide(query, { action })).toBeNull()
    }
    for (const body of [{ userId: {} }, { colour: 'red' }, { reason: 'x' }])
      expect(decide({}, body)).toBeNull()
  })
})

describe('the list of a read', () => {
  test('is selected by the query, and filtered by query or body', () => {
    expect(parseListQuery({ banList: true }, { userId: ['1'] })).toMatchObject({
      list: 'bans',
      userIds: ['1'],
    })
    expect(parseListQuery({ banHistory: true, userId: ['2'] }, { userId: ['1'] })).toMatchObject({
      list: 'history',
      userIds: ['2'],
    })
    expect(parseListQuery({ severity: 'low' })).toMatchObject({ list: 'records', severity: 'low' })
  })

  test('is one list, and has no field that only a write uses', () => {
    expect(() => parseListQuery({ banList: true, banHistory: true })).toThrow()
    expect(() => parseListQuery({ banList: true }, { reason: 'x' })).toThrow()
  })
})
