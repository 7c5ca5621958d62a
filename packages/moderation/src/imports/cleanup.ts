import { DAY_MS, type Ports } from '@reeve/core'
import { createPartDeletion, type Database, runInSlices, statement, type Transaction } from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { endImport } from './end.ts'
import { DRY_RUN_FILE_MS } from './start.ts'
import { deleteImportIssues, requireImport } from './store.ts'

/** How long the report of an import is kept. */
const REPORT_DAYS = 30
/** How long an import waits for the next piece of its file. */
const RECEIVING_MS = DAY_MS
/** A piece has up to 256 KiB. */
const PARTS_PER_SLICE = 8

const importWithFile = statement<{ before: number }>()((sql, p) =>
  sql
    .selectFrom('import')
    .select(['workspace_id', 'id', 'size_bytes'])
    .where((eb) => eb('has_parts', '=', eb.lit(1)))
    .where('finished_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('is_dry_run', '=', 0), eb('state', '!=', 'succeeded'), eb('finished_at', '<=', p.before)]),
    )
    .limit(1),
)
const deleteParts = createPartDeletion('import_part')
const markWithoutFile = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('import')
    .set((eb) => ({ has_parts: eb.lit(0) }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where((eb) => eb('has_parts', '=', eb.lit(1))),
)
const finishedWithFile = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('import')
    .select(['id', 'size_bytes'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb('has_parts', '=', eb.lit(1)))
    .where('finished_at', 'is not', null)
    .limit(1),
)
const oldImport = statement<{ before: number }>()((sql, p) =>
  sql
    .selectFrom('import')
    .select(['workspace_id', 'id'])
    .where('finished_at', '<=', p.before)
    .where((eb) => eb('has_parts', '=', eb.lit(0)))
    .limit(1),
)
const deleteImport = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('import').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const abandonedImport = statement<{ before: number }>()((sql, p) =>
  sql
    .selectFrom('import')
    .select(['workspace_id', 'id'])
    .where('state', '=', 'receiving')
    .where('finished_at', 'is', null)
    .where((eb) => eb(eb.fn.coalesce('heartbeat_at', 'created_at'), '<=', p.before))
    .limit(1),
)

/** Deletes the files of imports that no longer need them, in slices. */
export async function deleteImportFiles(db: Database, ports: Ports, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await db.read.first(importWithFile, { before: ports.now() - DRY_RUN_FILE_MS })
    if (!next) return
    const key = { workspaceId: next.workspace_id, id: next.id }
    await runInSlices(db, deleteParts, key, signal, PARTS_PER_SLICE)
    if (signal.aborted) return
    await db.write((tx) => recordFileDeletion(tx, key, next.size_bytes))
  }
}

/** Says that the file of an import is no longer stored, and counts it no longer. */
async function recordFileDeletion(
  tx: Transaction,
  key: { readonly workspaceId: string; readonly id: string },
  sizeBytes: number,
): Promise<void> {
  // Another process may have said so in the meantime.
  if ((await tx.run(markWithoutFile, key)) === 0) return
  await changeStorage(tx, key.workspaceId, 'records', -sizeBytes)
  tx.announce({ kind: 'import', ...key })
}

/** Deletes a part of the files of the finished imports of a workspace, also those of dry runs. @returns whether none is left */
export async function deleteSomeImportFiles(tx: Transaction, workspaceId: string): Promise<boolean> {
  const next = await tx.first(finishedWithFile, { workspaceId })
  if (!next) return true
  const key = { workspaceId, id: next.id }
  const deleted = await tx.run(deleteParts, { ...key, limit: PARTS_PER_SLICE })
  if (deleted === PARTS_PER_SLICE) return false
  await recordFileDeletion(tx, key, next.size_bytes)
  return false
}

/** Cancels imports whose file does not arrive, and deletes old reports. */
export async function deleteOldImports(db: Database, ports: Ports, signal: AbortSignal): Promise<void> {
  const now = ports.now()
  while (!signal.aborted) {
    const abandoned = await db.read.first(abandonedImport, { before: now - RECEIVING_MS })
    if (!abandoned) break
    await db.write(async (tx) => {
      const row = await requireImport(tx, abandoned.workspace_id, abandoned.id)
      if (row.state === 'receiving')
        await endImport(tx, ports, row, 'failed', 'The rest of the file was not sent within a day.')
    })
  }
  await deleteImportFiles(db, ports, signal)
  while (!signal.aborted) {
    const old = await db.read.first(oldImport, { before: now - REPORT_DAYS * DAY_MS })
    if (!old) return
    const key = { workspaceId: old.workspace_id, id: old.id }
    await deleteImportIssues(db, key, signal)
    if (!signal.aborted) await db.write((tx) => tx.run(deleteImport, key))
  }
}
