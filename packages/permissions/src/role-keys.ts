import { type CreatorKeyRow, MAX_CREATIONS, presentCreatorKey, revokeCreatorKeys } from '@reeve/auth'
import { type Actor, canManageApiKey, type Ports } from '@reeve/core'
import { isUsableKey, type Queries, statement, type Transaction } from '@reeve/db'
import { findCreatorRoles } from './creator-roles.ts'

/** The API keys that members of some roles created. */

const keysByRoles = statement<{
  workspaceId: string
  roleIds: readonly string[]
  now: number
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom('api_key')
    .innerJoin('workspace', 'workspace.id', 'api_key.workspace_id')
    .innerJoin('account', 'account.id', 'api_key.created_by')
    .selectAll('api_key')
    .select(['workspace.group_name', 'account.username'])
    .where('api_key.workspace_id', '=', p.workspaceId)
    .where((eb) => isUsableKey(eb, p.now))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('member_role')
          .select('role_id')
          .where('workspace_id', '=', p.workspaceId)
          .where(dialect.inList('role_id', p.roleIds))
          .whereRef('member_role.account_id', '=', 'account.id'),
      ),
    )
    .orderBy('api_key.id', 'desc')
    .limit(p.limit),
)

/** The usable keys of the members of these roles that the actor can revoke, newest first. */
async function findRoleKeys(
  db: Queries,
  ports: Pick<Ports, 'now'>,
  actor: Actor,
  roleIds: readonly string[],
): Promise<(CreatorKeyRow & { readonly username: string })[]> {
  const { workspaceId } = actor
  const keys = await db.all(keysByRoles, { workspaceId, roleIds, now: ports.now(), limit: MAX_CREATIONS })
  return keys.filter((key) => canManageApiKey(actor, key) || key.created_by === actor.id)
}

/** The usable keys of the members of these roles that the actor can revoke, newest first, with their creators and the roles of these. */
export async function listRoleKeys(
  db: Queries,
  ports: Pick<Ports, 'now'>,
  actor: Actor,
  roleIds: readonly string[],
) {
  const keys = await findRoleKeys(db, ports, actor, roleIds)
  const creatorRoles = await findCreatorRoles(
    db,
    actor,
    keys.map((key) => key.created_by),
  )
  return {
    apiKeys: keys.map((key) => ({
      ...presentCreatorKey(key),
      creator: key.username,
      creatorRoleIds: creatorRoles.get(key.created_by) ?? [],
    })),
  }
}

/**
 * Revokes some of the keys that `listRoleKeys` lists.
 * @throws AppError `invalid_request` for an id that is not among them
 */
export async function revokeRoleKeys(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { roleIds, ids }: { readonly roleIds: readonly string[]; readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return
  await revokeCreatorKeys(tx, ports, actor, await findRoleKeys(tx, ports, actor, roleIds), ids)
}
