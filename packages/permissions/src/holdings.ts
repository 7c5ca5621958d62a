import type { Actor } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const heldRoles = statement<{ workspaceId: string }>()((sql, p) =>
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
export async function listHoldings(db: Queries, { workspaceId }: Actor) {
  const heldBy = new Map<string, string[]>()
  for (const { account_id, role_id } of await db.all(heldRoles, { workspaceId })) {
    const held = heldBy.get(account_id)
    if (held) held.push(role_id)
    else heldBy.set(account_id, [role_id])
  }
  const counted = new Map<string, { readonly roleIds: string[]; members: number }>()
  for (const roleIds of heldBy.values()) {
    const key = roleIds.join()
    const known = counted.get(key)
    if (known) known.members += 1
    else counted.set(key, { roleIds, members: 1 })
  }
  const holdings = [...counted.values()].sort((one, other) => other.members - one.members)
  return { holdings: holdings.map(({ roleIds, members }) => ({ roleIds, members: String(members) })) }
}
