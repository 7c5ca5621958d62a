import { DAY_MS } from '@reeve/core'
import { isNameListed, type Queries, statement, statementFamily } from '@reeve/db'
import { OVER_QUOTA_CLASS } from './meter.ts'

/** How requests are grouped; days start at midnight UTC. */
export const usageGroups = ['day', 'endpoint', 'actor'] as const

export type UsageGroup = (typeof usageGroups)[number]

const usageTotals = statementFamily<{ workspaceId: string; from: number; to: number }, UsageGroup>()(
  (sql, p, by) =>
    sql
      .selectFrom('usage')
      .select((eb) => [
        by === 'day'
          ? eb('hour', '-', eb('hour', '%', eb.lit(DAY_MS))).as('group')
          : eb.ref(by === 'actor' ? 'actor_id' : 'endpoint').as('group'),
        'status_class',
        eb.fn.sum<number>('calls').as('calls'),
      ])
      .where('workspace_id', '=', p.workspaceId)
      .where('hour', '>=', p.from)
      .where('hour', '<', p.to)
      .groupBy(['group', 'status_class'])
      .orderBy('group', 'desc'),
)
const apiKeyNames = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('api_key')
    .select(['id', 'name'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)
const accountNames = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('account')
    .select(['id', 'username as name'])
    .where(dialect.inList('id', p.ids))
    .where((eb) => isNameListed(eb, p.workspaceId)),
)

/** The requests of one day, endpoint or actor. */
export interface UsageTotal {
  /** The start of the day in epoch milliseconds, the name of the endpoint, or the id of the actor. */
  readonly group: string | number
  readonly calls: number
  /** How many had a 4xx and a 5xx response. */
  readonly refused: number
  readonly failed: number
}

/**
 * Sums the stored request counts of a workspace. Call `Meter.flush` first to include the last second.
 * @param input.from epoch milliseconds; includes hours that start at or after it
 * @param input.to epoch milliseconds; includes hours that start before it
 * @returns days newest first; endpoints and actors in descending order of requests
 */
export async function sumUsage(
  db: Queries,
  input: {
    readonly workspaceId: string
    readonly from: number
    readonly to: number
    readonly by: UsageGroup
  },
): Promise<UsageTotal[]> {
  const { workspaceId, from, to, by } = input
  const totals = new Map<string | number, UsageTotal>()
  for (const row of await db.all(usageTotals(by), { workspaceId, from, to })) {
    const { group, status_class } = row
    const calls = Number(row.calls)
    const total = totals.get(group) ?? { group, calls: 0, refused: 0, failed: 0 }
    totals.set(group, {
      group,
      calls: total.calls + calls,
      refused: total.refused + (status_class === 4 || status_class === OVER_QUOTA_CLASS ? calls : 0),
      failed: total.failed + (status_class === 5 ? calls : 0),
    })
  }
  const list = [...totals.values()]
  return by === 'day' ? list : list.sort((a, b) => b.calls - a.calls)
}

/** The sender of requests: an API key of the workspace, or an account. */
export interface ActorName {
  readonly kind: 'api_key' | 'account'
  readonly name: string
}

/** The names of API keys and accounts by id. A deleted or blanked one is missing. */
export async function findActorNames(
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ActorName>> {
  const keys = await db.all(apiKeyNames, { workspaceId, ids })
  const accounts = await db.all(accountNames, { workspaceId, ids })
  const toEntries = (kind: ActorName['kind'], rows: typeof keys) =>
    rows.map(({ id, name }) => [id, { kind, name }] as const)
  return new Map([...toEntries('account', accounts), ...toEntries('api_key', keys)])
}
