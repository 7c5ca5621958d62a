import { redactAuditEntries } from '@reeve/audit'
import { type Actor, AppError, assertVersion, countStoredBytes, type Ports } from '@reeve/core'
import { isPseudonym } from '@reeve/core/player-hashes'
import {
  countRecordChange,
  type RecordTable,
  type RedactionTable,
  redactDeliveries,
  redactVersion,
  statement,
  type Transaction,
  upsertAll,
  yieldToEventLoop,
} from '@reeve/db'
import { findNextAppeal } from '../appeals/next-appeal.ts'
import { removeRedactedContent } from '../evidence-files/content.ts'
import { redactRow } from './columns.ts'
import { presentRecord } from './model.ts'
import type { ModerationChange } from './parse-change.ts'
import { countRecordBytes, requireRecord, updateRecord } from './record-store.ts'
import { redactResponses } from './redact-responses.ts'
import { readVersionBatches, updateSnapshotOfVersion } from './versions.ts'

const upsertRedaction = statement<RedactionTable>()((sql, p) =>
  upsertAll(sql, 'redaction', p, ['workspace_id', 'record_id']),
)

/**
 * Permanently removes the texts of a record from every place that stores them: the record, its earlier versions, the audit
 * log, the responses stored for idempotency keys and the deliveries of webhooks; and its files. The record itself, its player and its author remain. The audit log
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
      await tx.run(updateSnapshotOfVersion, { ...key, version, snapshot: redactedText })
      freedBytes += countStoredBytes(snapshot) - countStoredBytes(redactedText)
    }
    await yieldToEventLoop()
  }
  await removeRedactedContent(tx, ports.now(), { workspaceId: row.workspace_id, recordId: row.id })
  freedBytes += await redactAuditEntries(tx, row.workspace_id, row.id)
  await countRecordChange(tx, row, redactedRow)
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
    stored_as: isPseudonym(row.user_id) ? row.user_id : null,
  })
  const record = presentRecord({ ...redacted, ...(await findNextAppeal(tx, redacted)) }, ports.now())
  await redactResponses(tx, record)
  await redactDeliveries(tx, row.workspace_id, row.id)
  return redacted
}
