import { FIRST_USERNAME_KEY, insertAll, type Queries, statement, type Transaction } from '@reeve/db'
import { insertRow, type Row } from '../archive/content-statements.ts'
import { archiveDamagedError } from '../archive/reader.ts'

const accountsById = statement<{ ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('account')
    .select('id')
    .where(dialect.inList('id', p.ids))
    .where('username_key', '>', FIRST_USERNAME_KEY),
)
const insertMemberIfAbsent = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  insertAll(sql, 'member', {
    workspace_id: p.workspaceId,
    account_id: p.accountId,
    joined_at: p.now,
  }).onConflict((conflict) => conflict.doNothing()),
)

const ACCOUNTS_PER_QUERY = 500

/** The archived rows of everything that gives people access, by kind. */
export interface Memberships {
  readonly roles: readonly Row[]
  readonly members: readonly Row[]
  readonly memberRoles: readonly Row[]
  readonly departmentMembers: readonly Row[]
  readonly memberPlayers: readonly Row[]
}

/**
 * Removes what must not be restored: members whose account was deleted, and the owner role of a former owner, who stays a
 * member with their other roles, so that restoring never grants ownership.
 * @returns the rest, and the owner role
 * @throws AppError `internal_error` if there is no owner role
 */
export async function filterMemberships(db: Queries, memberships: Memberships) {
  const ownerRoleId = memberships.roles.find((row) => row.is_owner === 1)?.id
  if (typeof ownerRoleId !== 'string') throw archiveDamagedError()
  const accountIds = memberships.members.map((row) => String(row.account_id))
  const existing = new Set<unknown>()
  for (let start = 0; start < accountIds.length; start += ACCOUNTS_PER_QUERY) {
    const ids = accountIds.slice(start, start + ACCOUNTS_PER_QUERY)
    for (const { id } of await db.all(accountsById, { ids })) existing.add(id)
  }
  const exists = (row: Row) => existing.has(row.account_id)
  return {
    ownerRoleId,
    roles: memberships.roles,
    members: memberships.members.filter(exists),
    memberRoles: memberships.memberRoles.filter((row) => exists(row) && row.role_id !== ownerRoleId),
    departmentMembers: memberships.departmentMembers.filter(exists),
    memberPlayers: memberships.memberPlayers.filter(exists),
  }
}

export type FilteredMemberships = Awaited<ReturnType<typeof filterMemberships>>

/** Inserts members with their roles, and the owner, who is the only one with the owner role. Roles must exist. */
export async function insertMembers(
  tx: Transaction,
  { ownerRoleId, members, memberRoles }: FilteredMemberships,
  { workspaceId, ownerId, now }: { workspaceId: string; ownerId: string; now: number },
): Promise<void> {
  for (const row of members)
    await tx.run(insertRow({ table: 'member' }), { ...row, workspace_id: workspaceId })
  await tx.run(insertMemberIfAbsent, { workspaceId, accountId: ownerId, now })
  const ownerRole = { account_id: ownerId, role_id: ownerRoleId }
  for (const row of [...memberRoles, ownerRole])
    await tx.run(insertRow({ table: 'member_role' }), { ...row, workspace_id: workspaceId, assigned_at: now })
}
