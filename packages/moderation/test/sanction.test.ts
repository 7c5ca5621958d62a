import { describe, expect, test } from 'bun:test'
import { type Actor, type AppError, anonymousActor, type Permission, wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import fc from 'fast-check'
import {
  assertCanChangeExpiry,
  assertCanLift,
  computeExpiry,
  getStatus,
  hasExpired,
  isInForce,
  type Sanction,
} from '../src/records/sanction.ts'

const time = fc.integer({ min: 0, max: wire.MAX_TIME })
const nullableTime = fc.option(time)
const ended = fc.constantFrom<RecordTable['ended']>(null, 'revoked', 'superseded', 'expired')

describe('the status of a record', () => {
  test('is expired from the millisecond of `expires_at`, and active before it', () => {
    fc.assert(
      fc.property(nullableTime, time, (expires_at, now) => {
        const expired = expires_at !== null && expires_at <= now
        expect(hasExpired({ expires_at }, now)).toBe(expired)
        expect(getStatus({ ended: null, expires_at }, now)).toBe(expired ? 'expired' : 'active')
      }),
    )
  })

  test('does not change with time once the record has ended', () => {
    fc.assert(
      fc.property(ended, nullableTime, time, time, (endedAs, expires_at, now, later) => {
        fc.pre(endedAs !== null)
        const row = { ended: endedAs, expires_at }
        expect(getStatus(row, now)).toBe(getStatus(row, later))
      }),
    )
  })

  test('of a sanction in force is active', () => {
    fc.assert(
      fc.property(nullableTime, time, fc.constantFrom(0, 1), (expires_at, now, in_force) => {
        const row = { ended: null, expires_at, in_force }
        if (isInForce(row, now)) expect(getStatus(row, now)).toBe('active')
      }),
    )
  })

  test('that is superseded or revoked is not in force, whatever its expiry', () => {
    for (const endedAs of ['superseded', 'revoked'] as const) {
      expect(isInForce({ ended: endedAs, in_force: 0, expires_at: null }, 0)).toBe(false)
    }
  })
})

describe('the expiry of a sanction', () => {
  test('is a valid wire time for every duration that a request can set', () => {
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: wire.MAX_DURATION_SECONDS }), (from, seconds) => {
        const expiry = computeExpiry(from, seconds) as number
        expect(wire.time.read(wire.time.write(expiry))).toBe(expiry)
        expect(expiry).toBe(Math.min(from + seconds * 1000, wire.MAX_TIME))
      }),
    )
  })

  test('is null without a duration', () => expect(computeExpiry(0, null)).toBeNull())

  test('is exact to the millisecond: 60 seconds from creation', () => {
    const row = { ended: null, in_force: 1, expires_at: computeExpiry(1_000, 60) }
    expect([isInForce(row, 60_999), isInForce(row, 61_000)]).toEqual([true, false])
  })

  const requiredPermission = (check: (actor: Actor) => void, permissions: Permission[]) => {
    try {
      check({ ...anonymousActor, permissions: new Set(permissions) })
      return 'allowed'
    } catch (error) {
      return (error as AppError).options.permission
    }
  }

  test('can be moved earlier only with the permission to lift, and later only with the one to impose', () => {
    const outcome = (permissions: Permission[], from: number | null, to: number | null) =>
      requiredPermission(
        (actor) => assertCanChangeExpiry(actor, { action: 'ban', expires_at: from } as Sanction, to),
        permissions,
      )
    fc.assert(
      fc.property(nullableTime, nullableTime, (from, to) => {
        const [before, after] = [from ?? Number.POSITIVE_INFINITY, to ?? Number.POSITIVE_INFINITY]
        expect(outcome(['moderation.unban'], from, to)).toBe(after > before ? 'moderation.ban' : 'allowed')
        expect(outcome(['moderation.ban'], from, to)).toBe(after < before ? 'moderation.unban' : 'allowed')
        expect(outcome([], from, from)).toBe('allowed')
      }),
    )
  })

  test('needs separate permissions for a ban, and one for a mute', () => {
    const lift = (action: Sanction['action'], permissions: Permission[]) =>
      requiredPermission((actor) => assertCanLift(actor, { action } as Sanction), permissions)
    expect(lift('ban', ['moderation.ban'])).toBe('moderation.unban')
    expect(lift('ban', ['moderation.unban'])).toBe('allowed')
    expect(lift('mute', ['moderation.mute'])).toBe('allowed')
  })
})
