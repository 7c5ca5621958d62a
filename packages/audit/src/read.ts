import { type Actor, encodeCursor, type PageQuery, paginate, parsePage } from '@reeve/core'
import { type AuditTable, type Queries, statement, statementFamily } from '@reeve/db'

/** The filters of the log, by column. */
const filterColumns = { actorId: 'actor_id', action: 'action', targetId: 'target_id' } as const

type Filter = keyof typeof filterColumns

const filters = Object.keys(filterColumns) as Filter[]

/**
 * Maximum number of rows that one request scans. Only the target is indexed, because an index slows every write; a search
 * by another column continues on the next page, so that a long log does not block other requests.
 */
const MAX_SCANNED_ROWS = 20_000

interface Params {
  readonly workspaceId: string
  readonly before: number
  readonly fromSequence: number
  readonly limit: number
  readonly actorId: string
  readonly action: string
  readonly targetId: string
  readonly from: number
  readonly to: number
}

const auditPage = statementFamily<Params, { activeFilters: readonly Filter[]; from: boolean; to: boolean }>()(
  (sql, p, { activeFilters, from, to }) => {
    let page = sql
      .selectFrom('audit')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('sequence', '<', p.before)
      .where('sequence', '>=', p.fromSequence)
      .orderBy('sequence', 'desc')
      .limit(p.limit)
    for (const filter of activeFilters) page = page.where(filterColumns[filter], '=', p[filter])
    if (from) page = page.where('at', '>=', p.from)
    if (to) page = page.where('at', '<', p.to)
    return page
  },
)
const newestBefore = statement<{ workspaceId: string; before: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('sequence')
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '<', p.before)
    .orderBy('sequence', 'desc')
    .limit(1),
)

const LIST = 'audit'

/** Which rows of the log to read. `from` (inclusive) and `to` (exclusive) are epoch milliseconds. */
export interface AuditFilter {
  readonly actorId?: string
  readonly action?: string
  readonly targetId?: string
  readonly from?: number
  readonly to?: number
  readonly limit?: number
  readonly cursor?: string
}

/**
 * A page of the audit log of the actor's workspace, newest first. A filtered page can have fewer rows than the limit, or
 * none, without being the last one: only the last page has a `nextCursor` of null.
 * @throws AppError `invalid_request` naming `cursor`
 */
export async function listAuditEntries(
  db: Queries,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: AuditFilter,
): Promise<{ rows: readonly AuditTable[]; nextCursor: string | null }> {
  const { limit, after } = parsePage(LIST, input, ['number'])
  const newest = await db.first(newestBefore, { workspaceId, before: toUpperBound(after) })
  if (!newest) return { rows: [], nextCursor: null }
  const before = newest.sequence + 1
  const fromSequence = input.targetId === undefined ? before - MAX_SCANNED_ROWS : 0
  const scanned = await db.all(auditPage(toQueryShape(input)), {
    workspaceId,
    before,
    fromSequence,
    limit: limit + 1,
    actorId: input.actorId ?? '',
    action: input.action ?? '',
    targetId: input.targetId ?? '',
    from: input.from ?? 0,
    to: input.to ?? 0,
  })
  const { rows, nextCursor } = paginate(scanned, limit, LIST, (row) => [row.sequence])
  if (nextCursor !== null) return { rows, nextCursor }
  const older = await db.first(newestBefore, { workspaceId, before: fromSequence })
  return { rows, nextCursor: older ? encodeCursor(LIST, [fromSequence]) : null }
}

/** The exclusive upper bound of a page: the last row of the previous one. */
const toUpperBound = (after: PageQuery['after']): number => Number(after?.[0] ?? Number.MAX_SAFE_INTEGER)

const toQueryShape = (input: AuditFilter) => ({
  activeFilters: filters.filter((filter) => input[filter] !== undefined),
  from: input.from !== undefined,
  to: input.to !== undefined,
})
