import { redactAuditEntries, skipInFeed } from '@reeve/audit'
import { countStoredBytes, isSanctionKind, type Ports, STORED_ROW_BYTES } from '@reeve/core'
import {
  countRecordChange,
  createTimeSlicer,
  deleteRecords,
  deleteRecordVersions,
  type RecordTable,
  redactDeliveries,
  statement,
  stopWaiting,
  type Transaction,
  updatePlayerNames,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { deleteClaims } from '../claims/service.ts'
import { removeRecordContent } from '../evidence-files/content.ts'
import { countRecordBytes } from '../records/record-store.ts'
import { createGoneResponse, removeResponsesOfRecord } from '../records/remove-responses.ts'

interface RecordKey {
  readonly workspaceId: string
  readonly recordId: string
}

const versionSize = statement<RecordKey>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number>(fn('octet_length', ['snapshot'])).as('bytes'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId),
)
const appealsOfRecords = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal')
    .select(['id', 'answers'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids)),
)
const messagesOfAppeals = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal_message')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number>(fn('octet_length', ['text'])).as('bytes'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('appeal_id', p.ids)),
)

/** What a repeated request about one of the records gets. */
const GONE = createGoneResponse('The record was deleted.')

const countRows = (rows: { readonly count: number; readonly bytes: number } | undefined): number =>
  Number(rows?.bytes ?? 0) + Number(rows?.count ?? 0) * STORED_ROW_BYTES

/**
 * Deletes records for good, with everything that belongs to them: earlier versions, comments, evidence and its files, appeals,
 * requests for approval, mentions, claims, responses stored for idempotency keys, what was sent to webhooks, and the changes in the audit log.
 * Counts follow.
 * @returns how many appeals were deleted
 */
export async function deleteRecordsForGood(
  tx: Transaction,
  ports: Ports,
  workspaceId: string,
  records: readonly RecordTable[],
): Promise<number> {
  const ids = records.map(({ id }) => id)
  const yieldIfDue = createTimeSlicer()
  const appeals = await tx.all(appealsOfRecords, { workspaceId, ids })
  const appealIds = appeals.map(({ id }) => id)
  let freedBytes = appeals.reduce((sum, { answers }) => sum + countStoredBytes(answers), 0)
  if (appealIds.length > 0)
    freedBytes += countRows(await tx.first(messagesOfAppeals, { workspaceId, ids: appealIds }))
  for (const record of records) {
    const key = { workspaceId, recordId: record.id }
    freedBytes += countRows(await tx.first(versionSize, key)) + countRecordBytes(record)
    await removeRecordContent(tx, ports.now(), key)
    await removeResponsesOfRecord(tx, key, GONE)
    await countRecordChange(tx, record, null)
    await yieldIfDue()
  }
  for (const id of [...ids, ...appealIds]) {
    freedBytes += await redactAuditEntries(tx, workspaceId, id)
    await redactDeliveries(tx, workspaceId, id)
    await stopWaiting(tx, workspaceId, id)
    await yieldIfDue()
  }
  for (const id of appealIds) tx.announce({ kind: 'appeal', workspaceId, id })
  await deleteClaims(tx, workspaceId, [...ids, ...appealIds])
  await tx.run(deleteRecordVersions, { workspaceId, ids })
  await tx.run(deleteRecords, { workspaceId, ids })
  for (const record of records) {
    await updatePlayerNames(tx, { ...record, user_username: null }, record.user_username)
    await yieldIfDue()
  }
  await changeStorage(tx, workspaceId, 'records', -freedBytes)
  const sequences = records.filter(({ action }) => isSanctionKind(action)).map(({ sequence }) => sequence)
  if (sequences.length > 0) await skipInFeed(tx, workspaceId, Math.max(...sequences))
  return appeals.length
}
