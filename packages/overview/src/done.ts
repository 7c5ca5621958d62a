import { wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import type { Overview } from './model.ts'

/** How many of the newest changes are counted: beyond them the rest is left out, and that is said. */
const WINDOW = 5000

/** What time and a newer restraint do to an older one is nobody's doing. */
const NOT_DONE_BY_ANYONE = ['moderation.expire', 'moderation.supersede'] as const

const lastChange = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('audit_sequence').where('workspace_id', '=', p.workspaceId),
)
const doneSince = statement<{ workspaceId: string; after: number; since: number }>()((sql, p) =>
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
    .where('action', 'not in', NOT_DONE_BY_ANYONE)
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
export async function doneIn(
  db: Queries,
  workspaceId: string,
  since: number,
): Promise<NonNullable<Overview['done']>> {
  const head = await db.first(lastChange, { workspaceId })
  const after = (head?.audit_sequence ?? 0) - WINDOW
  const rows = await db.all(doneSince, { workspaceId, after, since })
  const uncounted = await db.first(newestUncounted, { workspaceId, upTo: after })
  const actors = [...Map.groupBy(rows, (row) => row.actor_id).values()].flatMap((deeds) => {
    const [newest] = deeds
    if (!newest) return []
    const { actor_kind: actorKind, actor_id: actorId, actor_name: actorName } = newest
    return [{ actorKind, actorId, actorName, count: totalOf(deeds) }]
  })
  const actions = [...Map.groupBy(rows, (row) => row.action)].map(([action, deeds]) => ({
    action: action.slice(action.indexOf('.') + 1),
    count: totalOf(deeds),
  }))
  return {
    since: wire.time.write(since),
    complete: wire.boolean.write(uncounted === undefined || uncounted.at < since),
    actions: byMost(actions),
    actors: byMost(actors),
  }
}

const totalOf = (deeds: readonly { count: number }[]): number =>
  deeds.reduce((total, { count }) => total + Number(count), 0)

const byMost = <Counted extends { count: number }>(list: readonly Counted[]) =>
  list.toSorted((one, other) => other.count - one.count).map((one) => ({ ...one, count: String(one.count) }))
