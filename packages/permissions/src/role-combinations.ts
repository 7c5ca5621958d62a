import type { Actor } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const memberRoles = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('member_role')
    .select(['account_id', 'role_id'])
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('account_id')
    .orderBy('role_id'),
)

/**
 * Which roles are held together, and by how many: all that is needed to reckon how many people a change of roles gives
 * something new, without naming one of them. Those held by most come first.
 */
export async function countRoleCombinations(db: Queries, { workspaceId }: Actor) {
  const rolesByAccount = new Map<string, string[]>()
  for (const { account_id, role_id } of await db.all(memberRoles, { workspaceId })) {
    const accountRoles = rolesByAccount.get(account_id)
    if (accountRoles) accountRoles.push(role_id)
    else rolesByAccount.set(account_id, [role_id])
  }
  const combinations = new Map<string, { readonly roleIds: string[]; members: number }>()
  for (const roleIds of rolesByAccount.values()) {
    const key = roleIds.join()
    const existing = combinations.get(key)
    if (existing) existing.members += 1
    else combinations.set(key, { roleIds, members: 1 })
  }
  const holdings = [...combinations.values()].sort((a, b) => b.members - a.members)
  return { holdings: holdings.map(({ roleIds, members }) => ({ roleIds, members: String(members) })) }
}
