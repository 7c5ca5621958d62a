import { type AuditTable, statement, type Transaction } from '@reeve/db'
import { type AuditKey, hashActorName, hashBlankedChanges, hashChanges } from './authenticate.ts'

/** Rows per transaction: a few milliseconds. */
const ROWS_PER_SLICE = 200

const nextRows = statement<{ workspaceId: string; after: number; before: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('audit')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('sequence', '>', p.after)
      .where('sequence', '<', p.before)
      .orderBy('sequence')
      .limit(p.limit),
)
type BlankedColumns = Pick<
  AuditTable,
  'actor_name' | 'actor_name_hash' | 'changes' | 'changes_hash' | 'blanked_changes_hash'
>
const updateRow = statement<BlankedColumns & { workspaceId: string; sequence: number }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({
      actor_name: p.actor_name,
      actor_name_hash: p.actor_name_hash,
      changes: p.changes,
      changes_hash: p.changes_hash,
      blanked_changes_hash: p.blanked_changes_hash,
    })
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)

/** Whose name is blanked, in the rows before an entry that says so. */
export interface NameToBlank {
  readonly workspaceId: string
  readonly accountId: string
  /** The sequence of that entry. */
  readonly before: number
  /** Removes the name from the changes of a row. @returns the same text if it is not in them */
  readonly blankJson: (json: string, row: BlankedRow) => string
}

/** What the changes of a row are about. */
export type BlankedRow = Pick<AuditTable, 'at' | 'target_kind' | 'target_id'>

/**
 * Blanks the name of an account in the next rows of a chain, which stays valid: a row keeps hashes of what was removed.
 * @param after the sequence of the last row that was read
 * @returns the same for the next call; null at the end
 */
export async function blankNextRows(
  tx: Transaction,
  key: AuditKey,
  { workspaceId, accountId, before, blankJson }: NameToBlank,
  after: number,
): Promise<number | null> {
  const rows = await tx.all(nextRows, { workspaceId, after, before, limit: ROWS_PER_SLICE })
  for (const row of rows) {
    const isActor = row.actor_kind === 'account' && row.actor_id === accountId && row.actor_name !== ''
    const changes = row.changes === null ? null : blankJson(row.changes, row)
    if (!isActor && changes === row.changes) continue
    await tx.run(updateRow, {
      ...row,
      workspaceId,
      ...(isActor && { actor_name: '', actor_name_hash: hashActorName(key, row) }),
      ...(changes !== row.changes && blankChanges(key, row, changes ?? '')),
    })
  }
  return rows.length < ROWS_PER_SLICE ? null : (rows.at(-1)?.sequence ?? null)
}

/**
 * Removes texts from the changes of the next rows of a chain, which stays valid: a row keeps hashes of what was removed. A later entry
 * has to explain it (`ERASE_PLAYER`).
 * @param blankJson returns what to store in place of the changes of a row; the same text if nothing is removed
 * @param after the sequence of the last row that was read
 * @returns the same for the next call, null at the end; and how many rows were changed
 */
export async function blankNextChanges(
  tx: Transaction,
  key: AuditKey,
  workspaceId: string,
  blankJson: (json: string, targetKind: string) => string,
  after: number,
): Promise<{ readonly next: number | null; readonly blanked: number }> {
  const range = { workspaceId, after, before: Number.MAX_SAFE_INTEGER, limit: ROWS_PER_SLICE }
  const rows = await tx.all(nextRows, range)
  let blanked = 0
  for (const row of rows) {
    const changes = row.changes === null ? null : blankJson(row.changes, row.target_kind)
    if (changes === null || changes === row.changes) continue
    await tx.run(updateRow, { ...row, workspaceId, ...blankChanges(key, row, changes) })
    blanked += 1
  }
  return { next: rows.length < ROWS_PER_SLICE ? null : (rows.at(-1)?.sequence ?? null), blanked }
}

function blankChanges(key: AuditKey, row: AuditTable, changes: string) {
  const changesHash = row.changes_hash ?? hashChanges(row.changes ?? '')
  return {
    changes,
    changes_hash: changesHash,
    blanked_changes_hash: hashBlankedChanges(key, row, changesHash, changes),
  }
}
