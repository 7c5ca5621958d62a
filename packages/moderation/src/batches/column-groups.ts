import { type RecordTable, VERSION_COLUMNS } from '@reeve/db'
import type { Transition } from './record-history.ts'

/** Columns of a record that change together, by the one that names the group. */

/** The columns that every change sets. */
const BOOKKEEPING: ReadonlySet<keyof RecordTable> = new Set(['updated_at', 'sequence', 'version'])

const GROUPS: Partial<Record<keyof RecordTable, keyof RecordTable>> = {
  in_force: 'ended',
  revoked_at: 'ended',
  revoked_by: 'ended',
  revoked_by_username: 'ended',
  revoked_by_platform_user_id: 'ended',
  revoke_reason: 'ended',
  duration_seconds: 'expires_at',
  evidence_count: 'evidence',
  evidence_file_count: 'evidence_files',
  comment_count: 'comments',
}

export type ColumnGroup = keyof RecordTable

const columns = VERSION_COLUMNS.filter((column) => !BOOKKEEPING.has(column))

const toGroup = (column: keyof RecordTable): ColumnGroup => GROUPS[column] ?? column

/** The columns of these groups. */
export const listColumns = (groups: ReadonlySet<ColumnGroup>): readonly (keyof RecordTable)[] =>
  columns.filter((column) => groups.has(toGroup(column)))

/** The groups that these changes have changed. That a sanction was marked as expired is no change of its own: it had expired. */
export function listGroups(transitions: readonly Transition[]): ReadonlySet<ColumnGroup> {
  const groups = new Set<ColumnGroup>()
  for (const { before, after } of transitions) {
    const isExpiry = before.ended === null && after.ended === 'expired'
    for (const column of columns) {
      const group = toGroup(column)
      if (before[column] !== after[column] && !(isExpiry && group === 'ended')) groups.add(group)
    }
  }
  return groups
}
