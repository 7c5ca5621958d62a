import { type Queries, statement } from '@reeve/db'
import type { Entry } from './select-events.ts'

/** How many sanctions that have expired are reported in a transaction. */
export const MAX_EXPIRED = 200

/** Sanctions that expired in a time and that no change has replaced since. */
export const expiredSanctions = statement<{
  workspaceId: string
  after: number
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
    .where('expires_at', '>', p.after)
    .where('expires_at', '<=', p.until)
    .orderBy('expires_at')
    .limit(p.limit),
)

const expiries = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select(['id', 'expires_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)

/** The sanctions among entries of the log whose expiry was reported when it happened: the log has it once a change replaces them. */
export async function findReported(
  db: Queries,
  workspaceId: string,
  entries: readonly Entry[],
  expiredUntil: number,
): Promise<string[]> {
  const ids = entries.filter(({ action }) => action === 'moderation.expire').map(({ target_id }) => target_id)
  if (ids.length === 0) return []
  const rows = await db.all(expiries, { workspaceId, ids })
  return rows
    .filter(({ expires_at }) => expires_at !== null && expires_at <= expiredUntil)
    .map(({ id }) => id)
}
