import { normalizeName, wire } from '@reeve/core'
import { type Dialect, type Queries, type Sql, statement } from '@reeve/db'

/** The members who can view cases: only they are mentioned in comments and get cases assigned. */

const roles = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('role').select(['id', 'permissions', 'is_owner']).where('workspace_id', '=', p.workspaceId),
)

interface StaffQuery {
  readonly workspaceId: string
  readonly roleIds: readonly string[]
}

const staffByName = statement<StaffQuery & { q: string; limit: number }>()((sql, p, dialect) =>
  sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['account.id as accountId', 'account.username'])
    .where('member.workspace_id', '=', p.workspaceId)
    .where(dialect.contains('account.username_key', p.q))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('member_role')
          .select('role_id')
          .where('workspace_id', '=', p.workspaceId)
          .whereRef('member_role.account_id', '=', 'member.account_id')
          .where(dialect.inList('role_id', p.roleIds)),
      ),
    )
    .orderBy('account.username_key')
    .limit(p.limit),
)
/** The members of a workspace with one of these roles. */
const selectStaff = (sql: Sql, p: StaffQuery, dialect: Dialect) =>
  sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .innerJoin('member_role', (join) =>
      join
        .onRef('member_role.workspace_id', '=', 'member.workspace_id')
        .onRef('member_role.account_id', '=', 'member.account_id'),
    )
    .select(['account.id as accountId', 'account.username'])
    .distinct()
    .where('member.workspace_id', '=', p.workspaceId)
    .where(dialect.inList('member_role.role_id', p.roleIds))

const staffByKeys = statement<StaffQuery & { keys: readonly string[] }>()((sql, p, dialect) =>
  selectStaff(sql, p, dialect)
    .select('account.username_key as key')
    .where(dialect.inList('account.username_key', p.keys)),
)
const staffByIds = statement<StaffQuery & { ids: readonly string[] }>()((sql, p, dialect) =>
  selectStaff(sql, p, dialect).where(dialect.inList('member.account_id', p.ids)),
)

/** A member who can view cases. */
export interface CaseStaff {
  readonly accountId: string
  readonly username: string
}

async function listRoleIds(db: Queries, workspaceId: string): Promise<string[]> {
  const rows = await db.all(roles, { workspaceId })
  return rows
    .filter(
      (row) => row.is_owner === 1 || wire.permissionSet.read(row.permissions).includes('moderation.view'),
    )
    .map(({ id }) => id)
}

/** The first members whose name contains a text, by name. */
export async function searchCaseStaff(
  db: Queries,
  workspaceId: string,
  q: string,
  limit: number,
): Promise<CaseStaff[]> {
  const roleIds = await listRoleIds(db, workspaceId)
  return db.all(staffByName, { workspaceId, roleIds, q: normalizeName(q), limit })
}

/** The members with these names, by the normalized form of their names. @param keys normalized names */
export async function findCaseStaffByName(
  db: Queries,
  workspaceId: string,
  keys: readonly string[],
): Promise<Map<string, CaseStaff>> {
  if (keys.length === 0) return new Map()
  const rows = await db.all(staffByKeys, { workspaceId, roleIds: await listRoleIds(db, workspaceId), keys })
  return new Map(rows.map((row) => [row.key, row]))
}

/** The members with these ids; other ids are left out. */
export async function findCaseStaff(
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, CaseStaff>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(staffByIds, { workspaceId, roleIds: await listRoleIds(db, workspaceId), ids })
  return new Map(rows.map((row) => [row.accountId, row]))
}
