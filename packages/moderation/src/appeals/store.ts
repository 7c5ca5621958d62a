import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, countStoredBytes, type Ports } from '@reeve/core'
import {
  type AppealMessageTable,
  type AppealTable,
  countAppealedBan,
  insertAll,
  markResponded,
  type Queries,
  startWaiting,
  statement,
  type Transaction,
  updateAll,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { presentAppealForAudit } from './model.ts'

type AppealKey = { workspaceId: string; id: string }
type RecordKey = { workspaceId: string; recordId: string }

const appealById = statement<AppealKey>({ isLookup: true })((sql, p) =>
  sql.selectFrom('appeal').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const appealsByRecord = statement<RecordKey & { limit: number }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('appeal')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const openAppealsByRecord = statement<{
  workspaceId: string
  recordIds: readonly string[]
  now: number
}>({ isLookup: true })((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('appeal', 'appeal_open_by_record'))
    .select(['id', 'record_id'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.recordIds))
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('ban_expires_at', 'is', null), eb('ban_expires_at', '>', p.now)])),
)
const messagesByAppeal = statement<{ workspaceId: string; appealId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('appeal_message')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('appeal_id', '=', p.appealId)
    .orderBy('id'),
)
/** What a player may read: the statement selects nothing else. */
const publicMessagesByAppeal = statement<{ workspaceId: string; appealId: string }>({ isLookup: true })(
  (sql, p) =>
    sql
      .selectFrom('appeal_message')
      .select(['id', 'author', 'text', 'created_at'])
      .where('workspace_id', '=', p.workspaceId)
      .where('appeal_id', '=', p.appealId)
      .where('is_internal', '=', 0)
      .orderBy('id'),
)
const insertAppealRow = statement<AppealTable>()((sql, p) => insertAll(sql, 'appeal', p))
const updateAppealRow = statement<AppealTable>()((sql, p) =>
  updateAll(sql, 'appeal', p, {
    key: ['workspace_id', 'id'],
    except: ['record_id', 'case_number', 'user_id', 'user_username', 'submitted_at', 'answers'],
  }),
)
const insertMessageRow = statement<AppealMessageTable>()((sql, p) => insertAll(sql, 'appeal_message', p))

/** The most messages of an appeal, and of those the most that the player has written. */
const MAX_MESSAGES = 100
export const MAX_PLAYER_MESSAGES = 30

export const findAppeal = (db: Queries, workspaceId: string, id: string): Promise<AppealTable | undefined> =>
  db.first(appealById, { workspaceId, id })

/** @throws AppError `not_found` */
export async function requireAppeal(db: Queries, workspaceId: string, id: string): Promise<AppealTable> {
  const row = await findAppeal(db, workspaceId, id)
  if (!row) throw new AppError('not_found')
  return row
}

/** The appeals of a ban, newest first. */
export const findAppeals = (db: Queries, key: RecordKey, limit: number): Promise<AppealTable[]> =>
  db.all(appealsByRecord, { ...key, limit })

/** The open appeals of bans, at most one of each. @param now epoch milliseconds */
export const findOpenAppeals = async (
  db: Queries,
  workspaceId: string,
  recordIds: readonly string[],
  now: number,
): Promise<Pick<AppealTable, 'id' | 'record_id'>[]> =>
  recordIds.length === 0 ? [] : db.all(openAppealsByRecord, { workspaceId, recordIds, now })

const toMessageKey = (row: Pick<AppealTable, 'workspace_id' | 'id'>) => ({
  workspaceId: row.workspace_id,
  appealId: row.id,
})

/** Every message, internal ones included, oldest first. */
export const findMessages = (db: Queries, row: AppealTable) => db.all(messagesByAppeal, toMessageKey(row))

export const findPublicMessages = (db: Queries, row: AppealTable) =>
  db.all(publicMessagesByAppeal, toMessageKey(row))

/** Inserts a new appeal, its audit entry and its announcement. */
export async function insertAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: AppealTable,
): Promise<void> {
  await tx.run(insertAppealRow, row)
  await countAppealedBan(tx, row.workspace_id, row.record_id)
  await startWaiting(tx, 'appeal', { ...row, opened_at: row.submitted_at })
  await recordChange(tx, ports, actor, 'submit', null, row, countStoredBytes(row.answers))
}

/** Updates an appeal, its audit entry and its announcement. @param action the verb of the entry @returns the updated row */
export async function saveAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: string,
  before: AppealTable,
  changes: Partial<AppealTable>,
): Promise<AppealTable> {
  const after = { ...before, ...changes, updated_at: ports.now(), version: before.version + 1 }
  await tx.run(updateAppealRow, after)
  await recordChange(tx, ports, actor, action, before, after, 0)
  return after
}

/** Updates an appeal as somebody who works on it. The parameters are those of `saveAppeal`. */
export async function updateAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: string,
  before: AppealTable,
  changes: Partial<AppealTable>,
): Promise<AppealTable> {
  const after = await saveAppeal(tx, ports, actor, action, before, changes)
  if (actor.kind === 'account') await markResponded(tx, after.workspace_id, after.id, after.updated_at)
  return after
}

/**
 * Adds a message. The caller updates the appeal, which counts it.
 * @throws AppError `conflict` if the appeal has too many
 */
export async function insertMessage(
  tx: Transaction,
  ports: Ports,
  appeal: AppealTable,
  message: Pick<AppealMessageTable, 'author' | 'author_id' | 'is_internal' | 'text'>,
): Promise<AppealMessageTable> {
  if (appeal.message_count >= MAX_MESSAGES)
    throw new AppError('conflict', { message: `An appeal can have at most ${MAX_MESSAGES} messages.` })
  const row = {
    workspace_id: appeal.workspace_id,
    appeal_id: appeal.id,
    id: ports.newId(),
    ...message,
    created_at: ports.now(),
  }
  await tx.run(insertMessageRow, row)
  await changeStorage(tx, row.workspace_id, 'records', countStoredBytes(row.text))
  return row
}

async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: string,
  before: AppealTable | null,
  after: AppealTable,
  storedBytes: number,
): Promise<void> {
  await appendAuditEntry(tx, ports, actor, {
    action: `appeals.${action}`,
    target: { kind: 'appeal', id: after.id },
    before: before && presentAppealForAudit(before),
    after: presentAppealForAudit(after),
    storedBytes,
  })
  tx.announce({ kind: 'appeal', workspaceId: after.workspace_id, id: after.id })
}
