import type { Actor } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { combineRoles } from '../gate/membership.ts'
import { presentAccount, presentMembership } from './model.ts'

/** Reads across workspaces, limited to one account. */
const membershipsByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
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

/** The signed-in account, its session and the workspaces it is a member of. */
export async function getCurrentAccount(db: Queries, actor: Actor) {
  const rows = await db.all(membershipsByAccount, { accountId: actor.id })
  const workspaces = Map.groupBy(rows, (row) => row.workspace_id)
  return {
    account: presentAccount({ id: actor.id, username: actor.name, isOperator: actor.isOperator }),
    sessionId: actor.sessionId ?? '',
    workspaces: [...workspaces.values()].map((roles) => presentMembership(roles, combineRoles(roles))),
  }
}
