import { statement } from './statement.ts'
import type { MediaTable, RoleTable } from './tables/index.ts'
import { insertAll } from './whole-row.ts'

/** The inserts that more than one package makes. */

export const insertRole = statement<RoleTable>()((sql, p) => insertAll(sql, 'role', p))

/** `now` is when the account joins, in epoch milliseconds. */
export const insertMember = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  insertAll(sql, 'member', { workspace_id: p.workspaceId, account_id: p.accountId, joined_at: p.now }),
)

export const insertMemberRole = statement<{ workspaceId: string; accountId: string; roleId: string }>()(
  (sql, p) =>
    insertAll(sql, 'member_role', {
      workspace_id: p.workspaceId,
      account_id: p.accountId,
      role_id: p.roleId,
    }),
)

/** Keeps an image, once whoever brings it: what it holds is its key. */
export const insertImage = statement<MediaTable>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'media', p).onConflict((conflict) => conflict.doNothing()),
)
