import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  DOWNLOAD_ARCHIVE_PERMISSIONS,
  normalizeName,
  type Ports,
  requireFields,
  requirePermission,
  wire,
} from '@reeve/core'
import { type ArchiveTable, type Database, statement } from '@reeve/db'
import { assertArchiveIntact, readParts } from './archive/reader.ts'
import { requireArchive } from './workspace-store.ts'

const redactedSince = statement<{ workspaceId: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('redacted_at', '>=', p.since)
    .limit(1),
)

/** An archive as a downloadable file. */
export interface ArchiveFile {
  readonly name: string
  /** SHA-256 of the whole file in hex. */
  readonly sha256: string
  readonly bytes: () => ReadableStream<Uint8Array>
}

/**
 * Opens an archive for download. Requires every permission that a copy of it requires. Refuses an archive that contains texts
 * which have been redacted since.
 * @throws AppError `not_found`, `forbidden` (`missing_permission`), `conflict`, `internal_error` if it is damaged
 */
export async function openArchiveFile(
  db: Database,
  actor: Actor,
  input: { readonly id?: string },
): Promise<ArchiveFile> {
  const { id } = requireFields(input, 'id')
  for (const permission of DOWNLOAD_ARCHIVE_PERMISSIONS) requirePermission(actor, permission)
  const archive = await requireArchive(db.read, actor.workspaceId, id)
  if (await db.read.first(redactedSince, { workspaceId: actor.workspaceId, since: archive.created_at })) {
    throw new AppError('conflict', {
      message:
        'This archive contains texts that have been redacted since it was created. You can restore it, which redacts ' +
        'them. To download a file, archive the workspace again.',
    })
  }
  // Checked before the first byte is sent: after that, an error response is no longer possible.
  await assertArchiveIntact(db.read, archive)
  return {
    name: toFileName(archive),
    sha256: archive.sha256,
    bytes: () => streamArchive(db, archive),
  }
}

/** Records the download in the audit log. */
export const recordDownload = (db: Database, ports: Ports, actor: Actor, id: string, file: ArchiveFile) =>
  db.write((tx) =>
    appendAuditEntry(tx, ports, actor, {
      action: 'archives.download',
      target: { kind: 'archive', id },
      after: { sha256: file.sha256 },
    }),
  )

/** A portable file name, such as `night-shift-2026-03-01.ndjson.zst`. */
function toFileName({ group_name, created_at }: ArchiveTable): string {
  const slug = normalizeName(group_name)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${slug || 'workspace'}-${wire.time.write(created_at).slice(0, 10)}.ndjson.zst`
}

/** Streams the bytes of an archive; parts are read on demand. */
function streamArchive(db: Database, archive: ArchiveTable): ReadableStream<Uint8Array> {
  const parts = readParts(db.read, archive)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
