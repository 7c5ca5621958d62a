import { appendAuditEntry, type ReservedEntry, reserveAuditEntry } from '@reeve/audit'
import { type Actor, AppError, countStoredBytes, listPlayerKeys, type Ports } from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import {
  countRecordChange,
  FIXED_RECORD_COLUMNS,
  formatVersion,
  insertAll,
  isReport,
  markResponded,
  type Queries,
  type RecordTable,
  type RecordVersionTable,
  statement,
  statementFamily,
  type Transaction,
  trackNewRecord,
  updateAll,
  updatePlayerNames,
} from '@reeve/db'
import { followRecord } from '../appeals/follow-record.ts'
import { presentStoredRecord } from './model.ts'
import type { ChangeContext } from './parse-change.ts'
import type { Sanction } from './sanction.ts'

const byId = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('record').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const activeSanctions = statementFamily<
  { workspaceId: string; action: Sanction['action']; userId: string; userIds: readonly string[] },
  { hasSeveralForms: boolean }
>()((sql, p, { hasSeveralForms }, dialect) => {
  const query = sql
    .selectFrom('record')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('action', '=', p.action)
    .where((eb) => eb('in_force', '=', eb.lit(1)))
  return hasSeveralForms
    ? query.where(dialect.inList('user_id', p.userIds))
    : query.where('user_id', '=', p.userId)
})
const newestForm = statement<{ workspaceId: string; userIds: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
    .select(['user_id', 'case_number'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds))
    .orderBy('case_number', 'desc')
    .limit(1),
)
const insert = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))
const update = statement<RecordTable>()((sql, p) =>
  updateAll(sql, 'record', p, {
    key: ['workspace_id', 'id'],
    except: FIXED_RECORD_COLUMNS,
  }),
)
const insertVersion = statement<RecordVersionTable>()((sql, p) => insertAll(sql, 'record_version', p))

export const findRecord = (db: Queries, workspaceId: string, id: string): Promise<RecordTable | undefined> =>
  db.first(byId, { workspaceId, id })

/** Returns one record of the actor's workspace. @throws AppError `not_found` */
export async function requireRecord(db: Queries, actor: Actor, id: string): Promise<RecordTable> {
  const row = await findRecord(db, actor.workspaceId, id)
  if (!row) throw new AppError('not_found')
  return row
}

/** @throws AppError `conflict` if the record is redacted: a redacted text cannot be replaced */
export function assertNotRedacted(row: RecordTable): void {
  if (row.redacted_at !== null) {
    throw new AppError('conflict', { message: "This record's texts were redacted and cannot be edited." })
  }
}

/**
 * The current ban or mute of a player, which may have expired without being replaced. A player who was stored under several forms before
 * the default platform changed can have one under each, and one under their pseudonym.
 */
export const findSanctions = (
  db: Queries,
  actor: Actor,
  action: Sanction['action'],
  userId: string,
): Promise<Sanction[]> => {
  const { workspaceId } = actor
  const userIds = listSanctionKeys([userId], actor).keys
  return db.all(activeSanctions({ hasSeveralForms: userIds.length > 1 }), {
    workspaceId,
    action,
    userId,
    userIds,
  }) as Promise<Sanction[]>
}

/**
 * The form under which a player gets a new record: that of their newest one, so that a change of the default platform does not give
 * somebody who is known another form.
 */
export async function findStoredForm(db: Queries, actor: Actor, userId: string): Promise<string> {
  const userIds = listPlayerKeys(userId, actor.platforms)
  if (userIds.length === 1) return userId
  return (await db.first(newestForm, { workspaceId: actor.workspaceId, userIds }))?.user_id ?? userId
}

/** The parts of an audit entry that the record does not contain. */
interface AuditContext {
  /** The name after `moderation.`. */
  readonly auditAction: string
  readonly change: ChangeContext
  /** The reason, if the record does not store it. */
  readonly reason?: string
  /** The bytes that were deleted from the texts of the record before this change. */
  readonly freedBytes?: number
}

type RecordTexts = Pick<
  RecordTable,
  'user_username' | 'reason' | 'evidence' | 'evidence_files' | 'comments' | 'revoke_reason'
>

/** What a record counts against the storage quota, without its versions and audit entries. */
export const countRecordBytes = (row: RecordTexts): number =>
  countStoredBytes(
    row.user_username,
    row.reason,
    row.evidence,
    row.evidence_files,
    row.comments,
    row.revoke_reason,
  )

/** Inserts a record, its audit entry and its announcement. @param draft the row without the numbers that it gets */
export async function insertRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  context: AuditContext,
  draft: Omit<RecordTable, 'sequence' | 'case_number'>,
): Promise<RecordTable> {
  const reserved = await reserveAuditEntry(tx, ports, draft.workspace_id, { isNewCase: true })
  const row = { ...draft, case_number: reserved.caseNumber, sequence: reserved.sequence }
  await auditChange(tx, ports, actor, context, null, row, countRecordBytes(row), reserved)
  await tx.send(insert, row)
  await updatePlayerNames(tx, row, null)
  await countRecordChange(tx, null, row)
  await trackNewRecord(tx, row)
  tx.announce({ kind: 'record', workspaceId: row.workspace_id, id: row.id })
  return row
}

/** Updates a record and stores the version that it replaces. @returns the updated row */
export async function updateRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  context: AuditContext,
  before: RecordTable,
  changes: Partial<RecordTable>,
): Promise<RecordTable> {
  const now = ports.now()
  const after = { ...before, ...changes, updated_at: now, version: before.version + 1 }
  // The version has the sequence that is replaced; the next one is not known yet, but certainly another.
  const snapshot = formatVersion(before, { ...after, sequence: before.sequence + 1 })
  const storedBytes =
    countStoredBytes(snapshot) +
    countRecordBytes(after) -
    countRecordBytes(before) -
    (context.freedBytes ?? 0)
  const row = { ...after, sequence: await auditChange(tx, ports, actor, context, before, after, storedBytes) }
  await tx.send(insertVersion, {
    workspace_id: before.workspace_id,
    record_id: before.id,
    version: before.version,
    snapshot,
    replaced_at: now,
    replaced_by: actor.id,
  })
  await tx.send(update, row)
  await updatePlayerNames(tx, row, before.user_username)
  await followRecord(tx, ports, actor, before, row)
  await countRecordChange(tx, before, row)
  if (actor.kind === 'account' && isReport(row)) await markResponded(tx, row.workspace_id, row.id, now)
  tx.announce({ kind: 'record', workspaceId: row.workspace_id, id: row.id })
  return row
}

/** Appends the change, and the person an API key acts for, to the audit log. @returns the workspace's sequence */
function auditChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { auditAction, change, reason }: AuditContext,
  before: RecordTable | null,
  after: RecordTable,
  storedBytes: number,
  reserved?: ReservedEntry,
): Promise<number> {
  const now = ports.now()
  const { actorPlatformUserId, actorUsername, batchId } = change
  const onBehalfOf = actorPlatformUserId || actorUsername ? { actorPlatformUserId, actorUsername } : null
  const entry = {
    action: `moderation.${auditAction}`,
    target: { kind: 'record', id: after.id },
    before: before && presentStoredRecord(before, now),
    after: {
      ...presentStoredRecord(after, now),
      ...(reason && { why: reason }),
      ...(onBehalfOf && { onBehalfOf }),
      ...(batchId && { batchId }),
    },
    storedBytes,
  }
  return appendAuditEntry(tx, ports, actor, entry, reserved)
}
