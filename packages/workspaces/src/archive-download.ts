import { appendAuditEntry } from '@reeve/audit'
import type { AppContext } from '@reeve/auth'
import {
  type Actor,
  AppError,
  DOWNLOAD_ARCHIVE_PERMISSIONS,
  HOUR_MS,
  type Ports,
  requireFields,
  requirePermission,
  toSearchKey,
  wire,
} from '@reeve/core'
import {
  type ArchiveTable,
  type Database,
  type Queries,
  sqlLiteral,
  statement,
  type Transaction,
} from '@reeve/db'
import { readSlices } from './archive/reader.ts'
import { presentJob } from './jobs/model.ts'
import { assertCanStartJob, startJob } from './jobs/start-job.ts'
import { requireReadyArchive } from './workspace-store.ts'

const redactedSince = statement<{ workspaceId: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('redaction')
    .select('record_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('redacted_at', '>=', p.since)
    .limit(1),
)
const erasedSince = statement<{ workspaceId: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('erasure')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('created_at', '>=', p.since)
    .limit(1),
)
const verifiedSince = statement<{ workspaceId: string; archiveId: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('archive_id', '=', p.archiveId)
    .where('kind', '=', sqlLiteral('download'))
    .where('state', '=', sqlLiteral('succeeded'))
    .where('finished_at', '>', p.since)
    .limit(1),
)

/** How long an archive can be downloaded after its checksum was verified. */
const DOWNLOAD_TTL_MS = HOUR_MS

/** An archive as a downloadable file. */
export interface ArchiveFile {
  readonly name: string
  /** SHA-256 of the whole file in hex. */
  readonly sha256: string
  readonly bytes: () => ReadableStream<Uint8Array>
}

interface ArchiveInput {
  readonly id?: string
}

const ARCHIVE_AGAIN = 'To download a file, archive the workspace again.'

/** @throws AppError `not_found`, `forbidden` (`missing_permission`), `conflict` if it contains texts redacted or players erased since */
async function requireDownloadableArchive(
  db: Queries,
  actor: Actor,
  input: ArchiveInput,
): Promise<ArchiveTable> {
  const { id } = requireFields(input, 'id')
  for (const permission of DOWNLOAD_ARCHIVE_PERMISSIONS) requirePermission(actor, permission)
  const archive = await requireReadyArchive(db, actor.workspaceId, id)
  if (await db.first(redactedSince, { workspaceId: actor.workspaceId, since: archive.created_at })) {
    throw new AppError('conflict', {
      message:
        'This archive contains texts that have been redacted since it was created. You can restore it, which redacts ' +
        `them. ${ARCHIVE_AGAIN}`,
    })
  }
  if (await db.first(erasedSince, { workspaceId: actor.workspaceId, since: archive.created_at }))
    throw new AppError('conflict', {
      message:
        'This archive can contain a player who has been erased since it was created. You can restore it, which leaves ' +
        `the player out. ${ARCHIVE_AGAIN}`,
    })
  return archive
}

/**
 * Starts a job that verifies the checksum of an archive. The file can be downloaded for an hour after that. Requires every
 * permission that a copy of it requires.
 * @throws AppError as `openArchiveFile`; `rate_limited`
 */
export async function prepareDownload(
  tx: Transaction,
  context: Pick<AppContext, 'ports' | 'settings'>,
  actor: Actor,
  input: ArchiveInput,
) {
  const archive = await requireDownloadableArchive(tx, actor, input)
  const { workspaceId } = actor
  await assertCanStartJob(tx, context, workspaceId)
  const job = await startJob(tx, context, actor, { kind: 'download', workspaceId, archive_id: archive.id })
  return { job: await presentJob(tx, job) }
}

/**
 * Opens an archive for download. Requires every permission that a copy of it requires. Refuses an archive that contains texts
 * which have been redacted since or players who have been erased since, and one whose checksum has not been verified within an hour: after the first byte is sent, an
 * error response is no longer possible.
 * @throws AppError `not_found`, `forbidden` (`missing_permission`), `conflict`
 */
export async function openArchiveFile(
  db: Database,
  ports: Ports,
  actor: Actor,
  input: ArchiveInput,
): Promise<ArchiveFile> {
  const archive = await requireDownloadableArchive(db.read, actor, input)
  const { workspaceId } = actor
  const since = ports.now() - DOWNLOAD_TTL_MS
  if (!(await db.read.first(verifiedSince, { workspaceId, archiveId: archive.id, since })))
    throw new AppError('conflict', {
      message: 'Prepare the download first. The file is available for an hour then.',
    })
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
  const slug = toSearchKey(group_name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${slug || 'workspace'}-${wire.time.write(created_at).slice(0, 10)}.ndjson.zst`
}

/** Streams the bytes of an archive; slices are read on demand. */
function streamArchive(db: Database, archive: ArchiveTable): ReadableStream<Uint8Array> {
  const slices = readSlices(db.read, archive)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await slices.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await slices.return(undefined)
    },
  })
}
