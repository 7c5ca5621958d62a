import { appendAuditEntry } from '@reeve/audit'
import { type Actor, assertSetsField, assertVersion, type ExpectedVersions, type Ports } from '@reeve/core'
import {
  isSameRow,
  type Queries,
  type RetentionTable,
  statement,
  type Transaction,
  upsertAll,
} from '@reeve/db'
import { findNextRun, toDay } from './due.ts'
import { presentRetention, presentRules, type RetentionInput } from './model.ts'
import { startRuns } from './run-store.ts'

const retentionByWorkspace = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('retention').selectAll().where('workspace_id', '=', p.workspaceId),
)
const upsertRetention = statement<RetentionTable>()((sql, p) =>
  upsertAll(sql, 'retention', p, ['workspace_id']),
)

/** The rules of a workspace that has set none. */
const toDefaultRules = (workspaceId: string): RetentionTable => ({
  workspace_id: workspaceId,
  note_days: null,
  warn_days: null,
  kick_days: null,
  mute_days: null,
  ban_days: null,
  updated_at: 0,
  version: 1,
})

/** After how many days a workspace deletes records. */
export const loadRetention = async (db: Queries, workspaceId: string): Promise<RetentionTable> =>
  (await db.first(retentionByWorkspace, { workspaceId })) ?? toDefaultRules(workspaceId)

/** Reads the rules of the actor's workspace. */
export async function readRetention(db: Queries, ports: Pick<Ports, 'now'>, { workspaceId }: Actor) {
  return { retention: presentRetention(await loadRetention(db, workspaceId), findNextRun(ports.now())) }
}

/**
 * Changes the rules. They apply from the next midnight in UTC on.
 * @throws AppError `invalid_request`, `version_mismatch`
 */
export async function changeRetention(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: RetentionInput & { readonly ifMatch: ExpectedVersions },
) {
  assertSetsField(input, ['noteDays', 'warnDays', 'kickDays', 'muteDays', 'banDays'])
  const { workspaceId } = actor
  const before = await loadRetention(tx, workspaceId)
  assertVersion(before, input.ifMatch)
  const { noteDays, warnDays, kickDays, muteDays, banDays } = input
  const after: RetentionTable = {
    ...before,
    ...(noteDays !== undefined && { note_days: noteDays }),
    ...(warnDays !== undefined && { warn_days: warnDays }),
    ...(kickDays !== undefined && { kick_days: kickDays }),
    ...(muteDays !== undefined && { mute_days: muteDays }),
    ...(banDays !== undefined && { ban_days: banDays }),
  }
  const now = ports.now()
  const nextRunAt = findNextRun(now)
  if (isSameRow(before, after)) return { retention: presentRetention(before, nextRunAt) }
  const row = { ...after, updated_at: now, version: before.version + 1 }
  await tx.run(upsertRetention, row)
  await startRuns(tx, workspaceId, toDay(now), now)
  await appendAuditEntry(tx, ports, actor, {
    action: 'retention.configure',
    target: { kind: 'retention', id: workspaceId },
    before: presentRules(before),
    after: presentRules(row),
  })
  tx.announce({ kind: 'retention', workspaceId, id: workspaceId })
  return { retention: presentRetention(row, nextRunAt) }
}
