import { findLastSequence } from '@reeve/audit'
import { wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import type { Overview } from './model.ts'

/** How many of the newest changes are counted: beyond them the rest is left out, and that is said. */
const MAX_COUNTED_CHANGES = 5000

/** What time and a newer restraint do to an older one is nobody's doing. */
const AUTOMATIC_ACTIONS = ['moderation.expire', 'moderation.supersede'] as const

const activitySince = statement<{ workspaceId: string; after: number; since: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select((eb) => [
      'action',
      'actor_kind',
      'actor_id',
      'actor_name',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('sequence').as('last'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .where('at', '>=', p.since)
    .where('target_kind', '=', 'record')
    .where('action', 'not in', AUTOMATIC_ACTIONS)
    .groupBy(['action', 'actor_kind', 'actor_id', 'actor_name'])
    .orderBy('last', 'desc'),
)
const newestUncounted = statement<{ workspaceId: string; upTo: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('at')
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '<=', p.upTo)
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** What moderation did since a moment, by action and by who did it, each by most. */
export async function summarizeActivity(
  db: Queries,
  workspaceId: string,
  since: number,
): Promise<NonNullable<Overview['done']>> {
  const after = (await findLastSequence(db, workspaceId)) - MAX_COUNTED_CHANGES
  const rows = await db.all(activitySince, { workspaceId, after, since })
  const uncounted = await db.first(newestUncounted, { workspaceId, upTo: after })
  const actors = [...Map.groupBy(rows, (row) => row.actor_id).values()].flatMap((entries) => {
    const [newest] = entries
    if (!newest) return []
    const { actor_kind: actorKind, actor_id: actorId, actor_name: actorName } = newest
    return [{ actorKind, actorId, actorName, count: sumCounts(entries) }]
  })
  const actions = [...Map.groupBy(rows, (row) => row.action)].map(([action, entries]) => ({
    action: action.slice(action.indexOf('.') + 1),
    count: sumCounts(entries),
  }))
  return {
    since: wire.time.write(since),
    complete: wire.boolean.write(uncounted === undefined || uncounted.at < since),
    actions: sortByCount(actions),
    actors: sortByCount(actors),
  }
}

const sumCounts = (entries: readonly { count: number }[]): number =>
  entries.reduce((total, { count }) => total + Number(count), 0)

const sortByCount = <Entry extends { count: number }>(list: readonly Entry[]) =>
  list
    .toSorted((entry, next) => next.count - entry.count)
    .map((entry) => ({ ...entry, count: String(entry.count) }))
