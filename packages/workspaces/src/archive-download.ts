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

/** What one archive is as a file. */
export interface ArchiveFile {
  readonly name: string
  /** In hex, of all its bytes. */
  readonly sha256: string
  readonly bytes: () => ReadableStream<Uint8Array>
}

/**
 * An archive as a file. Whoever takes it away must be allowed all that a copy of it asks for; texts that were redacted
 * since it was sealed are in it still, so then it is not given out.
 * @throws AppError `not_found`, `forbidden` (`missing_permission`), `conflict`, `internal_error` where it is damaged
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
        'Texts were redacted since this archive was sealed, and it holds them still. It can be restored, which blanks ' +
        'them; to take a file away, archive the workspace anew.',
    })
  }
  // Before its first byte goes out: once it has, nothing can be said any more.
  await assertArchiveIntact(db.read, archive)
  return {
    name: toFileName(archive),
    sha256: archive.sha256,
    bytes: () => streamArchive(db, archive),
  }
}

/** Notes in the log that an archive was taken away. */
export const recordDownload = (db: Database, ports: Ports, actor: Actor, id: string, file: ArchiveFile) =>
  db.write((tx) =>
    appendAuditEntry(tx, ports, actor, {
      action: 'archives.download',
      target: { kind: 'archive', id },
      after: { sha256: file.sha256 },
    }),
  )

/** A file name that every system takes: `night-shift-2026-03-01.ndjson.zst`. */
function toFileName({ group_name, created_at }: ArchiveTable): string {
  const slug = normalizeName(group_name)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${slug || 'workspace'}-${wire.time.write(created_at).slice(0, 10)}.ndjson.zst`
}

/** The bytes of an archive, a part at a time as they are asked for. */
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
