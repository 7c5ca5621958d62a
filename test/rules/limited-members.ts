import { expect } from 'bun:test'
import { HOUR_MS, severities } from '@reeve/core'
import fc from 'fast-check'
import type { Instance } from '../support/instance.ts'
import { type Operation, operation } from './limited-operations.ts'
import { LIMITS, MEMBER_PLAYER, openLimitedWorkspace, type RecordState } from './limited-workspace.ts'
import type { Property } from './property.ts'

const STEPS = 30

type Records = ReadonlyMap<string, RecordState>

const isSanction = ({ action }: RecordState): boolean => action === 'ban' || action === 'mute'
const isActive = (record: RecordState | undefined): boolean => record?.status === 'active'
const getEnd = (record: RecordState | undefined): number =>
  record === undefined
    ? Number.NEGATIVE_INFINITY
    : record.expiresAt === null
      ? Number.POSITIVE_INFINITY
      : Date.parse(record.expiresAt)
const lacksEvidence = ({ severity, evidenceCount, evidenceFileCount }: RecordState): boolean =>
  severities.indexOf(severity as never) >= severities.indexOf(LIMITS.evidenceFromSeverity) &&
  Number(evidenceCount) + Number(evidenceFileCount) === 0

/**
 * What the limited member has done beyond the limits, by comparing the records before and after: nothing may be beyond them but what was so
 * before, or is as the owner has left it.
 */
function findExcesses(before: Records, after: Records, leftByOwner: Records): string[] {
  const excesses: string[] = []
  const activeEnds = (record: RecordState) =>
    [...before.values()]
      .filter(
        ({ userId, action, status }) =>
          userId === record.userId && action === record.action && status === 'active',
      )
      .map(getEnd)
  for (const record of after.values()) {
    const { id, userId, action } = record
    const earlier = before.get(id)
    const left = leftByOwner.get(id)
    const allowedBefore = [earlier, left].filter((one) => one !== undefined)
    if (isSanction(record) && isActive(record)) {
      const seconds = action === 'ban' ? LIMITS.longestBanSeconds : LIMITS.longestMuteSeconds
      const limit = Date.parse(record.createdAt) + seconds * 1000
      const others = [...activeEnds(record), ...(isActive(left) ? [getEnd(left)] : [])]
      if (getEnd(record) > Math.max(limit, ...others)) excesses.push(`${action} ${id} is too long`)
      const wasActive = activeEnds(record)
      if (userId === MEMBER_PLAYER && getEnd(record) > Math.max(Number.NEGATIVE_INFINITY, ...wasActive))
        excesses.push(`${action} ${id} of a member is new or longer`)
    }
    if (record.severity === 'critical' && allowedBefore.every(({ severity }) => severity !== 'critical'))
      excesses.push(`${action} ${id} is too severe`)
    const isEvidenceOld = allowedBefore.some((one) => lacksEvidence(one) && one.severity === record.severity)
    if (lacksEvidence(record) && !isEvidenceOld) excesses.push(`${action} ${id} lacks evidence`)
  }
  return excesses
}

/**
 * Bans that the member has imposed, or brought back against the owner.
 * @param broughtBack gets those that the owner had left otherwise: who then reverses that and undoes the reversal bans nobody again
 */
const countNewBans = (
  before: Records,
  after: Records,
  leftByOwner: Records,
  broughtBack: Set<RecordState>,
): number =>
  [...after.values()].filter((record) => {
    if (record.action !== 'ban') return false
    const earlier = before.get(record.id)
    if (earlier === undefined) return true
    const left = leftByOwner.get(record.id)
    if (!isActive(record) || isActive(earlier) || left === undefined || isActive(left)) return false
    const isCounted = broughtBack.has(left)
    broughtBack.add(left)
    return !isCounted
  }).length

async function runHistory(instance: Instance, history: readonly Operation[], counts: Record<string, number>) {
  const workspace = await openLimitedWorkspace(instance)
  const read = async (): Promise<Records> =>
    new Map((await workspace.listRecords()).map((record) => [record.id, record]))
  const leftByOwner = new Map<string, RecordState>()
  const banTimes: number[] = []
  const broughtBack = new Set<RecordState>()
  for (const step of history) {
    // Sanctions expire meanwhile.
    instance.clock.advance(60_000)
    const before = await read()
    const response = await workspace.run(step)
    if (response === null) continue
    expect(response.status, response.text).toBeLessThan(500)
    const count = `${step.kind} ${response.status === 200 ? 'accepted' : 'refused'}`
    counts[count] = (counts[count] ?? 0) + 1
    const after = await read()
    if (step.kind.startsWith('owner')) {
      for (const [id, record] of after)
        if (JSON.stringify(record) !== JSON.stringify(before.get(id))) leftByOwner.set(id, record)
    } else {
      expect([step, findExcesses(before, after, leftByOwner)]).toEqual([step, []])
      const now = instance.clock.now()
      banTimes.push(...Array(countNewBans(before, after, leftByOwner, broughtBack)).fill(now))
      const recent = banTimes.filter((at) => at > now - HOUR_MS)
      expect([step, Math.max(recent.length, LIMITS.bansPerHour)]).toEqual([step, LIMITS.bansPerHour])
    }
  }
}

/** No sequence of requests of a member with limits exceeds them, whatever the owner does in between. */
export const limitedMembers: Property = {
  name: 'no sequence of what a member with limits does exceeds them',
  async check(instance, parameters) {
    const counts: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: STEPS, maxLength: STEPS }), (history) =>
        runHistory(instance, history, counts),
      ),
      parameters,
    )
    return counts
  },
}
