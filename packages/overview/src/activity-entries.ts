import { isModerationAction } from '@reeve/audit'
import { MINUTE_MS } from '@reeve/core'
import { type ActivityByActorTable, type AuditTable, statement } from '@reeve/db'

/** Activity is counted per quarter of an hour: the borders of days are multiples of it in every time zone. */
const QUARTER_MS = 15 * MINUTE_MS

/** The number of audit entries that are read at a time: a few milliseconds on SQLite, which blocks other requests meanwhile. */
export const ENTRIES_PER_PAGE = 500

const entryColumns = [
  'sequence',
  'at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'target_kind',
] as const

type Entry = Pick<AuditTable, (typeof entryColumns)[number]>

interface PageParams {
  readonly workspaceId: string
  readonly after: number
  readonly limit: number
}

/** The oldest audit entries after a sequence, oldest first. */
export const oldestEntries = statement<PageParams>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(entryColumns)
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .orderBy('sequence')
    .limit(p.limit),
)

/** The newest audit entries between two sequences, newest first. */
export const newestEntries = statement<PageParams & { readonly before: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(entryColumns)
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .where('sequence', '<', p.before)
    .orderBy('sequence', 'desc')
    .limit(p.limit),
)

/** How often an actor performed an action in a quarter of an hour. */
export type ActivityCount = Omit<ActivityByActorTable, 'workspace_id'>

/** Counts the moderation actions among audit entries. @param entries in the order of the log */
export function countEntries(entries: readonly Entry[]): ActivityCount[] {
  const counts = new Map<string, ActivityCount>()
  for (const entry of entries) {
    if (!isModerationAction(entry)) continue
    const { at, actor_kind, actor_id, actor_name, action } = entry
    const quarter = at - (at % QUARTER_MS)
    const key = `${quarter} ${action} ${actor_kind} ${actor_id}`
    const count = (counts.get(key)?.count ?? 0) + 1
    counts.set(key, { quarter, actor_kind, actor_id, action, actor_name, count })
  }
  return [...counts.values()]
}
