import {
  ERASE_RECORD,
  findLastDeletion,
  type LoggedChange,
  listChains,
  openWorkspaceLog,
  PAGE_ROWS,
  RowReader,
  type WorkspaceLog,
} from '@reeve/audit'
import { HIGHEST_ID } from '@reeve/core'
import { applyVersion, type Queries, type RecordTable, type RecordVersionTable } from '@reeve/db'
import { compareChange, compareDerivedColumns, hasSameField } from './compare-change.ts'
import { recordsBelow, redactionsByRecord, versionsBelow } from './statements.ts'

/** How a record differs from the audit log. */
export interface RecordDifference {
  readonly workspaceId: string
  readonly id: string
  /** Null for a record that no longer exists and whose first change was redacted. */
  readonly caseNumber: number | null
  readonly kind: 'changed' | 'missing' | 'unknown'
  /** The fields that differ from the log; those of an earlier version have its number. */
  readonly fields: readonly string[]
}

export interface RecordComparison {
  /** The number of records that were compared. */
  readonly records: number
  /** The number of records that the log has nothing about, because their workspace is a copy. */
  readonly copied: number
  /** The number of workspaces that were left out, because a roll-back of them is not complete. */
  readonly skippedWorkspaces: number
}

/** What receives the results of a comparison. */
export interface ComparisonListener {
  readonly onDifference: (difference: RecordDifference) => void
  /** Gets every record. */
  readonly onRecord?: (record: RecordTable) => void
  /** Gets the number of records read so far. */
  readonly onProgress?: (records: number) => void
}

type Version = Pick<RecordVersionTable, 'record_id' | 'version' | 'snapshot'>

interface Comparison extends Pick<WorkspaceLog, 'copiedUntil' | 'getState'> {
  readonly workspaceId: string
  /** The sequence of the last entry about records that retention rules have deleted. */
  readonly lastDeletion: number
  readonly changes: RowReader<LoggedChange>
  readonly versions: RowReader<Version>
  readonly listener: ComparisonListener
}

/**
 * Compares every record and its earlier versions with the audit log, and finds records that were changed, deleted or inserted
 * without Reeve. Reads everything once, in pages.
 * @param read a snapshot, which later writes do not change
 */
export async function compareRecords(read: Queries, listener: ComparisonListener): Promise<RecordComparison> {
  const totals = { records: 0, copied: 0, skippedWorkspaces: 0 }
  for (const { workspace_id: workspaceId } of await listChains(read)) {
    const comparison = await openComparison(read, workspaceId, listener)
    if (comparison === null) totals.skippedWorkspaces += 1
    let lastPage: readonly (RecordTable & { redactedAt: number | null })[] = []
    for (let beforeId = HIGHEST_ID; ; beforeId = lastPage.at(-1)?.id ?? '') {
      lastPage = await readRecords(read, workspaceId, beforeId)
      for (const { redactedAt, ...record } of lastPage) {
        listener.onRecord?.(record)
        totals.records += 1
        if (comparison !== null && (await compareRecord(comparison, record, redactedAt)) === 'copied')
          totals.copied += 1
      }
      listener.onProgress?.(totals.records)
      if (lastPage.length < PAGE_ROWS) break
    }
    if (comparison !== null) await reportMissingUntil(comparison, '')
  }
  return totals
}

async function openComparison(
  read: Queries,
  workspaceId: string,
  listener: ComparisonListener,
): Promise<Comparison | null> {
  const log = await openWorkspaceLog(read, workspaceId)
  return (
    log && {
      ...log,
      workspaceId,
      lastDeletion: await findLastDeletion(read, workspaceId),
      listener,
      changes: log.readChanges('record'),
      versions: new RowReader(PAGE_ROWS, (last) =>
        read.all(versionsBelow, {
          workspaceId,
          limit: PAGE_ROWS,
          beforeId: last?.record_id ?? HIGHEST_ID,
          beforeVersion: last?.version ?? 0,
        }),
      ),
    }
  )
}

/** Reads the next records, each with the time of its last redaction. */
async function readRecords(read: Queries, workspaceId: string, beforeId: string) {
  const rows = await read.all(recordsBelow, { workspaceId, beforeId, limit: PAGE_ROWS })
  const ids = rows.map(({ id }) => id)
  const redactions = ids.length === 0 ? [] : await read.all(redactionsByRecord, { workspaceId, ids })
  const redactedAt = new Map(redactions.map((row) => [row.record_id, row.redacted_at]))
  return rows.map((row) => ({ ...row, redactedAt: redactedAt.get(row.id) ?? null }))
}

