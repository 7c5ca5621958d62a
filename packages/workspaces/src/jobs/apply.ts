import { beginEpoch } from '@reeve/audit'
import {
  countRecordChange,
  createTimeSlicer,
  deleteRecords,
  deleteRecordVersions,
  type EventTable,
  type RecordIds,
  type RecordTable,
  statement,
  stopWaiting,
  type Transaction,
  updatePlayerNames,
  upsertAll,
  type WorkspaceJobRowTable,
} from '@reeve/db'
import { content } from '../archive/content.ts'
import { insertRow, type Row } from '../archive/content-statements.ts'
import type { RunStep } from './job-context.ts'
import { replaceSlicedTables } from './replace-rows.ts'
import { deleteStagedRows, lastStagedNumber, SANCTIONS_KIND, stagedRows } from './staged-rows.ts'

const recordNames = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select([
      ...['id', 'workspace_id', 'action', 'user_id', 'user_username', 'reason'],
      ...['actor_kind', 'actor_id', 'revoked_at', 'created_at'],
    ] as const)
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)
const releaseSanctions = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .updateTable('record')
    .set({ in_force: 0 })
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)
const deleteEvents = statement<RecordIds>()((sql, p, dialect) =>
  sql.deleteFrom('event').where('workspace_id', '=', p.workspaceId).where(dialect.inList('id', p.ids)),
)

const upsertRecord = statement<RecordTable>()((sql, p) => upsertAll(sql, 'record', p, ['workspace_id', 'id']))
const upsertEvent = statement<EventTable>()((sql, p) => upsertAll(sql, 'event', p, ['workspace_id', 'id']))

type ApplyRows = (
  tx: Transaction,
  workspaceId: string,
  rows: readonly WorkspaceJobRowTable[],
) => Promise<void>

/** How many changes are applied in a transaction. A record has a dozen index entries, a version one. */
const batches: readonly { kind: string; limit: number; apply: ApplyRows }[] = [
  { kind: SANCTIONS_KIND, limit: 24, apply: applyRecords },
  { kind: content.record.kind, limit: 24, apply: applyRecords },
  { kind: content.record_version.kind, limit: 100, apply: applyVersions },
  { kind: content.event.kind, limit: 50, apply: applyEvents },
]

/**
 * Applies the changes to records and events, and replaces the tables with many rows. All sanctions of a player that change do so in one transaction, so that a ban check
 * finds the player either as before or as in the archive, and never in between. Applied changes are deleted in the same
 * transaction, so the rest are those that are left after an interruption.
 */
export const applyChanges: RunStep = async (context) => {
  const { db, job } = context
  const key = { workspaceId: job.workspace_id, jobId: job.id }
  const last = await db.read.first(lastStagedNumber, key)
  const total = job.total || (last?.number ?? -1) + 1
  let { done } = job
  // Records change without entries in the audit log from now on. Another epoch begins when they have all changed.
  if (job.total === 0 && total > 0) await context.save({ total }, (tx) => beginEpoch(tx, key.workspaceId))
  for (const { kind, limit, apply } of batches) {
    for (;;) {
      const rows = await db.read.all(stagedRows, { ...key, kind, limit })
      if (rows.length === 0) break
      const batch = rows.length === limit ? dropIncompletePlayer(rows) : rows
      done += batch.length
      await context.save({ done, total }, async (tx) => {
        await apply(tx, key.workspaceId, batch)
        await tx.run(deleteStagedRows, { ...key, numbers: batch.map(({ number }) => number) })
      })
    }
  }
  // After the records that their rows are about.
  await replaceSlicedTables(context, (inserted) => {
    done += inserted
    return { done, total }
  })
  return null
}

/** Leaves out the last player, who may have more changes: at most a ban and a mute before and after the roll-back. */
function dropIncompletePlayer(rows: readonly WorkspaceJobRowTable[]): readonly WorkspaceJobRowTable[] {
  const lastPlayer = rows.at(-1)?.user_id ?? null
  return lastPlayer === null ? rows : rows.filter((row) => row.user_id !== lastPlayer)
}

const toTargetId = ({ target_id }: WorkspaceJobRowTable): string => String(target_id)
const parseData = ({ data }: WorkspaceJobRowTable): Row => JSON.parse(String(data))

async function applyRecords(
  tx: Transaction,
  workspaceId: string,
  rows: readonly WorkspaceJobRowTable[],
): Promise<void> {
  const yieldIfDue = createTimeSlicer()
  const ids = rows.map(toTargetId)
  const deletedIds = rows.filter(({ data }) => data === null).map(toTargetId)
  const restored = rows.filter(({ data }) => data !== null).map(parseData)
  const current = await tx.all(recordNames, { workspaceId, ids })
  // First, because a player has one ban and one mute in force at any time.
  await tx.run(releaseSanctions, { workspaceId, ids })
  // The archived ones follow.
  await tx.run(deleteRecordVersions, { workspaceId, ids })
  await tx.run(deleteRecords, { workspaceId, ids: deletedIds })
  for (const row of restored) {
    await tx.run(upsertRecord, { ...(row as unknown as RecordTable), workspace_id: workspaceId })
    await yieldIfDue()
  }
  const currentById = new Map(current.map((row) => [row.id, row]))
  const restoredById = new Map<unknown, Row>(restored.map((row) => [row.id, row]))
  for (const id of ids) {
    const before = currentById.get(id)
    const after = restoredById.get(id)
    const restoredRecord = after && { ...(after as unknown as RecordTable), workspace_id: workspaceId }
    await countRecordChange(tx, before ?? null, restoredRecord ?? null)
    if (!after) await stopWaiting(tx, workspaceId, id)
    const user_username = typeof after?.user_username === 'string' ? after.user_username : null
    const user_id = String(after?.user_id ?? before?.user_id)
    await updatePlayerNames(
      tx,
      { workspace_id: workspaceId, user_id, user_username },
      before?.user_username ?? null,
    )
    await yieldIfDue()
  }
}

async function applyVersions(
  tx: Transaction,
  workspaceId: string,
  rows: readonly WorkspaceJobRowTable[],
): Promise<void> {
  const yieldIfDue = createTimeSlicer()
  for (const row of rows) {
    await tx.run(insertRow({ table: 'record_version' }), { ...parseData(row), workspace_id: workspaceId })
    await yieldIfDue()
  }
}

async function applyEvents(
  tx: Transaction,
  workspaceId: string,
  rows: readonly WorkspaceJobRowTable[],
): Promise<void> {
  const yieldIfDue = createTimeSlicer()
  const ids = rows.filter(({ data }) => data === null).map(toTargetId)
  await tx.run(deleteEvents, { workspaceId, ids })
  for (const row of rows.filter(({ data }) => data !== null)) {
    await tx.run(upsertEvent, { ...(parseData(row) as unknown as EventTable), workspace_id: workspaceId })
    await yieldIfDue()
  }
}
