import { markBulkChange } from '@reeve/audit'
import type { Ports } from '@reeve/core'
import type { ImportTable, Transaction } from '@reeve/db'
import { updateImport } from './store.ts'

/** Ends an import. Followers of the feed read a snapshot then, if it has changed records. */
export async function endImport(
  tx: Transaction,
  ports: Ports,
  row: ImportTable,
  state: 'succeeded' | 'failed' | 'cancelled',
  error: string | null,
): Promise<ImportTable> {
  const { created_count, merged_count, superseded_count, is_dry_run } = row
  if (is_dry_run === 0 && created_count + merged_count + superseded_count > 0)
    await markBulkChange(tx, row.workspace_id)
  return updateImport(tx, row, { state, error, finished_at: ports.now(), runner: null, heartbeat_at: null })
}
