import type { AuditTable } from '@reeve/db'
import { type AuditKey, GENESIS, hashBlankedChanges, hashRow, sealHead, toHashedRow } from './authenticate.ts'

/** Faults of rows that no later row explains. */
export const UNEXPLAINED =
  'its changes were removed, and no later redaction or deletion of the record explains that'
export const UNEXPLAINED_NAME = 'a name was removed from it, and no later entry says that it was blanked'

/** Whether a blanked name is empty, and the changes in which names were blanked are those that this program has written. */
function isProvenBlanking(key: AuditKey, row: AuditTable): boolean {
  const { actor_name, actor_name_hash, changes, changes_hash, blanked_changes_hash } = row
  if (actor_name_hash !== null && actor_name !== '') return false
  if (changes === null || changes_hash === null) return true
  return hashBlankedChanges(key, row, changes_hash, changes) === blanked_changes_hash
}

/** What is wrong with a row itself; null if nothing is. */
export function findRowFault(
  key: AuditKey | null,
  row: AuditTable,
  previous: AuditTable | null,
): string | null {
  if (previous !== null && row.sequence !== previous.sequence + 1) return 'a row before this one is missing'
  if (key === null) return null
  const seal = sealHead(key, row.workspace_id, row.sequence - 1, previous?.hash ?? GENESIS)
  if (hashRow(key, toHashedRow(key, row, seal)) === row.hash && isProvenBlanking(key, row)) return null
  return previous === null ? 'a row before this one is missing, or it was altered' : 'the row was altered'
}
