import type { Actor } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { stringField } from '@reeve/http'
import { Type } from '@sinclair/typebox'

const rolesByAccounts = statement<{ workspaceId: string; accountIds: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('member_role')
      .select(['account_id', 'role_id'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('account_id', p.accountIds))
      .orderBy('role_id'),
)

/** Who created something that is listed for several roles. */
export const creatorFields = {
  creator: stringField('Username of the member who created it', 'robin'),
  creatorRoleIds: Type.Array(stringField('Role id'), { description: 'All roles of this member' }),
}

/** All roles of some members, by account. From these, the portal computes who loses something by a change of roles. */
export async function findCreatorRoles(
  db: Queries,
  { workspaceId }: Actor,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const assigned = await db.all(rolesByAccounts, { workspaceId, accountIds: [...new Set(accountIds)] })
  const byAccount = Map.groupBy(assigned, ({ account_id }) => account_id)
  return new Map([...byAccount].map(([id, rows]) => [id, rows.map(({ role_id }) => role_id)]))
}
