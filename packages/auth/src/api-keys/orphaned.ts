import { isLiveKey, type Queries, statement } from '@reeve/db'

const orphanedInWorkspace = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.created_by')
    .leftJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'api_key.workspace_id')
        .onRef('member.account_id', '=', 'account.id'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('api_key.workspace_id', '=', p.workspaceId)
    .where((eb) => isLiveKey(eb, p.now))
    .where((eb) => eb.or([eb('member.account_id', 'is', null), eb('account.disabled_at', 'is not', null)])),
)
const orphanedOfInstance = statement<{ now: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.created_by')
    .leftJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'api_key.workspace_id')
        .onRef('member.account_id', '=', 'account.id'),
    )
    .select(['api_key.workspace_id', 'api_key.id', 'api_key.name', 'account.username'])
    .where((eb) => isLiveKey(eb, p.now))
    .where((eb) => eb.or([eb('member.account_id', 'is', null), eb('account.disabled_at', 'is not', null)]))
    .orderBy('api_key.workspace_id')
    .orderBy('api_key.id')
    .limit(p.limit),
)

/** How many live keys of a workspace were created by somebody who is no longer a member of it, or whose account is disabled. */
export const countOrphanedKeys = async (
  db: Queries,
  params: { readonly workspaceId: string; readonly now: number },
): Promise<number> => (await db.first(orphanedInWorkspace, params))?.count ?? 0

/** Such keys of all workspaces, with the username of their creator. */
export const listOrphanedKeys = (
  db: Queries,
  params: { readonly now: number; readonly limit: number },
): Promise<{ workspace_id: string; id: string; name: string; username: string }[]> =>
  db.all(orphanedOfInstance, params)
