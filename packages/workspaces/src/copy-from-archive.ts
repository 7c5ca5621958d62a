import { appendAuditEntry, startChain } from '@reeve/audit'
import { type AppContext, assertCanCreateWorkspace, findMembershipPermissions } from '@reeve/auth'
import {
  type Actor,
  AppError,
  COPY_ARCHIVE_PERMISSIONS,
  forbidden,
  missingFields,
  type Ports,
  requirePermission,
} from '@reeve/core'
import { type ArchiveTable, statement, type Transaction, type WorkspaceTable } from '@reeve/db'
import { openArchive } from './archive/reader.ts'
import { loadRedactions } from './archive/redactions.ts'
import { restoreContent } from './archive/restore.ts'
import { insertWorkspace, toWorkspaceRow } from './create.ts'
import { presentWorkspace } from './model.ts'
import { requireArchive, resolveOwnerId } from './workspace-store.ts'

const archiveByMember = statement<{ accountId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('archive', 'archive.workspace_id', 'member.workspace_id')
    .selectAll('archive')
    .where('member.account_id', '=', p.accountId)
    .where('archive.id', '=', p.id),
)
const controlByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['mode', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where('endpoint', '=', 'workspaces'),
)
const updateCaseNumber = statement<{ workspaceId: string; caseNumber: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set({ case_number: p.caseNumber })
    .where('workspace_id', '=', p.workspaceId),
)

/** The archive to copy and the name of the new workspace. */
export interface CopyInput {
  readonly fromArchive?: string | undefined
  readonly groupName?: string | undefined
}

/**
 * Creates a workspace from an archive: all of its content with the same IDs, continued case numbers and change counter, and a
 * new audit log. API keys are not copied.
 *
 * The signed-in account becomes the owner; for an API key, the owner of its workspace does. The owner at the time of the
 * archive, if different, remains a member with their other roles: a copy grants no one more than they had.
 * @throws AppError `not_found`, also for an archive of a workspace that the caller has no access to; `forbidden`,
 *   `conflict`, also at the limit of workspaces; `storage_quota_exceeded` if that of the archive's workspace is used up
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
      ? await requireArchiveForAccount(tx, actor, input.fromArchive)
      : await requireArchiveForKey(tx, actor, input.fromArchive)
  // A session names no workspace when it copies, so this has not been checked before.
  await storage.assertAvailable(tx, archive.workspace_id, 'optional')
  const ownerId = await resolveOwnerId(tx, actor)
  await assertCanCreateWorkspace(tx, settings, ownerId)
  const { header, lines } = await openArchive(tx, archive)
  const workspace = toWorkspaceRow(ports, actor, {
    groupName: input.groupName ?? archive.group_name,
    ownerId,
    profileUrl: header.profileUrl ?? null,
  })
  const workspaceId = workspace.id
  await tx.run(insertWorkspace, workspace)
  await startChain(tx, workspaceId, header.sequence)
  await tx.run(updateCaseNumber, { workspaceId, caseNumber: header.caseNumber })
  const redactions = await loadRedactions(tx, archive.workspace_id)
  await restoreContent(tx, { header, lines }, { workspaceId, ownerId, now: ports.now() }, redactions)
  await recordCopy(tx, ports, actor, archive, workspace)
  return { workspace: presentWorkspace(workspace) }
}

/** Records the copy in the audit logs of the new and of the original workspace. */
async function recordCopy(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  archive: ArchiveTable,
  workspace: WorkspaceTable,
): Promise<void> {
  const target = { kind: 'workspace', id: workspace.id }
  const after = { ...presentWorkspace(workspace), fromArchive: archive.id }
  await appendAuditEntry(tx, ports, actor, {
    action: 'workspaces.restore',
    target,
    after,
    chain: workspace.id,
  })
  await appendAuditEntry(tx, ports, actor, {
    action: 'workspaces.copy',
    target,
    after,
    chain: archive.workspace_id,
  })
  tx.announce({ kind: 'workspace', workspaceId: workspace.id, id: workspace.id })
}

/** An API key can copy only archives of its own workspace. */
async function requireArchiveForKey(tx: Transaction, actor: Actor, archiveId: string) {
  requirePermission(actor, 'workspace.create')
  return await requireArchive(tx, actor.workspaceId, archiveId)
}

/**
 * The gate authorized the account without a workspace, so this checks membership, endpoint control and permissions in the
 * archive's workspace.
 */
async function requireArchiveForAccount(tx: Transaction, actor: Actor, archiveId: string) {
  const archive = await tx.first(archiveByMember, { accountId: actor.id, id: archiveId })
  const membership = archive && (await findMembershipPermissions(tx, archive.workspace_id, actor.id))
  if (!archive || !membership) throw new AppError('not_found')
  const control = await tx.first(controlByWorkspace, { workspaceId: archive.workspace_id })
  if (control && control.mode !== 'on') {
    throw forbidden(
      control.mode === 'off' ? 'endpoint_disabled' : 'endpoint_read_only',
      control.message ?? undefined,
    )
  }
  for (const permission of COPY_ARCHIVE_PERMISSIONS) requirePermission(membership, permission)
  return archive
}
