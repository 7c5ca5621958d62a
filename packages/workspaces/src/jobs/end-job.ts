import { beginEpoch } from '@reeve/audit'
import { type Actor, AppError, type Permission, type Ports, requirePermission } from '@reeve/core'
import {
  sqlLiteral,
  statement,
  type Transaction,
  type WorkspaceJobKind,
  type WorkspaceJobTable,
} from '@reeve/db'
import { actionPermissions } from '../action.ts'
import { changeWorkspace, hideArchive, requireArchive, requireWorkspace } from '../workspace-store.ts'
import { blankNamesAgain } from './former-members.ts'
import { canBeCancelled, hasBegunChanges, isFinished } from './job-rules.ts'
import { markJobEnded, requireJob } from './job-store.ts'

const hideWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace')
    .set({ hidden: sqlLiteral('deleting') })
    .where('id', '=', p.workspaceId),
)
/** The permission that starting a job of each kind requires, and cancelling it, too. */
const jobPermissions: Readonly<Record<WorkspaceJobKind, Permission>> = {
  archive: actionPermissions.archive,
  copy: actionPermissions.restore,
  roll_back: actionPermissions.restore,
  download: actionPermissions.archive,
}

/**
 * Ends a job that has not succeeded, and undoes what it has done as far as anyone can see it: the workspace of an archive
 * becomes active again. `deleteLeftovers` deletes the rest.
 * @param actor for the audit log
 * @returns false if the job has ended already
 */
export async function endJob(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  job: WorkspaceJobTable,
  state: 'failed' | 'cancelled',
  error: string | null,
): Promise<boolean> {
  const workspaceId = job.workspace_id
  const workspace = await requireWorkspace(tx, workspaceId)
  if (!(await markJobEnded(tx, ports, job, state, error))) return false
  if (job.new_archive_id !== null && !hasBegunChanges(job))
    await hideArchive(tx, ports, await requireArchive(tx, workspaceId, job.new_archive_id))
  if (job.new_workspace_id !== null) await tx.run(hideWorkspace, { workspaceId: job.new_workspace_id })
  if (job.kind === 'roll_back' && hasBegunChanges(job)) {
    await blankNamesAgain(tx, workspaceId)
    await beginEpoch(tx, workspaceId)
  }
  if (job.kind === 'archive') {
    await changeWorkspace(tx, ports, actor, workspace, {
      action: 'restore',
      archived_at: null,
      auditDetails: { jobId: job.id, jobState: state },
    })
  }
  return true
}

/**
 * Cancels a job. It stops before its next transaction.
 * @throws AppError `not_found`; `forbidden` without the permission that starting it requires; `conflict` if it is finished, or
 *   changes the workspace already
 */
export async function cancelJob(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  id: string,
): Promise<WorkspaceJobTable> {
  const job = await requireJob(tx, actor.workspaceId, id)
  requirePermission(actor, jobPermissions[job.kind])
  if (!canBeCancelled(job)) {
    throw new AppError('conflict', {
      message: isFinished(job)
        ? 'The job is already finished.'
        : 'The roll-back has begun to change the workspace, so it can no longer be cancelled. It ends by itself.',
    })
  }
  await endJob(tx, ports, actor, job, 'cancelled', null)
  return requireJob(tx, actor.workspaceId, id)
}