/** Compares one record, and reports those that are missing before it. */
async function compareRecord(
  comparison: Comparison,
  record: RecordTable,
  redactedAt: number | null,
): Promise<'compared' | 'copied'> {
  const { workspaceId, listener, versions } = comparison
  await reportMissingUntil(comparison, record.id)
  const fields = new Set<string>()
  let result: 'compared' | 'copied' | 'unknown' = 'compared'
  try {
    for (const field of compareDerivedColumns(record, redactedAt)) fields.add(field)
    result = await compareHistory(comparison, record, redactedAt !== null, fields)
  } catch (error) {
    // A value that was written by hand can be one that Reeve does not read.
    if (!(error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError))
      throw error
    fields.add(`unreadable: ${error.message}`)
  }
  await skipRows(comparison.changes, (change) => change.target_id >= record.id)
  await skipRows(versions, (version) => version.record_id >= record.id)
  if (result === 'unknown' || fields.size > 0) {
    const kind = result === 'unknown' ? 'unknown' : 'changed'
    const { id, case_number: caseNumber } = record
    listener.onDifference({ workspaceId, id, caseNumber, kind, fields: [...fields] })
  }
  return result === 'copied' ? 'copied' : 'compared'
}

/**
 * Compares the versions of a record with its changes, newest first, as far as the log has them.
 * @param fields the differences are added to it
 */
async function compareHistory(
  comparison: Comparison,
  record: RecordTable,
  isRedacted: boolean,
  fields: Set<string>,
): Promise<'compared' | 'copied' | 'unknown'> {
  let current = record
  for (;;) {
    const change = await findChange(comparison, current)
    if (change === null) {
      if (current.sequence <= comparison.copiedUntil) return current === record ? 'copied' : 'compared'
      if (current === record && (await comparison.changes.peek())?.target_id !== record.id) return 'unknown'
      fields.add('sequence')
      return 'compared'
    }
    const before = current.version === 1 ? null : await readVersionBefore(comparison, current)
    if (before === undefined) {
      fields.add(`version ${current.version - 1}`)
      return 'compared'
    }
    // A roll-back can bring back a record that retention rules have deleted with its changes in the log.
    const isBlanked = isRedacted || (change.changes === null && change.sequence < comparison.lastDeletion)
    for (const { field, side } of compareChange(change, before, current, isBlanked)) {
      const version = side === 'after' ? current : (before ?? current)
      const isCurrent = version === record || hasSameField(record, version, field)
      if (!fields.has(field)) fields.add(isCurrent ? field : `${field} (version ${version.version})`)
    }
    if (before === null) return 'compared'
    current = before
  }
}

/** The change that made a version; null if the log has none. Leaves out changes that a roll-back has undone. */
async function findChange(
  { changes, getState }: Comparison,
  { id, sequence }: RecordTable,
): Promise<LoggedChange | null> {
  for (;;) {
    const change = await changes.peek()
    if (change?.target_id !== id || change.sequence < sequence) return null
    if (change.sequence > sequence && getState(change.sequence) === 'applied') return null
    changes.skip()
    if (change.sequence === sequence) return change
  }
}

/** Rebuilds the version before one; undefined if its row is missing. */
async function readVersionBefore(
  { versions }: Comparison,
  current: RecordTable,
): Promise<RecordTable | undefined> {
  const stored = await versions.peek()
  if (stored?.record_id !== current.id || stored.version !== current.version - 1) return undefined
  versions.skip()
  return applyVersion(current, stored.version, JSON.parse(stored.snapshot))
}

/**
 * Reports the records above an id that the log has and the table does not. A roll-back deletes records that are newer than its archive,
 * the erasure of a player all records of the player, and retention rules the changes in the log as well, which `verifyAudit` checks.
 */
async function reportMissingUntil(
  { workspaceId, changes, versions, getState, listener }: Comparison,
  id: string,
): Promise<void> {
  for (;;) {
    const change = await changes.peek()
    if (!change || change.target_id <= id) break
    const missingId = change.target_id
    let [isMissing, isErased, hasChanges] = [false, false, false]
    let caseNumber: number | null = null
    await skipRows(changes, ({ target_id, action, sequence, changes: json }) => {
      if (target_id !== missingId) return false
      if (getState(sequence) === 'applied') isMissing = true
      if (action === ERASE_RECORD) isErased = true
      if (json !== null) hasChanges = true
      caseNumber ??= readCaseNumber(json)
      return true
    })
    if (isMissing && !isErased && hasChanges)
      listener.onDifference({ workspaceId, id: missingId, caseNumber, kind: 'missing', fields: [] })
  }
  await skipRows(versions, ({ record_id }) => record_id > id)
}

function readCaseNumber(json: string | null): number | null {
  const number = Number(/"caseNumber":"(\d+)"/.exec(json ?? '')?.[1])
  return Number.isNaN(number) ? null : number
}

async function skipRows<Row>(reader: RowReader<Row>, matches: (row: Row) => boolean): Promise<void> {
  for (let row = await reader.peek(); row !== undefined && matches(row); row = await reader.peek())
    reader.skip()
}
