import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { exceedsSeverity, HOUR_MS, needsEvidence, parseLimits, type Severity } from '@reeve/core'
import fc from 'fast-check'
import { usePostgres } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import type { Fields } from './fixture.ts'
import { DAY, HOUR, openLimitsFixture, summarize } from './limits-fixture.ts'

/** Two processes where the engine allows that. */
let processes: Instance[]
let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
  const { storage, clock } = instance
  processes = usePostgres ? [instance, await openInstance({ storage, clock })] : [instance]
}, 60_000)
afterAll(async () => {
  for (const open of processes.slice(1)) await open.db.close()
  await instance.close()
})

const MANY = 64
const LIMITS = {
  longestBanSeconds: DAY,
  longestMuteSeconds: HOUR,
  highestSeverity: 'high',
  bansPerHour: 5,
  evidenceFromSeverity: 'high',
  permanentBansNeedApproval: true,
} as const
const EVIDENCE = 'https://example.com/clip'

/** A limited person with a session and an API key, who can be at several processes at once. */
async function openLimitedPerson() {
  const fixture = await openLimitsFixture(instance)
  const more = ['moderation.approve', 'api_keys.manage'] as const
  const { session, accountId } = await fixture.staff(LIMITS, more)
  const permissions = 'moderation.ban,moderation.unban,moderation.edit,moderation.mute,moderation.approve'
  const created = await fixture.portal('POST', 'api-keys', { name: 'Own', permissions }, session)
  const credentials = [{ session }, { key: created.body.secret as string }] as const
  const send = (number: number, path: string, body: Fields) =>
    (processes[number % processes.length] ?? instance).request('POST', path, {
      ...credentials[Math.floor(number / processes.length) % 2],
      body: { workspaceId: fixture.id, ...body },
    })
  const act = (number: number, body: Fields) =>
    send(number, '/api/moderation', { ...('userId' in body && { reason: 'x' }), ...body })
  return { fixture, accountId, send, act }
}

const numbers = Array.from({ length: MANY }, (_, number) => number)

describe('at once, with a session and a key', () => {
  test('as many bans succeed as the hour allows, and no more', async () => {
    const { act } = await openLimitedPerson()
    const ban = (number: number) =>
      act(number, { action: 'ban', userId: String(number), durationSeconds: 60, evidence: EVIDENCE })
    const outcomes = (await Promise.all(numbers.map(ban))).map(summarize)
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(LIMITS.bansPerHour)
    const refused = outcomes.filter((outcome) => outcome !== 200)
    expect(new Set(refused.map(String))).toEqual(new Set(['403,over_limit,bansPerHour']))
  })

  test('one request for approval is made and decided once, and never by the person who made it', async () => {
    const { act, send, fixture } = await openLimitedPerson()
    const permanent = { action: 'ban', userId: '1', evidence: EVIDENCE }
    const requested = await Promise.all(numbers.map((number) => act(number, permanent)))
    const approvals = requested.flatMap(({ body }) => body.approval ?? [])
    expect(approvals).toHaveLength(1)
    const { id } = approvals[0]
    const decisions = await Promise.all(
      numbers.map((number) =>
        number % 4 === 3
          ? fixture.decide(id, { action: number % 8 === 3 ? 'approve' : 'reject', reason: 'x' })
          : send(number, '/api/moderation/approvals', { id, action: 'approve' }),
      ),
    )
    const successful = decisions.filter(({ status }) => status === 200)
    expect(successful).toHaveLength(1)
    expect(successful[0]?.body.approval.decidedBy).toBe(fixture.ownerId)
  })
})

interface BanState {
  readonly status: string
  readonly severity: Severity
  readonly evidence: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
}

const toEnd = ({ expiresAt }: Pick<BanState, 'expiresAt'>) =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)

const durations = ['permanent', 60, HOUR, DAY, DAY + 1, 30 * DAY, 400 * DAY]
const step = fc.record({
  action: fc.constantFrom(
    'ban',
    'ban',
    'mute',
    'warn',
    'edit',
    'edit',
    'extend',
    'unban',
    'revoke',
    'approve',
    'wait',
    'other',
  ),
  player: fc.integer({ min: 1, max: 3 }),
  duration: fc.constantFrom(...durations),
  severity: fc.constantFrom(undefined, 'low', 'medium', 'high', 'critical'),
  evidence: fc.constantFrom(undefined, '', EVIDENCE),
  number: fc.integer({ min: 0, max: 3 }),
})

