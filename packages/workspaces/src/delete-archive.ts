import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, type Ports, requireFields } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { announceJob, findUnfinishedJob } from './jobs/job-store.ts'
import { presentArchive } from './model.ts'
import { hideArchive, requireArchive } from './workspace-store.ts'

/**
 * Deletes an archive. It disappears at once; its bytes are deleted in small transactions after that.
 * @throws AppError `not_found`; `conflict` while a job writes or reads it
 */
export async function deleteArchive(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly id?: string },
) {
  const { id } = requireFields(input, 'id')
  const { workspaceId } = actor
  const archive = await requireArchive(tx, workspaceId, id)
  const job = await findUnfinishedJob(tx, workspaceId)
  if (job && [job.archive_id, job.new_archive_id].includes(id)) {
    throw new AppError('conflict', {
      message: `A job uses this archive (job ${job.id}). Wait for it, or cancel it.`,
    })
  }
  await hideArchive(tx, ports, archive)
  await appendAuditEntry(tx, ports, actor, {
    action: 'archives.delete',
    target: { kind: 'archive', id },
    before: presentArchive(archive),
  })
  // Wakes the process that deletes the bytes, and updates lists of archives.
  announceJob(tx, archive)
  return { archive: presentArchive(archive) }
}
