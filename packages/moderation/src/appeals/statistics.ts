import { type Actor, DAY_MS, type Ports } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'

const openCount = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('appeal')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', p.workspaceId)
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('ban_expires_at', 'is', null), eb('ban_expires_at', '>', p.now)])),
)
const decisions = statement<{ workspaceId: string; from: number; to: number }>()((sql, p) =>
  sql
    .selectFrom('appeal')
    .select(['state', 'waited_ms'])
    .where('workspace_id', '=', p.workspaceId)
    .where('decided_at', 'is not', null)
    .where('decided_at', '>=', p.from)
    .where('decided_at', '<', p.to),
)

const DEFAULT_DAYS = 90
/** Days that one statement reads, after which other requests run. */
const DAYS_PER_STATEMENT = 7

/** The middle of numbers; null without any. */
function findMedian(numbers: readonly number[]): number | null {
  const sorted = Float64Array.from(numbers).sort()
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
  const counts = new Map<string, number>()
  const times: number[] = []
  const step = DAYS_PER_STATEMENT * DAY_MS
  for (let from = now - days * DAY_MS; from <= now; from += step) {
    for (const { state, waited_ms } of await db.all(decisions, { workspaceId, from, to: from + step })) {
      counts.set(state, (counts.get(state) ?? 0) + 1)
      times.push(waited_ms ?? 0)
    }
    await yieldToEventLoop()
  }
  const count = (state: string) => String(counts.get(state) ?? 0)
  const median = findMedian(times)
  return {
    open: String(open?.count ?? 0),
    decided: String(times.length),
    accepted: count('accepted'),
    reduced: count('reduced'),
    denied: count('denied'),
    medianSeconds: median === null ? null : String(Math.round(median / 1000)),
  }
}
