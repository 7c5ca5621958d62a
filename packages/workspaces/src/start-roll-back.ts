import type { AppContext } from '@reeve/auth'
import { type Actor, AppError } from '@reeve/core'
import type { Transaction, WorkspaceTable } from '@reeve/db'
import { assertCanRollBack } from './can-roll-back.ts'
import { assertNotPendingDeletion } from './deletion/schedule.ts'
import { presentJob } from './jobs/model.ts'
import { assertCanStartJob, startJob } from './jobs/start-job.ts'
import { insertPreparingArchive } from './jobs/write-archive.ts'
import { presentArchive, presentWorkspace } from './model.ts'
import { assertReady, requireArchive } from './workspace-store.ts'

/**
 * Starts a job that rolls an archived workspace back to one of its archives and makes it active again. It archives the current
 * content first. Roles, members, endpoint controls, the profile link and, unless a name is given, the name become those of the
 * archive. The owner, API keys, redactions and what the workspace requires of second factors stay. Case numbers and the change counter continue. Only for the owner.
 * @throws AppError `forbidden` as `assertCanRollBack`; `not_found` for an archive of another workspace, `conflict`,
 *   `rate_limited`
 */
export async function startRollBack(
  tx: Transaction,
  context: Pick<AppContext, 'ports' | 'settings'>,
  actor: Actor,
  workspace: WorkspaceTable,
  input: { readonly fromArchive: string; readonly groupName?: string | undefined },
) {
  assertCanRollBack(actor)
  const archive = await requireArchive(tx, workspace.id, input.fromArchive)
  if (workspace.archived_at === null) {
    throw new AppError('conflict', {
      message: 'Only an archived workspace can be rolled back. Archive it first.',
    })
  }
  assertNotPendingDeletion(workspace)
  await assertCanStartJob(tx, context, workspace.id)
  assertReady(archive)
  const newArchive = await insertPreparingArchive(tx, context.ports, actor, workspace)
  const job = await startJob(tx, context, actor, {
    kind: 'roll_back',
    workspaceId: workspace.id,
    archive_id: archive.id,
    new_archive_id: newArchive.id,
    group_name: input.groupName ?? null,
  })
  return {
    workspace: presentWorkspace(workspace),
    archive: presentArchive(newArchive),
    job: await presentJob(tx, job),
  }
}
