import { type Actor, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { combineRoles } from '../gate/membership.ts'
import { countOwnedWorkspaces, type WorkspaceLimits } from '../workspace-limit.ts'
import { presentAccount, presentMembership } from './model.ts'

/** Reads across workspaces, limited to one account. */
const membershipsByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .innerJoin('workspace_head', 'workspace_head.workspace_id', 'member.workspace_id')
    .leftJoin('member_role', (join) =>
      join
        .onRef('member_role.workspace_id', '=', 'member.workspace_id')
        .onRef('member_role.account_id', '=', 'member.account_id'),
    )
    .leftJoin('role', (join) =>
      join
        .onRef('role.workspace_id', '=', 'member_role.workspace_id')
        .onRef('role.id', '=', 'member_role.role_id'),
    )
    .select([
      'workspace.id as workspace_id',
      'workspace.group_name',
      'workspace.archived_at',
      'workspace_head.audit_sequence',
      'workspace.profile_url',
      'role.id as role_id',
      'role.name as role_name',
      'role.color',
      'role.permissions',
      'role.rank',
      'role.is_owner',
    ])
    .where('member.account_id', '=', p.accountId)
    .orderBy('workspace.group_name')
    .orderBy('workspace.id')
    .orderBy('role.rank', 'desc')
    .orderBy('role.id'),
)

/** Reads across workspaces, limited to one account. */
const restrictedEndpointsByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('endpoint_control', 'endpoint_control.workspace_id', 'member.workspace_id')
    .select([
      'endpoint_control.workspace_id',
      'endpoint_control.endpoint',
      'endpoint_control.mode',
      'endpoint_control.message',
    ])
    .where('member.account_id', '=', p.accountId)
    .where('endpoint_control.mode', '!=', 'on')
    .orderBy('endpoint_control.endpoint'),
)

const passwordByAccount = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('account').select('password_hash').where('id', '=', p.id),
)

/** The signed-in account, its session and the workspaces it is a member of. */
export async function getCurrentAccount(db: Queries, limits: WorkspaceLimits, actor: Actor) {
  const rows = await db.all(membershipsByAccount, { accountId: actor.id })
  const account = await db.first(passwordByAccount, { id: actor.id })
  const workspaces = Map.groupBy(rows, (row) => row.workspace_id)
  const endpoints = Map.groupBy(
    await db.all(restrictedEndpointsByAccount, { accountId: actor.id }),
    (row) => row.workspace_id,
  )
  return {
    account: presentAccount({ id: actor.id, username: actor.name, isOperator: actor.isOperator }),
    hasPassword: wire.boolean.write(account != null && account.password_hash !== null),
    sessionId: actor.sessionId ?? '',
    workspaceCreation: limits.workspaceCreation,
    workspaceLimit: limits.workspacesPerAccount === 0 ? null : String(limits.workspacesPerAccount),
    ownedWorkspaces: String(await countOwnedWorkspaces(db, actor.id)),
    workspaces: [...workspaces].map(([id, roles]) =>
      presentMembership(roles, combineRoles(roles), endpoints.get(id) ?? []),
    ),
  }
}
