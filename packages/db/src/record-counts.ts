import { DAY_MS, LOWEST_ID } from '@reeve/core'
import type { Transaction } from './database.ts'
import { statement } from './statement.ts'
import type { ReasonCountTable, RecordCountTable, RecordTable, ResponseTimeTable } from './tables/index.ts'
import { insertAll } from './whole-row.ts'

/**
 * Daily counts of records, and how long reports wait for staff. They are kept in the transaction of each change, because counting
 * a year of records takes seconds.
 */

const countColumns = ['bans', 'mutes', 'warnings', 'kicks', 'lifted'] as const

type Counts = Pick<RecordCountTable, (typeof countColumns)[number]>

const addToActor = statement<RecordCountTable>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'record_count', p).onConflict((conflict) =>
    conflict.columns(['workspace_id', 'day', 'actor_id']).doUpdateSet((eb) => ({
      bans: eb('record_count.bans', '+', eb.ref('excluded.bans')),
      mutes: eb('record_count.mutes', '+', eb.ref('excluded.mutes')),
      warnings: eb('record_count.warnings', '+', eb.ref('excluded.warnings')),
      kicks: eb('record_count.kicks', '+', eb.ref('excluded.kicks')),
      lifted: eb('record_count.lifted', '+', eb.ref('excluded.lifted')),
    })),
  ),
)
const addToReason = statement<ReasonCountTable>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'reason_count', p).onConflict((conflict) =>
    conflict.columns(['workspace_id', 'day', 'reason']).doUpdateSet((eb) => ({
      bans: eb('reason_count.bans', '+', eb.ref('excluded.bans')),
      mutes: eb('reason_count.mutes', '+', eb.ref('excluded.mutes')),
      warnings: eb('reason_count.warnings', '+', eb.ref('excluded.warnings')),
      kicks: eb('reason_count.kicks', '+', eb.ref('excluded.kicks')),
      lifted: eb('reason_count.lifted', '+', eb.ref('excluded.lifted')),
    })),
  ),
)
const deleteEmptyReason = statement<Pick<ReasonCountTable, 'workspace_id' | 'day' | 'reason'>>()((sql, p) =>
  sql
    .deleteFrom('reason_count')
    .where('workspace_id', '=', p.workspace_id)
    .where('day', '=', p.day)
    .where('reason', '=', p.reason)
    .where('bans', '=', 0)
    .where('mutes', '=', 0)
    .where('warnings', '=', 0)
    .where('kicks', '=', 0),
)
const insertAppealedBan = statement<{ workspaceId: string; recordId: string }>()((sql, p) =>
  sql
    .insertInto('appealed_ban')
    .columns(['workspace_id', 'day', 'record_id', 'actor_id'])
    .expression(
      sql
        .selectFrom('record')
        .select((eb) => [
          'workspace_id',
          eb('created_at', '/', eb.lit(DAY_MS)).as('day'),
          'id as record_id',
          'actor_id',
        ])
        .where('workspace_id', '=', p.workspaceId)
        .where('id', '=', p.recordId),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteAppealedBan = statement<{ workspaceId: string; day: number; recordId: string }>()((sql, p) =>
  sql
    .deleteFrom('appealed_ban')
    .where('workspace_id', '=', p.workspaceId)
    .where('day', '=', p.day)
    .where('record_id', '=', p.recordId),
)
const insertWait = statement<ResponseTimeTable>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'response_time', p).onConflict((conflict) => conflict.doNothing()),
)
const respondTo = statement<{ workspaceId: string; id: string; now: number }>()((sql, p) =>
  sql
    .updateTable('response_time')
    .set({ responded_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('responded_at', 'is', null),
)
const respondToReports = statement<{ workspaceId: string; userId: string; kind: string; now: number }>()(
  (sql, p) =>
    sql
      .updateTable('response_time')
      .set({ responded_at: p.now })
      .where('workspace_id', '=', p.workspaceId)
      .where('user_id', '=', p.userId)
      .where('responded_at', 'is', null)
      .where('kind', '=', p.kind as 'report'),
)
const deleteWait = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('response_time').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

/** The columns of a record that the counts depend on. */
export type CountedRecord = Pick<
  RecordTable,
  | 'workspace_id'
  | 'id'
  | 'action'
  | 'user_id'
  | 'actor_kind'
  | 'actor_id'
  | 'reason'
  | 'revoked_at'
  | 'created_at'
>

/** Longer reasons are counted by their beginning. */
const MAX_REASON_LENGTH = 100

/** The form in which reasons are counted: on one line, and cut off. */
export const toCountedReason = (reason: string): string =>
  [...reason.replace(/\s+/g, ' ').trim()].slice(0, MAX_REASON_LENGTH).join('')

/** Stands for the author of imported records: those are the imports, of which there can be many. */
export const IMPORTS_ACTOR = LOWEST_ID

/** The column of each action. Notes are not counted: they are no action against a player. */
const COLUMNS = { ban: 'bans', mute: 'mutes', warn: 'warnings', kick: 'kicks', note: null } as const

/**
 * Counts a change of a record.
 * @param before null for a new record @param after null for one that is deleted
 */
export async function countRecordChange(
  tx: Transaction,
  before: CountedRecord | null,
  after: CountedRecord | null,
): Promise<void> {
  const record = after ?? before
  if (!record || COLUMNS[record.action] === null) return
  const key = { workspace_id: record.workspace_id, day: Math.floor(record.created_at / DAY_MS) }
  if (after === null && record.action === 'ban')
    await tx.run(deleteAppealedBan, { workspaceId: key.workspace_id, day: key.day, recordId: record.id })
  const [old, current] = [toCounts(before), toCounts(after)]
  const change = subtract(current, old)
  const actor_id = record.actor_kind === 'system' ? IMPORTS_ACTOR : record.actor_id
  if (!isZero(change)) await tx.send(addToActor, { ...key, actor_id, ...change })
  const [oldReason, reason] = [before, after].map((row) => (row?.reason ? toCountedReason(row.reason) : null))
  if (typeof reason === 'string') {
    const added = reason === oldReason ? change : current
    if (!isZero(added)) await tx.send(addToReason, { ...key, reason, ...added })
  }
  if (typeof oldReason !== 'string' || oldReason === reason) return
  await tx.send(addToReason, { ...key, reason: oldReason, ...subtract(toCounts(null), old) })
  await tx.send(deleteEmptyReason, { ...key, reason: oldReason })
}

function toCounts(row: CountedRecord | null): Counts {
  const counts: Counts = { bans: 0, mutes: 0, warnings: 0, kicks: 0, lifted: 0 }
  const column = row && COLUMNS[row.action]
  if (!row || !column) return counts
  return { ...counts, [column]: 1, lifted: row.revoked_at === null ? 0 : 1 }
}

const subtract = (one: Counts, other: Counts): Counts => ({
  bans: one.bans - other.bans,
  mutes: one.mutes - other.mutes,
  warnings: one.warnings - other.warnings,
  kicks: one.kicks - other.kicks,
  lifted: one.lifted - other.lifted,
})

const isZero = (counts: Counts): boolean => countColumns.every((column) => counts[column] === 0)

/** Counts that a ban was appealed. Further appeals of it change nothing. */
export const countAppealedBan = (tx: Transaction, workspaceId: string, recordId: string): Promise<number> =>
  tx.run(insertAppealedBan, { workspaceId, recordId })

/** Whether a record is a report: a note of an API key. */
export const isReport = ({ action, actor_kind }: CountedRecord): boolean =>
  action === 'note' && actor_kind === 'api_key'

/**
 * Notes that a record was created: a report begins to wait, and a record of a person responds to the reports about its player.
 */
export async function trackNewRecord(tx: Transaction, record: CountedRecord): Promise<void> {
  const { workspace_id: workspaceId, user_id: userId, created_at: now } = record
  if (isReport(record)) await startWaiting(tx, 'report', { ...record, opened_at: now })
  else if (record.actor_kind === 'account')
    await tx.run(respondToReports, { workspaceId, userId, kind: 'report', now })
}

/** Notes that something waits for staff from a time on. */
export const startWaiting = (
  tx: Transaction,
  kind: ResponseTimeTable['kind'],
  { workspace_id, id, user_id, opened_at }: Omit<ResponseTimeTable, 'kind' | 'responded_at'>,
): Promise<number> => tx.run(insertWait, { workspace_id, id, kind, user_id, opened_at, responded_at: null })

/** Notes that a person has responded, unless one has before. */
export const markResponded = (
  tx: Transaction,
  workspaceId: string,
  id: string,
  now: number,
): Promise<number> => tx.run(respondTo, { workspaceId, id, now })

/** Forgets a record that a roll-back deletes. */
export const stopWaiting = (tx: Transaction, workspaceId: string, id: string): Promise<number> =>
  tx.run(deleteWait, { workspaceId, id })
