import { appendAuditEntry, ERASE_RECORD, markBulkChange, redactAuditEntries } from '@reeve/audit'
import { type Actor, countStoredBytes, isSanctionKind, type Ports } from '@reeve/core'
import { createPseudonym } from '@reeve/core/player-hashes'
import {
  countRecordChange,
  ERASED_COLUMNS,
  type RecordTable,
  type RedactionTable,
  redactDeliveries,
  redactVersion,
  removePlayerName,
  statement,
  type Transaction,
  upsertAll,
  yieldToEventLoop,
} from '@reeve/db'
import { supersedeApproval } from '../approvals/store.ts'
import { removeRedactedContent } from '../evidence-files/content.ts'
import { redactRow } from '../records/columns.ts'
import { countRecordBytes, updateRecord } from '../records/record-store.ts'
import { readVersionBatches, updateSnapshotOfVersion } from '../records/versions.ts'

/** The records of an erased player, one at a time: each can have thousands of versions. */

interface RecordKey {
  readonly workspaceId: string
  readonly id: string
}

const nextRecord = statement<{ workspaceId: string; userIds: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds))
    .limit(1),
)
const deleteVersions = statement<RecordKey>()((sql, p) =>
  sql.deleteFrom('record_version').where('workspace_id', '=', p.workspaceId).where('record_id', '=', p.id),
)
/** With it go its approval, assignment, mentions and pin. */
const deleteRecord = statement<RecordKey>()((sql, p) =>
  sql.deleteFrom('record').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const deleteClaim = statement<RecordKey>()((sql, p) =>
  sql
    .deleteFrom('claim')
    .where('workspace_id', '=', p.workspaceId)
    .where('target_kind', '=', 'record')
    .where('target_id', '=', p.id),
)
const deleteRecentBan = statement<RecordKey>()((sql, p) =>
  sql.deleteFrom('recent_ban').where('workspace_id', '=', p.workspaceId).where('record_id', '=', p.id),
)
const replacePlayer = statement<RecordKey & { userId: string }>()((sql, p) =>
  sql
    .updateTable('record')
    .set({ user_id: p.userId, ...ERASED_COLUMNS })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const replaceApprovalPlayer = statement<RecordKey & { userId: string }>()((sql, p) =>
  sql
    .updateTable('approval')
    .set({ user_id: p.userId })
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.id),
)
const sanctionOf = statement<{ workspaceId: string; action: RecordTable['action']; userId: string }>()(
  (sql, p) =>
    sql
      .selectFrom('record')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('action', '=', p.action)
      .where((eb) => eb('in_force', '=', eb.lit(1)))
      .where('user_id', '=', p.userId),
)
const upsertRedaction = statement<RedactionTable>()((sql, p) =>
  upsertAll(sql, 'redaction', p, ['workspace_id', 'record_id']),
)

/** A record of the player that is not erased yet. */
export const findNextRecord = (
  tx: Transaction,
  workspaceId: string,
  userIds: readonly string[],
): Promise<RecordTable | undefined> => tx.first(nextRecord, { workspaceId, userIds })

/**
 * Makes restores of older archives leave a row out, or store its player under a pseudonym.
 * @param storedAs the pseudonym; empty to leave the row out
 */
export const keepErased = (
  tx: Transaction,
  now: number,
  { workspaceId, id }: RecordKey,
  storedAs: string,
): Promise<number> =>
  tx.run(upsertRedaction, { workspace_id: workspaceId, record_id: id, redacted_at: now, stored_as: storedAs })

/**
 * Deletes a record with its versions, files and what refers to it. The counts of insights keep it, because they name nobody; they lose
 * its reason.
 */
export async function eraseRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: RecordTable,
): Promise<void> {
  const key = { workspaceId: row.workspace_id, id: row.id }
  let freedBytes = countRecordBytes(row)
  for await (const versions of readVersionBatches(tx, key)) {
    for (const { snapshot } of versions) freedBytes += countStoredBytes(snapshot)
    await yieldToEventLoop()
  }
  await tx.run(deleteVersions, key)
  freedBytes += await removeTexts(tx, ports, row)
  await countRecordChange(tx, row, { ...row, reason: null })
  await tx.run(deleteClaim, key)
  await tx.run(deleteRecentBan, key)
  await tx.run(deleteRecord, key)
  await appendAuditEntry(tx, ports, actor, {
    action: ERASE_RECORD,
    target: { kind: 'record', id: row.id },
    storedBytes: -freedBytes,
  })
  await keepErased(tx, ports.now(), key, '')
  await notifyFollowers(tx, row)
}

/** Removes the texts and the name from a record, and stores its player under a pseudonym. @param key that of the workspace */
export async function pseudonymiseRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: RecordTable,
  key: Uint8Array,
): Promise<void> {
  const recordKey = { workspaceId: row.workspace_id, id: row.id }
  const userId = createPseudonym(key, row.user_id)
  if (row.in_force === 1) await supersedeOther(tx, ports, actor, row, userId)
  const erased: RecordTable = { ...redactRow(row), ...ERASED_COLUMNS, user_id: userId }
  let freedBytes = countRecordBytes(row) - countRecordBytes(erased)
  for await (const versions of readVersionBatches(tx, recordKey)) {
    for (const { version, snapshot } of versions) {
      const erasedSnapshot = removePlayerName(redactVersion(snapshot, row.redacted_at))
      await tx.run(updateSnapshotOfVersion, { ...recordKey, version, snapshot: erasedSnapshot })
      freedBytes += countStoredBytes(snapshot) - countStoredBytes(erasedSnapshot)
    }
    await yieldToEventLoop()
  }
  freedBytes += await removeTexts(tx, ports, row)
  await countRecordChange(tx, row, erased)
  await tx.run(replacePlayer, { ...recordKey, userId })
  await tx.run(replaceApprovalPlayer, { ...recordKey, userId })
  const redactedAt = ports.now()
  const context = { auditAction: 'pseudonymise', change: { ifMatch: null }, freedBytes }
  await updateRecord(tx, ports, actor, context, erased, { redacted_at: redactedAt })
  await keepErased(tx, redactedAt, recordKey, userId)
  await notifyFollowers(tx, row)
}

/** Removes what a record says from where else it is stored. @returns the size in bytes of what was in the audit log */
async function removeTexts(tx: Transaction, ports: Ports, row: RecordTable): Promise<number> {
  await removeRedactedContent(tx, ports.now(), { workspaceId: row.workspace_id, recordId: row.id })
  await redactDeliveries(tx, row.workspace_id, row.id)
  return redactAuditEntries(tx, row.workspace_id, row.id)
}

/** Two sanctions of one player under different forms would become two under one pseudonym: the earlier one has been replaced. */
async function supersedeOther(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { workspace_id: workspaceId, action }: RecordTable,
  userId: string,
): Promise<void> {
  const existing = await tx.first(sanctionOf, { workspaceId, action, userId })
  if (!existing) return
  await supersedeApproval(tx, existing, ports.now(), actor.id)
  const context = { auditAction: 'supersede', change: { ifMatch: null } }
  await updateRecord(tx, ports, actor, context, existing, { in_force: 0, ended: 'superseded' })
}

/**
 * Makes followers of the change feed read the snapshot again, which has the sanctions as they are now: a change that names the player
 * cannot be stored for those who are behind.
 */
async function notifyFollowers(
  tx: Transaction,
  { workspace_id: workspaceId, action, id }: RecordTable,
): Promise<void> {
  tx.announce({ kind: 'record', workspaceId, id })
  if (isSanctionKind(action)) await markBulkChange(tx, workspaceId)
}
