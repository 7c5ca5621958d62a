import { appendAuditEntry, type ReservedEntry, reserveAuditEntry } from '@reeve/audit'
import { type Actor, AppError, countStoredBytes, type Ports } from '@reeve/core'
import {
  FIXED_RECORD_COLUMNS,
  formatVersion,
  insertAll,
  type Queries,
  type RecordTable,
  type RecordVersionTable,
  statement,
  type Transaction,
  updateAll,
  updatePlayerNames,
} from '@reeve/db'
import { presentRecord } from './model.ts'
import type { ChangeContext } from './parse-change.ts'
import type { Sanction } from './sanction.ts'

const byId = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('record').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const activeSanction = statement<{ workspaceId: string; action: Sanction['action']; userId: string }>()(
  (sql, p) =>
    sql
      .selectFrom('record')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('action', '=', p.action)
      .where('user_id', '=', p.userId)
      .where((eb) => eb('in_force', '=', eb.lit(1))),
)
const insert = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))
const update = statement<RecordTable>()((sql, p) =>
  updateAll(sql, 'record', p, {
    key: ['workspace_id', 'id'],
    except: FIXED_RECORD_COLUMNS,
  }),
)
const insertVersion = statement<RecordVersionTable>()((sql, p) => insertAll(sql, 'record_version', p))

/** Returns one record of the actor's workspace. @throws AppError `not_found` */
export async function requireRecord(db: Queries, actor: Actor, id: string): Promise<RecordTable> {
  const row = await db.first(byId, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** @throws AppError `conflict` if the record is redacted: a redacted text cannot be replaced */
export function assertNotRedacted(row: RecordTable): void {
  if (row.redacted_at !== null) {
    throw new AppError('conflict', { message: "This record's texts were redacted and cannot be edited." })
  }
}

/** The current ban or mute of a player, which may have expired without being replaced. */
export const findSanction = (
  db: Queries,
  actor: Actor,
  action: Sanction['action'],
  userId: string,
): Promise<Sanction | undefined> =>
  db.first(activeSanction, { workspaceId: actor.workspaceId, action, userId }) as Promise<
    Sanction | undefined
  >

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

type RecordTexts = Pick<RecordTable, 'user_username' | 'reason' | 'evidence' | 'comments' | 'revoke_reason'>

/** What a record counts against the storage quota, without its versions and audit entries. */
export const countRecordBytes = (row: RecordTexts): number =>
  countStoredBytes(row.user_username, row.reason, row.evidence, row.comments, row.revoke_reason)

/** Inserts a record, its audit entry and its announcement. @param draft the row without the numbers that it gets */
export async function insertRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  context: AuditContext,
  draft: Omit<RecordTable, 'sequence' | 'case_number'>,
): Promise<RecordTable> {
  const reserved = await reserveAuditEntry(tx, draft.workspace_id, { isNewCase: true })
  const row = { ...draft, case_number: reserved.caseNumber, sequence: reserved.sequence }
  await auditChange(tx, ports, actor, context, null, row, countRecordBytes(row), reserved)
  await tx.run(insert, row)
  await updatePlayerNames(tx, row, null)
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
  await tx.run(insertVersion, {
    workspace_id: before.workspace_id,
    record_id: before.id,
    version: before.version,
    snapshot,
    replaced_at: now,
    replaced_by: actor.id,
  })
  await tx.run(update, row)
  await updatePlayerNames(tx, row, before.user_username)
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
  const { actorPlatformUserId, actorUsername } = change
  const onBehalfOf = actorPlatformUserId || actorUsername ? { actorPlatformUserId, actorUsername } : null
  const entry = {
    action: `moderation.${auditAction}`,
    target: { kind: 'record', id: after.id },
    before: before && presentRecord(before, now),
    after: {
      ...presentRecord(after, now),
      ...(reason && { why: reason }),
      ...(onBehalfOf && { onBehalfOf }),
    },
    storedBytes,
  }
  return appendAuditEntry(tx, ports, actor, entry, reserved)
}
