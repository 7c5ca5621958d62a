import { findPersonOfKey } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import { type Queries, type RecordTable, statement } from '@reeve/db'
import { listAccountsOfPlayer } from '../limits/linked-members.ts'

const keyById = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('api_key')
    .select(['id', 'created_by'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/**
 * Whether the actor imposed a ban: with their account, through an API key that acted for a player who they are, or with an API key that
 * they created and that named nobody.
 */
export async function isOwnBan(
  db: Queries,
  actor: Actor,
  {
    actor_kind,
    actor_id,
    actor_platform_user_id,
  }: Pick<RecordTable, 'actor_kind' | 'actor_id' | 'actor_platform_user_id'>,
): Promise<boolean> {
  if (actor_kind !== 'api_key') return actor_kind === actor.kind && actor_id === actor.id
  if (actor_platform_user_id !== null)
    return (await listAccountsOfPlayer(db, actor, actor_platform_user_id)).includes(actor.personId)
  const key = await db.first(keyById, { workspaceId: actor.workspaceId, id: actor_id })
  return key !== undefined && findPersonOfKey(key) === actor.personId
}
