import { appendAuditEntry, markBulkChange } from '@reeve/audit'
import { parseActor } from '@reeve/auth'
import type { Actor, Ports } from '@reeve/core'
import type { ImportTable, Transaction } from '@reeve/db'
import { updateImport } from './store.ts'

/**
 * Ends an import. Followers of the feed read a snapshot then, if it has changed records.
 * @param error why it failed, or what to check although it has succeeded
 * @param actor who ends it; default: who has begun it
 */
export async function endImport(
  tx: Transaction,
  ports: Ports,
  row: ImportTable,
  state: 'succeeded' | 'failed' | 'cancelled',
  error: string | null,
  actor?: Actor,
): Promise<ImportTable> {
  const { id, workspace_id: workspaceId, created_count, merged_count, superseded_count, lifted_count } = row
  if (row.is_dry_run === 0 && created_count + merged_count + superseded_count + lifted_count > 0) {
    // Its sequence is one that no follower has got to yet: one that has seen the last record reads the snapshot too.
    await appendAuditEntry(tx, ports, actor ?? parseActor(row), {
      action: 'imports.end',
      target: { kind: 'import', id },
      after: {
        fileName: row.file_name,
        state,
        created: String(created_count),
        merged: String(merged_count),
        superseded: String(superseded_count),
        lifted: String(lifted_count),
      },
      chain: workspaceId,
    })
    await markBulkChange(tx, workspaceId)
  }
  return updateImport(tx, row, { state, error, finished_at: ports.now(), runner: null, heartbeat_at: null })
}
