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
 * Counts the members of each combination of roles, most members first. Lets the portal compute how many members a change
 * of a role affects, without disclosing who they are.
 */
export async function countRoleCombinations(db: Queries, { workspaceId }: Actor) {
  const combinations = groupByCombination(await db.all(memberRoles, { workspaceId }))
  return { holdings: combinations.map(({ roleIds, members }) => ({ roleIds, members: String(members) })) }
}

/**
 * @param rows one row per role of a member, sorted by account and role
 * @returns each distinct set of roles with its number of members, most members first
 */
export function groupByCombination(
  rows: readonly { readonly account_id: string; readonly role_id: string }[],
): { roleIds: string[]; members: number }[] {
  const combinations = new Map<string, { roleIds: string[]; members: number }>()
  for (const accountRows of Map.groupBy(rows, (row) => row.account_id).values()) {
    const roleIds = accountRows.map((row) => row.role_id)
    const combination = combinations.get(roleIds.join())
    if (combination) combination.members += 1
    else combinations.set(roleIds.join(), { roleIds, members: 1 })
  }
  return [...combinations.values()].sort((a, b) => b.members - a.members)
}
