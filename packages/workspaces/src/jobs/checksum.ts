import { createHash } from 'node:crypto'
import { appendAuditEntry } from '@reeve/audit'
import { parseActor } from '@reeve/auth'
import { type ArchiveTable, freeBytes, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { archiveDamagedError, readHeader, readSlices } from '../archive/reader.ts'
import { requireArchive } from '../workspace-store.ts'
import type { JobContext, RunStep } from './job-context.ts'
import { requireNewArchive } from './write-archive.ts'

const publishArchive = statement<
  Pick<ArchiveTable, 'sha256' | 'ready_at'> & { workspaceId: string; id: string }
>()((sql, p) =>
  sql
    .updateTable('archive')
    .set({ sha256: p.sha256, ready_at: p.ready_at })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** How much is hashed at a time: a fraction of a millisecond. */
const HASH_BYTES = 256 * 1024
/** The heartbeat of the job, and its progress, are saved every so many slices. */
const SLICES_PER_SAVE = 16

/** The SHA-256 of a whole archive in hex. Saves the progress of the job meanwhile. */
async function hashArchive(context: JobContext, archive: ArchiveTable): Promise<string> {
  const hash = createHash('sha256')
  const total = archive.size_bytes
  let done = 0
  let slices = 0
  for await (const bytes of readSlices(context.db.read, archive)) {
    for (let start = 0; start < bytes.length; start += HASH_BYTES) {
      hash.update(bytes.subarray(start, start + HASH_BYTES))
      await yieldToEventLoop()
    }
    done += bytes.length
    freeBytes(bytes)
    slices += 1
    if (slices % SLICES_PER_SAVE === 0) await context.save({ done, total })
  }
  return hash.digest('hex')
}

/** The archive that a job reads. @throws AppError `not_found` */
export function requireJobArchive(db: Queries, { job }: Pick<JobContext, 'job'>): Promise<ArchiveTable> {
  if (job.archive_id === null) throw new Error('the job reads no archive')
  return requireArchive(db, job.workspace_id, job.archive_id)
}

/** Verifies the checksum and the format of the archive that the job reads. @throws AppError `internal_error`, `conflict` */
export const verifyArchive: RunStep = async (context) => {
  const archive = await requireJobArchive(context.db.read, context)
  if ((await hashArchive(context, archive)) !== archive.sha256) throw archiveDamagedError()
  await readHeader(context.db.read, archive)
  return null
}

/** Computes the checksum of the archive that the job has written, and publishes it. */
export const completeArchive: RunStep = async (context) => {
  const { db, ports, job } = context
  const workspaceId = job.workspace_id
  const archive = await requireArchive(db.read, workspaceId, requireNewArchive(context))
  const sha256 = await hashArchive(context, archive)
  return async (tx) => {
    await tx.run(publishArchive, { workspaceId, id: archive.id, sha256, ready_at: ports.now() })
    // The audit entry of a roll-back names its archive.
    if (job.kind !== 'archive') return
    await appendAuditEntry(tx, ports, parseActor(job), {
      action: 'archives.create',
      target: { kind: 'archive', id: archive.id },
      after: { sha256, sizeBytes: String(archive.size_bytes) },
      chain: workspaceId,
    })
  }
}
