import type { Actor } from '@reeve/core'
import type { ApprovalTable, Queries, RecordTable } from '@reeve/db'
import { listAccountsOfPlayer } from '../limits/linked-members.ts'

/** Who requested an approval: a person, and the player whom their API key acted for. */
export type Request = Pick<ApprovalTable, 'person_id'> & Pick<RecordTable, 'actor_platform_user_id'>

/** The accounts that requested an approval: that of the person, and those of the player whom an API key acted for. */
export const listRequesters = async (
  db: Queries,
  actor: Pick<Actor, 'workspaceId' | 'platforms'>,
  { person_id, actor_platform_user_id }: Request,
): Promise<ReadonlySet<string>> =>
  new Set([person_id, ...(await listAccountsOfPlayer(db, actor, actor_platform_user_id))])

/** Whether the actor requested an approval themselves, so that another person has to decide. */
export const isOwnRequest = async (db: Queries, actor: Actor, request: Request): Promise<boolean> =>
  (await listRequesters(db, actor, request)).has(actor.personId)
