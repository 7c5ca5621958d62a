import { type StorageBytes, type StorageKind, sumStorage } from '@reeve/core'
import { type Queries, statement, type Transaction } from '@reeve/db'

const addStorage = statement<StorageBytes & { workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({
      record_bytes: eb('record_bytes', '+', p.records),
      image_bytes: eb('image_bytes', '+', p.images),
      evidence_bytes: eb('evidence_bytes', '+', p.evidence),
      archive_bytes: eb('archive_bytes', '+', p.archives),
      response_bytes: eb('response_bytes', '+', p.responses),
    }))
    .where('workspace_id', '=', p.workspaceId),
)
const storedBytes = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .innerJoin('workspace', 'workspace.id', 'workspace_head.workspace_id')
    .select([
      'record_bytes',
      'image_bytes',
      'evidence_bytes',
      'archive_bytes',
      'response_bytes',
      'storage_quota',
    ])
    .where('workspace_head.workspace_id', '=', p.workspaceId),
)
const expireCount = statement<{ workspaceId: string }>()((sql, p) =>
  sql.updateTable('workspace_head').set({ storage_counted_at: 0 }).where('workspace_id', '=', p.workspaceId),
)

const NOTHING: StorageBytes = { records: 0, images: 0, evidence: 0, archives: 0, responses: 0 }

/** The counters of a workspace, as rows have them. */
export interface StorageColumns {
  readonly record_bytes: number
  readonly image_bytes: number
  readonly evidence_bytes: number
  readonly archive_bytes: number
  readonly response_bytes: number
}

/** The stored bytes of a workspace. A counter below 0 has drifted, until the job corrects it. */
export const toStorageBytes = (row: StorageColumns): StorageBytes => ({
  records: Math.max(0, row.record_bytes),
  images: Math.max(0, row.image_bytes),
  evidence: Math.max(0, row.evidence_bytes),
  archives: Math.max(0, row.archive_bytes),
  responses: Math.max(0, row.response_bytes),
})

/**
 * Adds to the stored bytes of a workspace, in the transaction that stores or deletes them. Changes that are in the audit log add
 * the bytes of records together with their entry (`storedBytes`).
 * @param delta negative where bytes were deleted
 */
export async function changeStorage(
  tx: Transaction,
  workspaceId: string,
  kind: StorageKind,
  delta: number,
): Promise<void> {
  if (delta === 0) return
  await tx.send(addStorage, { workspaceId, ...NOTHING, [kind]: delta })
}

/** Adds to the stored bytes of several kinds, which may be negative. */
export async function correctStorage(
  tx: Transaction,
  workspaceId: string,
  deltas: StorageBytes,
): Promise<void> {
  await tx.send(addStorage, { workspaceId, ...deltas })
}

/** Has the stored bytes of a workspace counted again soon, after a change that does not count its rows. */
export async function requestRecount(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.run(expireCount, { workspaceId })
}

/** The stored bytes of a workspace and its own quota: null for the default, 0 for no limit. */
export interface StorageUsage {
  readonly bytes: StorageBytes
  readonly total: number
  readonly ownQuota: number | null
}

/** Reads the stored bytes of a workspace. */
export async function readStorage(
  db: Pick<Queries, 'first'>,
  workspaceId: string,
): Promise<StorageUsage | undefined> {
  const row = await db.first(storedBytes, { workspaceId })
  if (!row) return undefined
  const bytes = toStorageBytes(row)
  return { bytes, total: sumStorage(bytes), ownQuota: row.storage_quota }
}
