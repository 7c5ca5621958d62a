import type { Queries } from '@reeve/db'
import { compareRecords, type RecordComparison, type RecordDifference } from '@reeve/moderation'
import { isInFuture } from '../clock-tolerance.ts'
import type { Progress } from '../command-line/command.ts'
import { MAX_NAMED, pluralize } from '../format.ts'
import type { FutureDates } from './dates.ts'
import { type Finding, fault, ok } from './finding.ts'

const ADVICE =
  'These records were changed without Reeve: by hand, by another program, or because the storage is damaged. The audit log in the ' +
  'portal shows what they should be. Correct changed fields there (Moderation → the case → Edit), or restore a backup from ' +
  'before the change (`reeve restore --from <backup>`). Find out who can write to the database.'

const COMPARED_COLUMNS = ['created_at', 'updated_at', 'acknowledged_at', 'revoked_at', 'redacted_at'] as const

/**
 * Compares every record with the audit log.
 * @param dates receives the records that are dated in the future
 */
export async function checkRecords(
  read: Queries,
  now: number,
  dates: FutureDates,
  progress: Progress,
): Promise<Finding> {
  const differences: RecordDifference[] = []
  let count = 0
  const comparison = await compareRecords(read, {
    onDifference(difference) {
      count += 1
      if (differences.length < MAX_NAMED) differences.push(difference)
    },
    onRecord(record) {
      const times = COMPARED_COLUMNS.map((column) => record[column] ?? 0)
      const newest = Math.max(...times)
      if (!isInFuture(newest, now)) return
      const { workspace_id: workspaceId, case_number: caseNumber, id } = record
      dates.addRecord({ workspaceId, caseNumber, id, at: newest })
    },
    onProgress: (records) => progress.update(`${records} records compared with the audit log`),
  })
  if (count === 0) return ok('records', formatComparison(comparison))
  const named = differences.map(formatDifference).join('; ')
  const others = count > differences.length ? `; and ${count - differences.length} more` : ''
  return {
    ...fault('records', `${formatCount(count)} from the audit log: ${named}${others}.`, ADVICE),
    records: differences,
  }
}

const formatCount = (count: number): string => (count === 1 ? '1 record differs' : `${count} records differ`)

function formatDifference({ workspaceId, caseNumber, id, kind, fields }: RecordDifference): string {
  const name = `${caseNumber === null ? 'a case' : `case ${caseNumber}`} of workspace ${workspaceId} (record ${id})`
  if (kind === 'missing') return `${name} is missing from the database`
  if (kind === 'unknown') return `${name} is not in the audit log`
  return `${name}: ${fields.join(', ')}`
}

function formatComparison({ records, copied, skippedWorkspaces }: RecordComparison): string {
  const notes = [
    ...(copied > 0
      ? [`${pluralize(copied, 'record')} of copied workspaces have no change since the copy to compare with`]
      : []),
    ...(skippedWorkspaces > 0
      ? [`${pluralize(skippedWorkspaces, 'workspace')} with an incomplete roll-back left out`]
      : []),
  ]
  const suffix = notes.length > 0 ? ` (${notes.join('; ')})` : ''
  return `All ${pluralize(records, 'record')} match the audit log${suffix}.`
}
