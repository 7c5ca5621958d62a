import { type Actor, DAY_MS, type Ports } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const openCount = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('appeal')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', p.workspaceId)
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('ban_expires_at', 'is', null), eb('ban_expires_at', '>', p.now)])),
)
const latestDecisions = statement<{ workspaceId: string; since: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('appeal')
    .select(['state', 'waited_ms'])
    .where('workspace_id', '=', p.workspaceId)
    .where('decided_at', 'is not', null)
    .where('decided_at', '>=', p.since)
    .orderBy('decided_at', 'desc')
    .limit(p.limit),
)

const DEFAULT_DAYS = 90
/** Reading that many takes SQLite a few milliseconds. The statistics of a larger number of decisions are those of the latest. */
const MAX_DECISIONS = 5000

/** The middle of sorted numbers; null without any. */
function findMedian(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** How many appeals are open, and how those of the last days were decided and how long that took. */
export async function getAppealStatistics(
  db: Queries,
  ports: Ports,
  { workspaceId }: Actor,
  { days = DEFAULT_DAYS }: { readonly days?: number },
) {
  const now = ports.now()
  const open = await db.first(openCount, { workspaceId, now })
  const since = now - days * DAY_MS
  const decisions = await db.all(latestDecisions, { workspaceId, since, limit: MAX_DECISIONS })
  const count = (state: string) => String(decisions.filter((decision) => decision.state === state).length)
  const median = findMedian(decisions.map(({ waited_ms }) => waited_ms ?? 0))
  return {
    open: String(open?.count ?? 0),
    decided: String(decisions.length),
    accepted: count('accepted'),
    reduced: count('reduced'),
    denied: count('denied'),
    medianSeconds: median === null ? null : String(Math.round(median / 1000)),
  }
}
