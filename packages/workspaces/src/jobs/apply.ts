import { beginEpoch } from '@reeve/audit'
import {
  createTimeSlicer,
  type EventTable,
  type RecordIds,
  statement,
  type Transaction,
  upsertAll,
  type WorkspaceJobRowTable,
} from '@reeve/db'
import { content } from '../archive/content.ts'
import { insertRow } from '../archive/content-statements.ts'
import { applyAppealMessages, applyAppeals } from './apply-appeals.ts'
import { applyRecords } from './apply-records.ts'
import type { RunStep } from './job-context.ts'
import { replaceTablesWithManyRows } from './replace-rows.ts'
import {
  type ApplyRows,
  deleteStagedRows,
  lastStagedNumber,
  parseData,
  SANCTIONS_KIND,
  stagedRows,
  toTargetId,
} from './staged-rows.ts'

const deleteEvents = statement<RecordIds>()((sql, p, dialect) =>
  sql.deleteFrom('event').where('workspace_id', '=', p.workspaceId).where(dialect.inList('id', p.ids)),
)

const upsertEvent = statement<EventTable>()((sql, p) => upsertAll(sql, 'event', p, ['workspace_id', 'id']))

/** How many changes are applied in a transaction. A record has a dozen index entries, a version one. */
const batches: readonly { kind: string; limit: number; apply: ApplyRows }[] = [
  { kind: SANCTIONS_KIND, limit: 24, apply: applyRecords },
  { kind: content.record.kind, limit: 24, apply: applyRecords },
  { kind: content.record_version.kind, limit: 100, apply: applyVersions },
  { kind: content.appeal.kind, limit: 50, apply: applyAppeals },
  { kind: content.appeal_message.kind, limit: 100, apply: applyAppealMessages },
  { kind: content.event.kind, limit: 50, apply: applyEvents },
]

/**
 * Applies the changes to records, appeals and events, and replaces the tables with many rows. All sanctions of a player that change do so in one transaction, so that a ban check
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
        await apply(tx, key.workspaceId, batch, context.ports.now())
        await tx.run(deleteStagedRows, { ...key, numbers: batch.map(({ number }) => number) })
      })
    }
  }
  // After the records that their rows are about.
  await replaceTablesWithManyRows(context, (inserted) => {
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
