import { statement } from './statement.ts'
import type { MediaTable, RoleTable } from './tables/index.ts'

/** The inserts that more than one package makes: each column of a table is listed once. */

export const insertRole = statement<RoleTable>()((sql, p) =>
  sql.insertInto('role').values({
    workspace_id: p.workspace_id,
    id: p.id,
    name: p.name,
    name_key: p.name_key,
    color: p.color,
    rank: p.rank,
    permissions: p.permissions,
    is_owner: p.is_owner,
    created_at: p.created_at,
    updated_at: p.updated_at,
    version: p.version,
  }),
)

/** `now` is when the account joins, in epoch milliseconds. */
export const insertMember = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  sql.insertInto('member').values({ workspace_id: p.workspaceId, account_id: p.accountId, joined_at: p.now }),
)

export const insertMemberRole = statement<{ workspaceId: string; accountId: string; roleId: string }>()(
  (sql, p) =>
    sql
      .insertInto('member_role')
      .values({ workspace_id: p.workspaceId, account_id: p.accountId, role_id: p.roleId }),
)

/** Keeps an image, once whoever brings it: what it holds is its key. */
export const insertImage = statement<MediaTable>({ isCommutative: true })((sql, p) =>
  sql
    .insertInto('media')
    .values({
      hash: p.hash,
      extension: p.extension,
      content_type: p.content_type,
      bytes: p.bytes,
      created_at: p.created_at,
    })
    .onConflict((conflict) => conflict.doNothing()),
)
