import { appendAuditEntry, startChain } from '@reeve/audit'
import { standingOf } from '@reeve/auth'
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
import { insertWorkspace, newWorkspace } from './create.ts'
import { shownWorkspace } from './model.ts'
import { putContent } from './put.ts'
import { redactionsIn } from './redacted.ts'
import { archiveOf, ownerFor } from './rows.ts'
import { unseal } from './unseal.ts'

const archiveOfMember = statement<{ accountId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('archive', 'archive.workspace_id', 'member.workspace_id')
    .selectAll('archive')
    .where('member.account_id', '=', p.accountId)
    .where('archive.id', '=', p.id),
)
const controlOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['mode', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where('endpoint', '=', 'workspaces'),
)
const continueCases = statement<{ workspaceId: string; caseNumber: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set({ case_number: p.caseNumber })
    .where('workspace_id', '=', p.workspaceId),
)

/** What is asked of a copy: which archive, and what the new workspace is called. */
export interface CopyInput {
  readonly fromArchive?: string | undefined
  readonly groupName?: string | undefined
}

/**
 * Makes a new workspace of an archive: all of its content under the same ids, with case numbers and the change counter
 * going on from there, and an audit log of its own. API keys do not come along.
 *
 * A session becomes the owner; for a key, its workspace's owner does. The owner at the time of the archive, if that is
 * someone else, stays a member with their other roles: a copy gives nobody more than they had, and nobody has to share
 * one with an owner they did not choose.
 * @throws AppError `not_found`, the same for an archive that never was and for one of a workspace the caller has no part
 *   in; `forbidden`
 */
export async function restoreCopy(tx: Transaction, ports: Ports, actor: Actor, input: CopyInput) {
  if (input.fromArchive === undefined) throw missingFields('fromArchive')
  const archive =
    actor.workspaceId === ''
      ? await forAccount(tx, actor, input.fromArchive)
      : await forKey(tx, actor, input.fromArchive)
  const ownerId = await ownerFor(tx, actor)
  const { header, lines } = await unseal(tx, archive)
  const workspace = newWorkspace(ports, actor, { groupName: input.groupName ?? archive.group_name, ownerId })
  const workspaceId = workspace.id
  await tx.run(insertWorkspace, workspace)
  await startChain(tx, workspaceId, header.sequence)
  await tx.run(continueCases, { workspaceId, caseNumber: header.caseNumber })
  const redactions = await redactionsIn(tx, archive.workspace_id)
  await putContent(tx, { header, lines }, { workspaceId, ownerId, now: ports.now() }, redactions)
  await toldOfCopy(tx, ports, actor, archive, workspace)
  return { workspace: shownWorkspace(workspace) }
}

/** Both logs know of it: that of the new workspace, and that of the one whose content went there. */
async function toldOfCopy(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  archive: ArchiveTable,
  workspace: WorkspaceTable,
): Promise<void> {
  const target = { kind: 'workspace', id: workspace.id }
  const after = { ...shownWorkspace(workspace), fromArchive: archive.id }
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

/** A key copies what its own workspace sealed. */
async function forKey(tx: Transaction, actor: Actor, archiveId: string) {
  requirePermission(actor, 'workspace.create')
  return await archiveOf(tx, actor.workspaceId, archiveId)
}

/**
 * An account that named no workspace was admitted to none, so what the gate asks is asked here, of the archive's
 * workspace: membership, its endpoint control, and permission.
 */
async function forAccount(tx: Transaction, actor: Actor, archiveId: string) {
  const archive = await tx.first(archiveOfMember, { accountId: actor.id, id: archiveId })
  const standing = archive && (await standingOf(tx, archive.workspace_id, actor.id))
  if (!archive || !standing) throw new AppError('not_found')
  const control = await tx.first(controlOf, { workspaceId: archive.workspace_id })
  if (control && control.mode !== 'on') {
    throw forbidden(
      control.mode === 'off' ? 'endpoint_disabled' : 'endpoint_read_only',
      control.message ?? undefined,
    )
  }
  for (const permission of COPY_ARCHIVE_PERMISSIONS) requirePermission(standing, permission)
  return archive
}
