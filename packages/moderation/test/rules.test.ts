import { describe, expect, test } from 'bun:test'
import { type Actor, AppError, anonymousActor, type Permission, wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { requestReader } from '@reeve/http'
import fc from 'fast-check'
import { actionFields, actionNames, getActionFields, resolveAction } from '../src/records/actions.ts'
import { evidenceLines } from '../src/records/codecs.ts'
import { type ModerationInput, ModerationQuery, ModerationRequest } from '../src/records/model.ts'
import { parseChange } from '../src/records/parse-change.ts'
import { findRequiredPermission, isReadRequest } from '../src/records/parse-request.ts'
import {
  assertCanChangeExpiry,
  computeExpiry,
  getStatus,
  isInForce,
  type Sanction,
} from '../src/records/sanction.ts'

const time = fc.integer({ min: 0, max: wire.MAX_TIME })
const timeOrNull = fc.option(time)
const ended = fc.constantFrom<RecordTable['ended']>(null, 'revoked', 'superseded', 'expired')

describe('the status of a record', () => {
  test('is expired from the very millisecond of its end, and active until then', () => {
    fc.assert(
      fc.property(timeOrNull, time, (expires_at, now) => {
        const status = getStatus({ ended: null, expires_at }, now)
        expect(status).toBe(expires_at !== null && expires_at <= now ? 'expired' : 'active')
      }),
    )
  })

  test('once it has ended does not change with time', () => {
    fc.assert(
      fc.property(ended, timeOrNull, time, time, (endedAs, expires_at, now, later) => {
        fc.pre(endedAs !== null)
        const row = { ended: endedAs, expires_at }
        expect(getStatus(row, now)).toBe(getStatus(row, later))
      }),
    )
  })

  test('in force is always active', () => {
    fc.assert(
      fc.property(timeOrNull, time, fc.constantFrom(0, 1), (expires_at, now, in_force) => {
        const row = { ended: null, expires_at, in_force }
        if (isInForce(row, now)) expect(getStatus(row, now)).toBe('active')
      }),
    )
  })
})

describe('the end of a restraint', () => {
  test('is a time the wire can carry for every duration the wire accepts', () => {
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: wire.MAX_DURATION_SECONDS }), (from, seconds) => {
        const end = computeExpiry(from, seconds) as number
        expect(wire.time.read(wire.time.write(end))).toBe(end)
        expect(end).toBe(Math.min(from + seconds * 1000, wire.MAX_TIME))
      }),
    )
  })

  test('without a duration is never', () => expect(computeExpiry(0, null)).toBeNull())

  test('is brought nearer only by who may lift, and put off only by who may impose', () => {
    const outcome = (permissions: Permission[], from: number | null, to: number | null) => {
      const actor: Actor = { ...anonymousActor, permissions: new Set(permissions) }
      try {
        assertCanChangeExpiry(actor, { action: 'ban', expires_at: from } as Sanction, to)
        return 'allowed'
      } catch (error) {
        return (error as AppError).options.permission
      }
    }
    fc.assert(
      fc.property(timeOrNull, timeOrNull, (from, to) => {
        const [before, after] = [from ?? Number.POSITIVE_INFINITY, to ?? Number.POSITIVE_INFINITY]
        expect(outcome(['moderation.unban'], from, to)).toBe(after > before ? 'moderation.ban' : 'allowed')
        expect(outcome(['moderation.ban'], from, to)).toBe(after < before ? 'moderation.unban' : 'allowed')
        expect(outcome([], from, from)).toBe('allowed')
      }),
    )
  })
})

/** Values as the fields of a request arrive in a handler. */
const values: Required<Pick<ModerationInput, (typeof actionFields)[number]>> = {
  userId: ['261'],
  userUsername: 'Builderman',
  reason: 'Exploiting',
  severity: 'low',
  durationSeconds: 60,
  evidence: ['https://example.com/clip'],
  id: '0198c0de-0000-7000-8000-000000000001',
  value: '60',
}
const someFields = fc.subarray([...actionFields])
const actionName = fc.constantFrom(...actionNames)
const apiKeyActor: Actor = { ...anonymousActor, kind: 'api_key', id: 'key' }

describe('a write', () => {
  test('has every field it sent used, or is refused with the names of those that are not', () => {
    fc.assert(
      fc.property(actionName, someFields, (action, fields) => {
        const requestBody = Object.fromEntries(
          fields.map((field) => [field, values[field]]),
        ) as ModerationInput
        const unused = fields.filter((field) => !getActionFields(resolveAction(action)).has(field))
        try {
          const change = parseChange(apiKeyActor, {}, { ...requestBody, action }, null)
          expect(unused).toEqual([])
          for (const field of fields) expect(change).toHaveProperty(field)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const reportedFields = (error.options.details ?? []).map(({ field }) => field)
          for (const field of unused) expect(reportedFields).toContain(field)
        }
      }),
    )
  })

  test('requires a permission under every name of its action', () => {
    for (const action of actionNames) {
      expect(findRequiredPermission({ query: {}, body: { action } })).toStartWith('moderation.')
    }
  })
})

describe('the permission of a POST', () => {
  const readFields = requestReader({ query: ModerationQuery, body: ModerationRequest })
  const decide = (query: Record<string, string>, body: Record<string, unknown>) => {
    const fields = readFields(query, body)
    return isReadRequest(fields) ? 'read' : findRequiredPermission(fields)
  }

  test('is that of a view for an empty body, and for a list without an action', () => {
    expect(decide({}, {})).toBe('read')
    expect(decide({ status: 'active' }, {})).toBe('read')
    for (const list of ['banList', 'banHistory']) {
      expect(decide({ [list]: 'true' }, { userId: '261' })).toBe('read')
      expect(decide({ [list]: 'false' }, { userId: '261' })).toBeNull()
    }
    expect(findRequiredPermission(readFields({}, {}))).toBe('moderation.view')
  })

  test('is that of the action, whatever else is wrong with the request', () => {
    for (const query of [{}, { banList: 'true' }, { limit: 'x' }]) {
      expect(decide(query, { action: 'perm_ban', userId: {}, colour: 'red' })).toBe('moderation.ban')
      expect(decide(query, { action: 'pardon' })).toBe('moderation.unban')
    }
    const unknownFields = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field${i}`, 'x']))
    expect(decide({}, { ...unknownFields, action: 'kick' })).toBe('moderation.kick')
  })

  test('is undecided without an action that can be read, and such a request is never a read', () => {
    for (const action of ['', 'constructor', '__proto__', 'BAN', null, 7.5, {}]) {
      for (const query of [{}, { banList: 'true' }]) expect(decide(query, { action })).toBeNull()
    }
    for (const body of [{ userId: {} }, { colour: 'red' }, { reason: 'x' }])
      expect(decide({}, body)).toBeNull()
  })
})

describe('evidence', () => {
  test('is read back as it was written', () => {
    const item = fc.stringMatching(/^[A-Za-z0-9:/?&=.]{1,60}$/)
    fc.assert(
      fc.property(fc.array(item, { maxLength: 10 }), (items) => {
        expect(evidenceLines.read(evidenceLines.write(items))).toEqual(items)
      }),
    )
  })

  test('takes ten lines of two thousand characters and no more', () => {
    const line = '😀'.repeat(2000)
    expect(evidenceLines.read(`\r\n${Array(10).fill(line).join('\r\n')}\r\n`)).toHaveLength(10)
    expect(() => evidenceLines.read(Array(11).fill('x').join('\n'))).toThrow('at most 10 lines')
    expect(() => evidenceLines.read(`${line}x`)).toThrow('at most 2000 characters')
  })
})
