import { type Queries, statement } from '@reeve/db'
import { type Cursor, findReportedAhead, type SubscribedWebhook } from './cursor.ts'
import type { ExpiryReport } from './due-event.ts'
import type { Entry } from './select-events.ts'

/** How far expiries were reported: see `delivery_cursor`. */
export interface ExpiredPosition {
  readonly expiredUntil: number
  readonly expiredId: string | null
}

export const toExpiredPosition = (cursor: Cursor): ExpiredPosition => ({
  expiredUntil: cursor.expired_until,
  expiredId: cursor.expired_id,
})

/** How many sanctions that have expired are reported in a transaction. */
export const MAX_EXPIRED = 200

/** Sanctions that expired in a time and that no change has replaced since. */
const expiredSanctions = statement<{
  workspaceId: string
  after: number
  afterId: string
  until: number
  limit: number
}>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'action', 'expires_at', 'sequence'])
    .where('workspace_id', '=', p.workspaceId)
    // A literal, because the index contains only these rows.
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where('expires_at', 'is not', null)
    .where((eb) => eb(eb.refTuple('expires_at', 'id'), '>', eb.tuple(p.after, p.afterId)))
    .where('expires_at', '<=', p.until)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(p.limit),
)

/** After all ids. */
const LAST_ID = 'z'

/** The first sanctions that expired since the cursor, at most `MAX_EXPIRED`. */
export const listExpired = (db: Queries, cursor: Cursor, until: number) =>
  db.all(expiredSanctions, {
    workspaceId: cursor.workspace_id,
    after: cursor.expired_until,
    afterId: cursor.expired_id ?? LAST_ID,
    until,
    limit: MAX_EXPIRED,
  })

type Expired = Awaited<ReturnType<typeof listExpired>>

const entryTimes = statement<{ workspaceId: string; sequences: readonly number[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'at'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('sequence', p.sequences)),
)

/**
 * The webhooks that were sent an expiry too early, by a clock that was ahead. One that became active only after it by that clock was not.
 * @returns their ids by the id of the sanction
 */
export async function findSentEarly(
  db: Queries,
  cursor: Cursor,
  expired: Expired,
  webhooks: readonly SubscribedWebhook[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sentEarly = new Map<string, ReadonlySet<string>>()
  const ahead = expired.length === 0 ? undefined : await findReportedAhead(db, cursor)
  if (!ahead) return sentEarly
  const active = webhooks.filter(({ active_since }) => active_since <= ahead.sequence)
  const sequences = active.map(({ active_since }) => active_since)
  const entries = await db.all(entryTimes, { workspaceId: cursor.workspace_id, sequences })
  const times = new Map(entries.map(({ sequence, at }) => [sequence, at]))
  for (const { id, expires_at, sequence } of expired) {
    if (expires_at === null || sequence > ahead.sequence || !isReported(ahead, expires_at, id)) continue
    const early = active.filter(({ active_since }) => expires_at > (times.get(active_since) ?? expires_at))
    sentEarly.set(id, new Set(early.map((webhook) => webhook.id)))
  }
  return sentEarly
}

/** The time is only stored if something was found, or once a minute, so that a quiet workspace costs no writes. */
const STORE_TIME_MS = 60_000

/** How far the expiries are reported once those that were found are. */
export function advanceExpired(cursor: Cursor, expired: Expired, now: number): ExpiredPosition {
  const last = expired.at(-1)
  if (expired.length === MAX_EXPIRED && last)
    return { expiredUntil: last.expires_at ?? now, expiredId: last.id }
  const isStored = last !== undefined || now - cursor.expired_until >= STORE_TIME_MS
  return isStored ? { expiredUntil: now, expiredId: null } : toExpiredPosition(cursor)
}

const expiries = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select(['id', 'expires_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)

/** Actions on a sanction that has expired already. */
const AFTER_EXPIRY: ReadonlySet<string> = new Set([
  'moderation.expire',
  'moderation.revoke',
  'moderation.restore',
])

/**
 * Whether the expiries of the sanctions among entries of the log are reported by themselves, which happens when they expire: the log has
 * them once a change replaces the sanctions.
 * @param expired those that are reported with the entries
 */
export async function findExpiryReports(
  db: Queries,
  cursor: Cursor,
  entries: readonly Entry[],
  expired: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, ExpiryReport>> {
  const reports = new Map<string, ExpiryReport>(expired.map(({ id }) => [id, 'now']))
  const ids = entries.filter(({ action }) => AFTER_EXPIRY.has(action)).map(({ target_id }) => target_id)
  if (ids.length === 0) return reports
  const rows = await db.all(expiries, { workspaceId: cursor.workspace_id, ids: [...new Set(ids)] })
  for (const { id, expires_at } of rows)
    if (expires_at !== null && isReported(cursor, expires_at, id)) reports.set(id, 'earlier')
  return reports
}

const isReported = (cursor: Cursor, expiresAt: number, id: string): boolean =>
  expiresAt < cursor.expired_until ||
  (expiresAt === cursor.expired_until && id <= (cursor.expired_id ?? LAST_ID))
