import { type Actor, BAN_WINDOW_MS, CREATE_PERMISSIONS, getLimits, type RoleLimits } from '@reeve/core'
import { insertAll, type Queries, type RecentBanTable, statement, type Transaction } from '@reeve/db'
import { createLimitError } from './over-limit.ts'

/**
 * The bans that count against the number per hour. They are counted for people, so that API keys do not multiply what their
 * creator may do. A transaction holds the lock of its workspace, so that no other one counts at the same time.
 */

type PersonParams = { readonly workspaceId: string; readonly personId: string; readonly since: number }

const newestBans = statement<PersonParams & { limit: number }>()((sql, p) =>
  sql
    .selectFrom('recent_ban')
    .select('banned_at')
    .where('workspace_id', '=', p.workspaceId)
    .where('person_id', '=', p.personId)
    .where('banned_at', '>', p.since)
    .orderBy('banned_at', 'desc')
    .limit(p.limit),
)
const bansSince = statement<PersonParams>()((sql, p) =>
  sql
    .selectFrom('recent_ban')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('person_id', '=', p.personId)
    .where('banned_at', '>', p.since),
)
const insertBan = statement<RecentBanTable>()((sql, p) => insertAll(sql, 'recent_ban', p))
const deleteOldBans = statement<PersonParams>()((sql, p) =>
  sql
    .deleteFrom('recent_ban')
    .where('workspace_id', '=', p.workspaceId)
    .where('person_id', '=', p.personId)
    .where('banned_at', '<=', p.since),
)

/** The bans of a person within the last hour, and from when they can impose another one. Times in epoch milliseconds. */
export interface RecentBans {
  readonly count: number
  /** Null if it is possible now. */
  readonly nextAt: number | null
}

/** @param bansPerHour the limit */
export async function countRecentBans(
  db: Queries,
  { workspaceId, personId }: Pick<Actor, 'workspaceId' | 'personId'>,
  bansPerHour: number,
  now: number,
): Promise<RecentBans> {
  const since = now - BAN_WINDOW_MS
  const bans = await db.all(newestBans, { workspaceId, personId, since, limit: bansPerHour })
  const oldest = bans.at(bansPerHour - 1)
  return { count: bans.length, nextAt: oldest ? oldest.banned_at + BAN_WINDOW_MS : null }
}

/** @throws AppError `forbidden` (`over_limit`) if the actor has imposed as many bans within an hour as their roles allow */
export async function assertBansPerHour(tx: Transaction, actor: Actor, now: number): Promise<void> {
  const limits = getLimits(actor, CREATE_PERMISSIONS.ban)
  if (limits.bansPerHour === null) return
  const { nextAt } = await countRecentBans(tx, actor, limits.bansPerHour, now)
  if (nextAt !== null) throw createBansPerHourError(limits, nextAt)
}

const createBansPerHourError = (limits: RoleLimits, resetsAt: number) =>
  createLimitError({
    limits,
    name: 'bansPerHour',
    resetsAt,
    message: `Your roles allow ${limits.bansPerHour} ${limits.bansPerHour === 1 ? 'ban' : 'bans'} per hour. The next one is possible at ${new Date(resetsAt).toISOString()}.`,
  })

/** Adds a ban to those that count, if the number of the actor's bans is limited. */
export async function addRecentBan(
  tx: Transaction,
  actor: Actor,
  recordId: string,
  now: number,
): Promise<void> {
  if (getLimits(actor, CREATE_PERMISSIONS.ban).bansPerHour === null) return
  const { workspaceId, personId } = actor
  await tx.run(deleteOldBans, { workspaceId, personId, since: now - BAN_WINDOW_MS })
  await tx.run(insertBan, {
    workspace_id: workspaceId,
    person_id: personId,
    banned_at: now,
    record_id: recordId,
  })
}

type Person = Pick<Actor, 'workspaceId' | 'personId'>

/** The bans of a person that count now. */
export const listRecentBans = (
  db: Queries,
  { workspaceId, personId }: Person,
  now: number,
): Promise<RecentBanTable[]> => db.all(bansSince, { workspaceId, personId, since: now - BAN_WINDOW_MS })

/** Adds bans of a transaction that was rolled back, in another one of the same preview. */
export async function insertRecentBans(
  tx: Transaction,
  actor: Person,
  bans: readonly RecentBanTable[],
  now: number,
): Promise<void> {
  if (bans.length === 0) return
  const known = new Set((await listRecentBans(tx, actor, now)).map(({ record_id }) => record_id))
  for (const ban of bans) if (!known.has(ban.record_id)) await tx.run(insertBan, ban)
}
