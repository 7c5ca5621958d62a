import { appendAuditEntry, startChain } from '@reeve/audit'
import { type Actor, AppError, type Ports } from '@reeve/core'
import {
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
const nextCaseNumber = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ case_number: eb('case_number', '+', 1) }))
    .where('workspace_id', '=', p.workspaceId)
    .returning('case_number'),
)
const insert = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))
const update = statement<RecordTable>()((sql, p) =>
  updateAll(sql, 'record', p, {
    key: ['workspace_id', 'id'],
    except: [
      'case_number',
      'action',
      'user_id',
      'actor_kind',
      'actor_id',
      'actor_username',
      'actor_platform_user_id',
      'created_at',
    ],
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

/** Allocates the next case number. Numbers have no gaps, because each is allocated in its record's transaction. */
export async function allocateCaseNumber(tx: Transaction, actor: Actor): Promise<number> {
  const { workspaceId } = actor
  let head = await tx.first(nextCaseNumber, { workspaceId })
  if (!head) {
    await startChain(tx, workspaceId)
    head = await tx.first(nextCaseNumber, { workspaceId })
  }
  if (!head) throw new Error('the workspace has no head')
  return head.case_number
}

/** The parts of an audit entry that the record does not contain. */
interface AuditContext {
  /** The name after `moderation.`. */
  readonly auditAction: string
  readonly change: ChangeContext
  /** The reason, if the record does not store it. */
  readonly reason?: string
}

/** Inserts a record, its audit entry and its announcement. @param draft the row without its sequence */
export async function insertRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  context: AuditContext,
  draft: Omit<RecordTable, 'sequence'>,
): Promise<RecordTable> {
  const row = { ...draft, sequence: await auditChange(tx, ports, actor, context, null, draft) }
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
  const row = { ...after, sequence: await auditChange(tx, ports, actor, context, before, after) }
  await tx.run(insertVersion, {
    workspace_id: before.workspace_id,
    record_id: before.id,
    version: before.version,
    snapshot: JSON.stringify(presentRecord(before, now)),
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
  after: Omit<RecordTable, 'sequence'>,
): Promise<number> {
  const now = ports.now()
  const { actorPlatformUserId, actorUsername } = change
  const onBehalfOf = actorPlatformUserId || actorUsername ? { actorPlatformUserId, actorUsername } : null
  // The sequence of this change is that of the audit entry, which does not exist yet.
  const { sequence: _, ...record } = presentRecord({ ...after, sequence: 0 }, now)
  return appendAuditEntry(tx, ports, actor, {
    action: `moderation.${auditAction}`,
    target: { kind: 'record', id: after.id },
    before: before && presentRecord(before, now),
    after: { ...record, ...(reason && { why: reason }), ...(onBehalfOf && { onBehalfOf }) },
  })
}
