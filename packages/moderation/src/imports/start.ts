import { appendAuditEntry } from '@reeve/audit'
import { serializeActor } from '@reeve/auth'
import { type Actor, AppError, HOUR_MS, type Ports, requireFields } from '@reeve/core'
import type { ImportTable, Transaction } from '@reeve/db'
import { changeStorage, type StorageGuard } from '@reeve/metering'
import { assertCanImport } from '../limits/assert-limits.ts'
import { type ImportIdInput, type ImportInput, type ImportPartInput, presentImport } from './model.ts'
import {
  findUnfinishedImport,
  insertImport,
  insertImportPart,
  noProgress,
  requireImport,
  updateImport,
} from './store.ts'

/** How long the file of a dry run is stored, so that it can be applied. */
export const DRY_RUN_FILE_MS = HOUR_MS

/**
 * Begins an import, whose file is sent in pieces with `addImportPart` then.
 * @throws AppError `invalid_request`; `conflict` while another import of the workspace is unfinished; `storage_quota_exceeded` if the
 *   file does not fit; `forbidden` as `assertCanImport`
 */
export async function beginImport(
  tx: Transaction,
  { ports, storage }: { readonly ports: Ports; readonly storage: StorageGuard },
  actor: Actor,
  input: ImportInput,
) {
  const { format, fileName, sizeBytes } = requireFields(input, 'format', 'fileName', 'sizeBytes')
  assertCanImport(actor)
  const existing = await findUnfinishedImport(tx, actor.workspaceId)
  if (existing)
    throw new AppError('conflict', {
      message: `Another import of this workspace is not finished: ${existing.file_name}. Wait for it, or cancel it.`,
    })
  await storage.assertFits(tx, actor.workspaceId, sizeBytes)
  const row: ImportTable = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    format,
    source: input.source ?? format,
    conflicts: input.conflicts ?? 'skip',
    is_dry_run: input.dryRun === true ? 1 : 0,
    keeps_ip: input.keepIp === true ? 1 : 0,
    columns: input.columns === undefined ? null : JSON.stringify(input.columns),
    default_action: input.defaultAction ?? 'ban',
    file_name: fileName,
    size_bytes: sizeBytes,
    received_bytes: 0,
    part_count: 0,
    state: 'receiving',
    error: null,
    ...noProgress,
    has_parts: 1,
    actor: serializeActor(actor),
    runner: null,
    heartbeat_at: null,
    created_at: ports.now(),
    started_at: null,
    finished_at: null,
  }
  await insertImport(tx, row)
  // Counted now, until the file is deleted, so that nothing else uses the space that it needs.
  await changeStorage(tx, row.workspace_id, 'records', sizeBytes)
  return { import: presentImport(row) }
}

/**
 * Stores the next piece of the file; with the last one, the import is queued. A piece that was stored before is ignored, so that it can be
 * sent again after an error.
 * @throws AppError `invalid_request`, `not_found`, `conflict`
 */
export async function addImportPart(tx: Transaction, ports: Ports, actor: Actor, input: ImportPartInput) {
  const { id, part, data } = requireFields(input, 'id', 'part', 'data')
  const row = await requireImport(tx, actor.workspaceId, id)
  if (part < row.part_count) return { import: presentImport(row) }
  if (row.state !== 'receiving')
    throw new AppError('conflict', { message: 'This import does not receive a file any more.' })
  if (part > row.part_count)
    throw new AppError('conflict', { message: `Piece ${row.part_count} of the file is next, not ${part}.` })
  const received = row.received_bytes + data.length
  if (received > row.size_bytes)
    throw new AppError('conflict', { message: `The file is larger than announced: ${row.size_bytes} bytes.` })
  await insertImportPart(tx, { workspace_id: row.workspace_id, import_id: row.id, part, bytes: data })
  const changed = await updateImport(tx, row, {
    received_bytes: received,
    part_count: part + 1,
    // Says that it is still being sent.
    heartbeat_at: ports.now(),
    ...(received === row.size_bytes && { state: 'queued' as const, heartbeat_at: null }),
  })
  if (changed.state === 'queued' && changed.is_dry_run === 0) await recordStart(tx, ports, actor, changed)
  return { import: presentImport(changed) }
}

/** Appends the beginning of an import to the audit log. Its records have entries of their own. */
const recordStart = (tx: Transaction, ports: Ports, actor: Actor, row: ImportTable): Promise<number> =>
  appendAuditEntry(tx, ports, actor, {
    action: 'imports.start',
    target: { kind: 'import', id: row.id },
    after: {
      fileName: row.file_name,
      format: row.format,
      source: row.source,
      conflicts: row.conflicts,
      sizeBytes: String(row.size_bytes),
    },
  })

/**
 * Imports the file of a dry run.
 * @throws AppError `not_found`; `conflict` unless it is a dry run that has succeeded, and whose file is still stored; `forbidden` as
 *   `assertCanImport`
 */
export async function applyDryRun(tx: Transaction, ports: Ports, actor: Actor, input: ImportIdInput) {
  const { id } = requireFields(input, 'id')
  assertCanImport(actor)
  const row = await requireImport(tx, actor.workspaceId, id)
  if (row.is_dry_run === 0 || row.state !== 'succeeded')
    throw new AppError('conflict', { message: 'Only a dry run that has succeeded can be applied.' })
  if (row.has_parts === 0)
    throw new AppError('conflict', {
      message: 'The file of this dry run is no longer stored. Import it again.',
    })
  const existing = await findUnfinishedImport(tx, actor.workspaceId)
  if (existing)
    throw new AppError('conflict', { message: 'Another import of this workspace is not finished.' })
  const changed = await updateImport(tx, row, {
    ...noProgress,
    is_dry_run: 0,
    state: 'queued',
    error: null,
    actor: serializeActor(actor),
    runner: null,
    heartbeat_at: null,
    started_at: null,
    finished_at: null,
  })
  await recordStart(tx, ports, actor, changed)
  return { import: presentImport(changed) }
}
