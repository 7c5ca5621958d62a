import { getClosingTime, getUndecidedState } from '@reeve/core'
import {
  type AppealTable,
  countAppealedBan,
  createTimeSlicer,
  type RecordIds,
  type RecordTable,
  statement,
  stopWaiting,
  type Transaction,
  updateAppealExpiry,
} from '@reeve/db'
import { insertRow } from '../archive/content-statements.ts'
import { selectWithAppeal } from '../archive/existing-appeals.ts'
import { type ApplyRows, parseData } from './staged-rows.ts'

const openAppeals = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal')
    .select(['id', 'record_id', 'ban_expires_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids))
    .where('closed_at', 'is', null),
)
const appealsOfRecords = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids)),
)
const closeAppeal = statement<
  Pick<AppealTable, 'id' | 'state'> & { workspaceId: string; closedAt: number; now: number }
>()((sql, p) =>
  sql
    .updateTable('appeal')
    .set((eb) => ({
      state: p.state,
      closed_at: p.closedAt,
      updated_at: p.now,
      version: eb('version', '+', 1),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** Forgets how long the appeals of records wait, before they are deleted with the records. */
export async function forgetAppeals(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  for (const { id } of await tx.all(appealsOfRecords, { workspaceId, ids }))
    await stopWaiting(tx, workspaceId, id)
}

/** Keeps open appeals in step with bans that have become those of an archive, like every other change of a ban. */
export async function followBans(
  tx: Transaction,
  workspaceId: string,
  bans: readonly Pick<RecordTable, 'id' | 'in_force' | 'ended' | 'expires_at'>[],
  now: number,
): Promise<void> {
  const banById = new Map(bans.map((ban) => [ban.id, ban]))
  for (const appeal of await tx.all(openAppeals, { workspaceId, ids: [...banById.keys()] })) {
    const { id, record_id, ban_expires_at } = appeal
    const ban = banById.get(record_id)
    if (!ban) continue
    if (ban.in_force === 1) await tx.run(updateAppealExpiry, { workspaceId, id, expiresAt: ban.expires_at })
    else
      await tx.run(closeAppeal, {
        workspaceId,
        id,
        state: getUndecidedState(ban.ended),
        closedAt: getClosingTime(ban_expires_at, now),
        now,
      })
  }
}

/** Inserts archived appeals. A ban that has an open one keeps that: there is at most one. */
export const applyAppeals: ApplyRows = async (tx, workspaceId, rows) => {
  const yieldIfDue = createTimeSlicer()
  for (const row of rows.map(parseData)) {
    const recordId = String(row.record_id)
    if (row.closed_at === null && (await tx.first(openAppeals, { workspaceId, ids: [recordId] }))) continue
    await tx.run(insertRow({ table: 'appeal' }), { ...row, workspace_id: workspaceId })
    await countAppealedBan(tx, workspaceId, recordId)
    await yieldIfDue()
  }
}

export const applyAppealMessages: ApplyRows = async (tx, workspaceId, rows) => {
  const yieldIfDue = createTimeSlicer()
  for (const row of await selectWithAppeal(tx, workspaceId, rows.map(parseData))) {
    await tx.run(insertRow({ table: 'appeal_message' }), { ...row, workspace_id: workspaceId })
    await yieldIfDue()
  }
}
