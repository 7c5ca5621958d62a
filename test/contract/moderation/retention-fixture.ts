import { expect } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { applyRetention, compareRecords, type RecordDifference } from '@reeve/moderation'
import type { Instance } from '../../support/instance.ts'
import { openModerationFixture } from './fixture.ts'

export const DAY = 86_400_000

/** Noon of a day, so that a run has a midnight before it and one after it. */
export const NOON = Date.UTC(2026, 1, 1, 12)

/** A workspace with retention rules. */
export async function openRetention(instance: Instance, rules: object = {}) {
  const fixture = await openModerationFixture(instance)
  const { id: workspaceId, key } = fixture
  const configure = (body: object, options: object = {}) =>
    instance.request('POST', '/api/moderation/retention', { key, body: { workspaceId, ...body }, ...options })
  const read = async (path: string, query: Record<string, string> = {}) =>
    (
      await instance.request('GET', `${path}?${new URLSearchParams({ workspaceId, ...query })}`, {
        session: await instance.session(fixture.ownerId),
      })
    ).body
  if (Object.keys(rules).length > 0) expect((await configure(rules)).status).toBe(200)
  return {
    ...fixture,
    workspaceId,
    configure,
    read,
    preview: async (query: Record<string, string>) =>
      (await read('/api/moderation/retention/preview', query)).due,
    /** The case numbers that are left, lowest first. */
    listCases: async (): Promise<string[]> =>
      (await read('/api/moderation', { limit: '200' })).records
        .map(({ caseNumber }: { caseNumber: string }) => caseNumber)
        .toReversed(),
    readAudit: async (action: string) =>
      (await read('/portal/api/audit', { action, limit: '100' })).entries.map(
        (entry: { changes: object }) => ({ ...entry, ...entry.changes }),
      ),
  }
}

/** Moves the clock, and runs the job. */
export async function runAfter(
  { db, ports, clock }: Instance,
  days: number,
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<void> {
  clock.advance(days * DAY)
  await applyRetention(db, ports, signal)
}

/** Expects that the audit log is intact and describes every record. */
export async function expectConsistentLog({ db, ports }: Instance): Promise<void> {
  const differences: RecordDifference[] = []
  await compareRecords(db.read, { onDifference: (difference) => differences.push(difference) })
  expect(differences).toEqual([])
  expect((await verifyAudit(db.read, ports)).faults).toEqual([])
}
