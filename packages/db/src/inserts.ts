import { statement } from './statement.ts'
import type { FormerMemberTable, RoleTable } from './tables/index.ts'
import { insertAll, upsertAll } from './whole-row.ts'

// The inserts that several packages share.

/** Inserts a role. */
export const insertRole = statement<RoleTable>()((sql, p) => insertAll(sql, 'role', p))

/** Makes an account a member of a workspace. `now` is the time of joining, in epoch milliseconds. */
export const insertMember = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  insertAll(sql, 'member', { workspace_id: p.workspaceId, account_id: p.accountId, joined_at: p.now }),
)

/** Stores that an account is a member no more: its name can be blanked in the history of the workspace once it is deleted. */
export const upsertFormerMember = statement<FormerMemberTable>()((sql, p) =>
  upsertAll(sql, 'former_member', p, ['workspace_id', 'account_id']),
)

/** Assigns a role to a member, from `now` on. */
export const insertMemberRole = statement<{
  workspaceId: string
  accountId: string
  roleId: string
  now: number
}>()((sql, p) =>
  insertAll(sql, 'member_role', {
    workspace_id: p.workspaceId,
    account_id: p.accountId,
    role_id: p.roleId,
    assigned_at: p.now,
  }),
)
