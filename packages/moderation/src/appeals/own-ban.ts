import { findPersonOfKey } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import { type Queries, type RecordTable, statement } from '@reeve/db'
import { createFormerPlayerCheck, listAccountsOfPlayer } from '../limits/members-of-player.ts'
import { findSanctions } from '../records/record-store.ts'
import { isInForce } from '../records/sanction.ts'

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
function createOwnBanCheck(db: Queries, actor: Actor) {
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

/**
 * The bans in force under other forms of the player, which would go on after a decision about one.
 * @param now epoch milliseconds
 */
export async function findOtherBans(
  db: Queries,
  actor: Actor,
  { id, user_id }: Pick<RecordTable, 'id' | 'user_id'>,
  now: number,
): Promise<RecordTable[]> {
  // Under one form, a player has at most one ban.
  if (listSanctionKeys([user_id], actor).keys.length === 1) return []
  const bans = await findSanctions(db, actor, 'ban', user_id)
  return bans.filter((ban) => ban.id !== id && isInForce(ban, now))
}

type AppealedBan = Pick<
  RecordTable,
  'id' | 'user_id' | 'case_number' | 'actor_kind' | 'actor_id' | 'actor_platform_user_id'
>

/**
 * Finds the ban because of which the actor does not decide an appeal, unless the workspace allows it: the one that was appealed, or another
 * one of the player, which the decision is about too.
 * @param now epoch milliseconds
 * @returns a function that returns null for a ban whose appeal the actor may decide
 */
export function createOwnBanFinder(db: Queries, actor: Actor, now: number) {
  const isOwn = createOwnBanCheck(db, actor)
  return async (appealed: AppealedBan): Promise<Pick<RecordTable, 'id' | 'case_number'> | null> => {
    if (await isOwn(appealed)) return appealed
    for (const other of await findOtherBans(db, actor, appealed, now)) if (await isOwn(other)) return other
    return null
  }
}
