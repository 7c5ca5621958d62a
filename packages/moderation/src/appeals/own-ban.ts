import { findPersonOfKey } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import { type Queries, type RecordTable, statement } from '@reeve/db'
import { createFormerPlayerCheck, listAccountsOfPlayer } from '../limits/members-of-player.ts'

const keyById = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('api_key')
    .select(['id', 'created_by'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/**
 * Tells whether the actor imposed a ban: with their account, through an API key that acted for a player who they are, or with an API key that
 * they created and that named nobody.
 */
export function createOwnBanCheck(db: Queries, actor: Actor) {
  const wasPlayer = createFormerPlayerCheck(db, actor, [actor.personId])
  return async ({
    actor_kind,
    actor_id,
    actor_platform_user_id,
  }: Pick<RecordTable, 'actor_kind' | 'actor_id' | 'actor_platform_user_id'>): Promise<boolean> => {
    if (actor_kind !== 'api_key') return actor_kind === actor.kind && actor_id === actor.id
    if (actor_platform_user_id !== null) {
      const accounts = await listAccountsOfPlayer(db, actor, actor_platform_user_id)
      return accounts.includes(actor.personId) || wasPlayer(actor_platform_user_id)
    }
    const key = await db.first(keyById, { workspaceId: actor.workspaceId, id: actor_id })
    return key !== undefined && findPersonOfKey(key) === actor.personId
  }
}
