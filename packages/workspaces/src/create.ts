import { appendAuditEntry, startChain, WORKSPACE_CREATION } from '@reeve/audit'
import { type Actor, normalizeName, OWNER_RANK, type Ports, permissions, wire } from '@reeve/core'
import {
  insertAll,
  insertMember,
  insertMemberRole,
  insertRole,
  statement,
  type Transaction,
  type WorkspaceTable,
} from '@reeve/db'

/** Inserts the workspace row only. */
export const insertWorkspace = statement<WorkspaceTable>()((sql, p) => insertAll(sql, 'workspace', p))

export interface CreateWorkspaceInput {
  readonly groupName: string
  readonly ownerId: string
  /** The template of links to players' profiles; none by default. */
  readonly profileUrl?: string | null
}

/** The row of a new workspace. */
export const toWorkspaceRow = (ports: Ports, actor: Actor, input: CreateWorkspaceInput): WorkspaceTable => {
  const now = ports.now()
  return {
    id: ports.newId(),
    group_name: input.groupName,
    group_key: normalizeName(input.groupName),
    owner_id: input.ownerId,
    created_by: actor.id,
    created_at: now,
    updated_at: now,
    archived_at: null,
    delete_at: null,
    monthly_quota: null,
    storage_quota: null,
    profile_url: input.profileUrl ?? null,
    approval_hours: null,
    platforms: null,
    pseudonym_key: null,
    erasure_key: null,
    second_factor_permissions: null,
    second_factor_grace_days: null,
    hidden: null,
    version: 1,
  }
}

/** Creates a workspace, its owner role with the owner as member, and its audit chain. */
export async function createWorkspace(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: CreateWorkspaceInput,
): Promise<{ workspace: WorkspaceTable; ownerRoleId: string }> {
  const workspace = toWorkspaceRow(ports, actor, input)
  const now = workspace.created_at
  const ownerRoleId = ports.newId()
  await tx.run(insertWorkspace, workspace)
  await startChain(tx, ports, workspace.id)
  await tx.run(insertRole, {
    workspace_id: workspace.id,
    id: ownerRoleId,
    name: 'Owner',
    name_key: normalizeName('Owner'),
    color: null,
    rank: OWNER_RANK,
    permissions: wire.permissionSet.write(permissions),
    limits: null,
    is_owner: 1,
    second_factor_since: null,
    created_at: now,
    updated_at: now,
    version: 1,
  })
  const ownerKey = { workspaceId: workspace.id, accountId: input.ownerId }
  await tx.run(insertMember, { ...ownerKey, now })
  await tx.run(insertMemberRole, { ...ownerKey, roleId: ownerRoleId, now })
  await appendAuditEntry(tx, ports, actor, {
    action: WORKSPACE_CREATION,
    target: { kind: 'workspace', id: workspace.id },
    after: { groupName: workspace.group_name, ownerId: workspace.owner_id },
    chain: workspace.id,
  })
  tx.announce({ kind: 'workspace', workspaceId: workspace.id, id: workspace.id })
  return { workspace, ownerRoleId }
}
