import { redactAuditEntries } from '@reeve/audit'
import { type Actor, AppError, assertVersion, countStoredBytes, type Ports } from '@reeve/core'
import {
  type RecordTable,
  type RedactionTable,
  redactVersion,
  statement,
  type Transaction,
  upsertAll,
  yieldToEventLoop,
} from '@reeve/db'
import { replaceStoredResponses } from '@reeve/http'
import { presentRecord, redactRow } from './model.ts'
import type { ModerationChange } from './parse-change.ts'
import { countRecordBytes, requireRecord, updateRecord } from './record-store.ts'
import { readVersionBatches } from './versions.ts'

const updateSnapshot = statement<{ workspaceId: string; id: string; version: number; snapshot: string }>()(
  (sql, p) =>
    sql
      .updateTable('record_version')
      .set({ snapshot: p.snapshot })
      .where('workspace_id', '=', p.workspaceId)
      .where('record_id', '=', p.id)
      .where('version', '=', p.version),
)

const upsertRedaction = statement<RedactionTable>()((sql, p) =>
  upsertAll(sql, 'redaction', p, ['workspace_id', 'record_id']),
)

/**
 * Permanently removes the texts of a record from every place that stores them: the record, its earlier versions, the audit
 * log and the responses stored for idempotency keys. The record itself, its player and its author remain. The audit log
 * has the reason for the redaction.
 * @throws AppError `not_found`, `version_mismatch`, `conflict` if no text is left
 */
export async function redact(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'redact'>,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, change.id)
  assertVersion(row, change.ifMatch)
  const redactedRow = redactRow(row)
  // A record that was revoked after its redaction has a new text, which can be redacted too.
  if (row.redacted_at !== null && row.revoke_reason === null) {
    throw new AppError('conflict', { message: 'This record is already redacted.' })
  }
  const key = { workspaceId: row.workspace_id, id: row.id }
  let freedBytes = countRecordBytes(row) - countRecordBytes(redactedRow)
  for await (const versions of readVersionBatches(tx, key)) {
    for (const { version, snapshot } of versions) {
      const redactedText = redactVersion(snapshot, row.redacted_at)
      await tx.run(updateSnapshot, { ...key, version, snapshot: redactedText })
      freedBytes += countStoredBytes(snapshot) - countStoredBytes(redactedText)
    }
    await yieldToEventLoop()
  }
  freedBytes += await redactAuditEntries(tx, row.workspace_id, row.id)
  const redactedAt = ports.now()
  const redacted = await updateRecord(
    tx,
    ports,
    actor,
    { auditAction: 'redact', change, reason: change.reason, freedBytes },
    redactedRow,
    { redacted_at: redactedAt },
  )
  await tx.run(upsertRedaction, {
    workspace_id: row.workspace_id,
    record_id: row.id,
    redacted_at: redactedAt,
  })
  // A repeated earlier request must not return the texts from its stored response.
  await replaceStoredResponses(tx, row.workspace_id, `{"record":{"id":"${row.id}"`, {
    record: presentRecord(redacted, ports.now()),
  })
  return redacted
}
