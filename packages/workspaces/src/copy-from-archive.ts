import {
  type AppContext,
  assertCanCreateWorkspace,
  findMembershipPermissions,
  isWorkspaceOpenTo,
  workspaceRequiresSecondFactor,
} from '@reeve/auth'
import {
  type Actor,
  AppError,
  COPY_ARCHIVE_PERMISSIONS,
  forbidden,
  missingFields,
  requirePermission,
} from '@reeve/core'
import { type ArchiveTable, type Queries, statement, type Transaction } from '@reeve/db'
import type { ArchiveKey } from './archive/reader.ts'
import { insertWorkspace, toWorkspaceRow } from './create.ts'
import { presentJob } from './jobs/model.ts'
import { assertCanStartJob, startJob } from './jobs/start-job.ts'
import { presentWorkspace } from './model.ts'
import { assertReady, requireArchive, resolveOwnerId } from './workspace-store.ts'

const archiveByMember = statement<{ accountId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('archive', 'archive.workspace_id', 'member.workspace_id')
    .selectAll('archive')
    .where('member.account_id', '=', p.accountId)
    .where('archive.id', '=', p.id)
    .where('archive.deleted_at', 'is', null),
)
const controlByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['mode', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where('endpoint', '=', 'workspaces'),
)

/** The archive to copy and the name of the new workspace. */
export interface CopyInput {
  readonly fromArchive?: string | undefined
  readonly groupName?: string | undefined
}

/**
 * Starts a job that creates a workspace from an archive: all of its content with the same IDs, continued case numbers and change
 * counter, and a new audit log. API keys are not copied. Nobody can see the workspace before it is complete.
 *
 * The signed-in account becomes the owner; for an API key, the owner of its workspace does. The owner at the time of the
 * archive, if different, remains a member with their other roles: a copy grants no one more than they had.
 * @throws AppError `not_found`, also for an archive of a workspace that the caller has no access to; `forbidden`,
 *   `conflict`, also at the limit of workspaces; `storage_quota_exceeded` if that of the archive's workspace is used up; `rate_limited`
 */
export async function copyFromArchive(
  tx: Transaction,
  { ports, settings, storage }: Pick<AppContext, 'ports' | 'settings' | 'storage'>,
  actor: Actor,
  input: CopyInput,
) {
  if (input.fromArchive === undefined) throw missingFields('fromArchive')
  const archive =
    actor.workspaceId === ''
      ? await requireArchiveOfMember(tx, actor, input.fromArchive)
      : await requireArchive(tx, actor.workspaceId, input.fromArchive)
  if (actor.workspaceId === '') await assertAccountCanCopy(tx, actor, archive, ports.now())
  else requirePermission(actor, 'workspace.create')
  assertReady(archive)
  // A session names no workspace when it copies, so this has not been checked before.
  await storage.assertAvailable(tx, archive.workspace_id, 'optional')
  const ownerId = await resolveOwnerId(tx, actor)
  await assertCanCreateWorkspace(tx, settings, ownerId)
  const workspaceId = archive.workspace_id
  await assertCanStartJob(tx, { ports, settings }, workspaceId)
  const groupName = input.groupName ?? archive.group_name
  const workspace = toWorkspaceRow(ports, actor, { groupName, ownerId })
  await tx.run(insertWorkspace, { ...workspace, hidden: 'building' })
  const job = await startJob(tx, { ports, settings }, actor, {
    kind: 'copy',
    workspaceId,
    archive_id: archive.id,
    new_workspace_id: workspace.id,
    group_name: groupName,
  })
  return { workspace: presentWorkspace(workspace), job: await presentJob(tx, job) }
}

/** Checks that the actor, with their permissions in the workspace of the archive, may copy it. @throws AppError `forbidden` */
export async function assertCanCopy(db: Queries, actor: Actor, archive: ArchiveKey): Promise<void> {
  if (actor.kind === 'account') return assertAccountCanCopy(db, actor, archive, null)
  requirePermission(actor, 'workspace.restore')
  requirePermission(actor, 'workspace.create')
}

async function requireArchiveOfMember(db: Queries, actor: Actor, id: string): Promise<ArchiveTable> {
  const archive = await db.first(archiveByMember, { accountId: actor.id, id })
  if (!archive) throw new AppError('not_found')
  return archive
}

/**
 * The gate authorized the account without a workspace, so this checks membership, endpoint control and permissions in the
 * archive's workspace.
 * @param now epoch milliseconds; null in the job, which has no session
 */
async function assertAccountCanCopy(
  db: Queries,
  actor: Actor,
  archive: ArchiveKey,
  now: number | null,
): Promise<void> {
  const membership = await findMembershipPermissions(db, archive.workspace_id, actor.id)
  if (!membership) throw new AppError('not_found')
  if (now !== null && !(await isWorkspaceOpenTo(db, membership, actor.sessionId, now)))
    throw workspaceRequiresSecondFactor()
  const control = await db.first(controlByWorkspace, { workspaceId: archive.workspace_id })
  if (control && control.mode !== 'on') {
    throw forbidden(
      control.mode === 'off' ? 'endpoint_disabled' : 'endpoint_read_only',
      control.message ?? undefined,
    )
  }
  for (const permission of COPY_ARCHIVE_PERMISSIONS) requirePermission(membership, permission)
}
