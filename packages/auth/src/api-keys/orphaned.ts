import { isCreatorGone, isUsableKey, type Queries, type Sql, statement } from '@reeve/db'

const joinCreator = (sql: Sql) =>
  sql
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.created_by')
    .leftJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'api_key.workspace_id')
        .onRef('member.account_id', '=', 'account.id'),
    )
const restrictToOrphaned = (query: ReturnType<typeof joinCreator>, p: { readonly now: number }) =>
  query.where((eb) => isUsableKey(eb, p.now)).where((eb) => isCreatorGone(eb, eb.ref('account.disabled_at')))

const orphanedInWorkspace = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  restrictToOrphaned(joinCreator(sql).where('api_key.workspace_id', '=', p.workspaceId), p).select((eb) =>
    eb.fn.countAll<number>().as('count'),
  ),
)
const orphanedOfInstance = statement<{ now: number; limit: number }>()((sql, p) =>
  restrictToOrphaned(joinCreator(sql), p)
    .select(['api_key.workspace_id', 'api_key.id', 'api_key.name', 'account.username'])
    .orderBy('api_key.workspace_id')
    .orderBy('api_key.id')
    .limit(p.limit),
)

/** How many usable keys of a workspace were created by somebody who is no longer a member of it, or whose account is disabled. */
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
