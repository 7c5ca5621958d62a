import {
  createTimeSlicer,
  type EvidenceFileTable,
  type EvidencePartTable,
  freeBytes,
  insertAll,
  type Queries,
  statement,
  type Transaction,
  upsertAll,
} from '@reeve/db'
import { content } from './content.ts'
import type { Row } from './content-statements.ts'
import { decodeBinaryValue } from './format.ts'
import { findRedactions } from './redactions.ts'

const upsertFile = statement<EvidenceFileTable>()((sql, p) =>
  upsertAll(sql, 'evidence_file', p, ['workspace_id', 'id']),
)
const insertPart = statement<EvidencePartTable>()((sql, p) =>
  insertAll(sql, 'evidence_part', p).onConflict((conflict) => conflict.doNothing()),
)
const currentFile = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('evidence_file')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null),
)
const storedPart = statement<{ workspaceId: string; id: string; part: number }>()((sql, p) =>
  sql
    .selectFrom('evidence_part')
    .select('part')
    .where('workspace_id', '=', p.workspaceId)
    .where('file_id', '=', p.id)
    .where('part', '=', p.part),
)

/** Whether lines of an archive have evidence files or their content. */
export const isEvidenceKind = (kind: string): boolean =>
  kind === content.evidence_file.kind || kind === content.evidence_part.kind

interface EvidenceRestore {
  /** The workspace that was archived. */
  readonly source: string
  /** The workspace that gets the files. */
  readonly workspaceId: string
  /** The current time: what is restored now counts as new for cleanup, until its record is restored. */
  readonly now: number
}

/**
 * Restores evidence files of an archive that are not stored any more. Files that had been removed when the archive was created, and
 * those of records that have been redacted since, are left out. Whatever no record lists in the end is deleted after a day.
 * @param kind one of `isEvidenceKind`
 * @returns inserts them
 */
export async function prepareEvidence(
  db: Queries,
  kind: string,
  rows: readonly Row[],
  { source, workspaceId, now }: EvidenceRestore,
): Promise<(tx: Transaction) => Promise<void>> {
  if (kind === content.evidence_part.kind) return (tx) => insertParts(tx, workspaceId, rows)
  const redactedAt = await findRedactions(
    db,
    source,
    rows.map((row) => String(row.record_id)),
  )
  const restored = rows.filter((row) => row.deleted_at === null && !redactedAt.has(row.record_id))
  return async (tx) => {
    for (const row of restored) {
      const file = row as unknown as EvidenceFileTable
      if (await tx.first(currentFile, { workspaceId, id: file.id })) continue
      await tx.run(upsertFile, { ...file, workspace_id: workspaceId, created_at: now })
    }
  }
}

async function insertParts(tx: Transaction, workspaceId: string, rows: readonly Row[]): Promise<void> {
  const yieldIfDue = createTimeSlicer()
  for (const { bytes: encoded, ...row } of rows) {
    const id = String(row.file_id)
    const part = Number(row.part)
    // Most files of a workspace that is rolled back are still stored.
    if (!(await tx.first(currentFile, { workspaceId, id }))) continue
    if (await tx.first(storedPart, { workspaceId, id, part })) continue
    const bytes = decodeBinaryValue(encoded)
    await tx.run(insertPart, { workspace_id: workspaceId, file_id: id, part, bytes })
    freeBytes(bytes)
    await yieldIfDue()
  }
}
