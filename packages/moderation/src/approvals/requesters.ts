import type { Actor } from '@reeve/core'
import type { ApprovalTable, Queries, RecordTable } from '@reeve/db'
import { createFormerPlayerCheck, listAccountsOfPlayer } from '../limits/members-of-player.ts'

/** Who requested an approval: a person, and the player whom their API key acted for. */
export type Request = Pick<ApprovalTable, 'person_id'> & Pick<RecordTable, 'actor_platform_user_id'>

/** The accounts that requested an approval: that of the person, and those of the player whom an API key acted for. */
const listRequesters = async (
  db: Queries,
  actor: Pick<Actor, 'workspaceId' | 'platforms'>,
  { person_id, actor_platform_user_id }: Request,
): Promise<string[]> => [person_id, ...(await listAccountsOfPlayer(db, actor, actor_platform_user_id))]

/**
 * Tells whether the actor requested an approval themselves, so that another person has to decide: with their account, with an API key
 * of theirs, or as a player whom a key acted for.
 */
export function createOwnRequestCheck(db: Queries, actor: Actor) {
  const wasPlayer = createFormerPlayerCheck(db, actor, [actor.personId])
  return async (request: Request): Promise<boolean> =>
    (await listRequesters(db, actor, request)).includes(actor.personId) ||
    wasPlayer(request.actor_platform_user_id)
}

/** Tells whether a player whom an API key acts for requested an approval. */
export async function isRequestOfPlayer(
  db: Queries,
  actor: Actor,
  request: Request,
  userId: string,
): Promise<boolean> {
  const requested = request.actor_platform_user_id
  if (userId === requested) return true
  const requesters = await listRequesters(db, actor, request)
  const accounts = await listAccountsOfPlayer(db, actor, userId)
  return (
    accounts.some((id) => requesters.includes(id)) ||
    (await createFormerPlayerCheck(db, actor, requesters)(userId)) ||
    createFormerPlayerCheck(db, actor, accounts)(requested)
  )
}