const RUNS = Number(process.env.REEVE_PROPERTY_RUNS ?? 12)

test('no sequence of actions of a limited person exceeds a limit', async () => {
  const limits = parseLimits(JSON.stringify(LIMITS))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const { fixture, act, send, accountId } = await openLimitedPerson()
      const bannedAt: number[] = []
      const ids: string[] = []
      for (const { action, player, duration, severity, evidence, number } of steps) {
        const userId = String(player)
        const fields = { ...(severity && { severity }), ...(evidence !== undefined && { evidence }) }
        if (action === 'wait') {
          instance.clock.advance(HOUR_MS / 4)
          continue
        }
        // Somebody without limits changes what the limited person meets.
        if (action === 'other') {
          const { body } = await fixture.act({
            action: 'ban',
            userId,
            reason: 'x',
            durationSeconds: duration,
          })
          if (body.record) ids.push(body.record.id)
          continue
        }
        if (action === 'approve') {
          for (const { id } of (await fixture.approvals({ state: 'pending' })).approvals)
            expect((await send(number, '/api/moderation/approvals', { id, action: 'approve' })).status).toBe(
              403,
            )
          continue
        }
        const existing: BanState[] = await fixture.listActiveBans(userId)
        const id = ids.at(player - 4)
        const body: Fields | null = ['ban', 'mute', 'warn', 'unban'].includes(action)
          ? {
              action,
              userId,
              ...(action !== 'unban' && fields),
              ...(['ban', 'mute'].includes(action) && { durationSeconds: duration }),
            }
          : id === undefined
            ? null
            : action === 'edit'
              ? { action, id, ...fields, ...(number % 2 === 0 && { durationSeconds: duration }) }
              : action === 'extend'
                ? { action, id, value: String(duration === 'permanent' ? HOUR : duration) }
                : { action, id, reason: 'x' }
        if (body === null) continue
        const before: BanState | null = 'id' in body ? await getState(String(body.id)) : null
        const response = await act(number, body)
        if (response.status !== 200) continue
        const record = response.body.record
        if (!before) ids.push(record.id)
        if (action === 'ban') bannedAt.push(instance.clock.now())
        assertWithinLimits(record, before, existing, action)
      }
      for (const at of bannedAt)
        expect(bannedAt.filter((other) => other >= at && other < at + HOUR_MS).length).toBeLessThanOrEqual(
          LIMITS.bansPerHour,
        )
      const { approvals } = await fixture.approvals({ state: 'approved' })
      expect(approvals.filter(({ decidedBy }: Fields) => decidedBy === accountId)).toEqual([])

      async function getState(id: string): Promise<BanState> {
        return (await fixture.getRecord(id)).record
      }
    }),
    { numRuns: RUNS },
  )

  function assertWithinLimits(
    record: BanState & { action: string },
    before: BanState | null,
    existing: readonly BanState[],
    action: string,
  ) {
    if (action === 'unban' || action === 'revoke') return
    const longest = record.action === 'mute' ? LIMITS.longestMuteSeconds : LIMITS.longestBanSeconds
    const isSanction = record.action === 'ban' || record.action === 'mute'
    const allowedEnd = Math.max(
      Date.parse(record.createdAt) + longest * 1000,
      ...(before ? [toEnd(before)] : []),
      // A request for approval never shortens the ban that it replaces.
      ...existing.filter(() => record.action === 'ban').map((ban) => toEnd(ban) + 999),
    )
    if (isSanction) expect(toEnd(record)).toBeLessThanOrEqual(allowedEnd)
    const isChanged =
      before === null ||
      before.severity !== record.severity ||
      String(before.evidence) !== String(record.evidence)
    if (!isChanged) return
    if (before?.severity !== record.severity)
      expect(exceedsSeverity(record.severity, limits.highestSeverity)).toBe(false)
    if (needsEvidence(limits, record.severity)) expect(record.evidence).not.toEqual([])
  }
}, 60_000)
