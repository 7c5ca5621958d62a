import {
  type Actor,
  DAY_MS,
  type ListQuery,
  MAX_PAGE_BYTES,
  type PageQuery,
  parsePage,
  takeBySize,
} from '@reeve/core'
import { type AuditTable, type Queries, statement, statementFamily, yieldToEventLoop } from '@reeve/db'

/** Changes that are consequences of time or of a newer sanction, not actions of the actor. */
const AUTOMATIC_ACTIONS: readonly string[] = ['moderation.expire', 'moderation.supersede']

/** Every change of a record is a moderation action, and nothing else is. */
const MODERATION_TARGET = 'record'

/** The filter `action` with this value matches every moderation action, without the automatic changes. */
export const ANY_MODERATION_ACTION = 'moderation.*'

/** Whether somebody moderated: the entry is about a record, and not an automatic change. */
export const isModerationAction = (entry: Pick<AuditTable, 'target_kind' | 'action'>): boolean =>
  entry.target_kind === MODERATION_TARGET && !AUTOMATIC_ACTIONS.includes(entry.action)

/** The filters that compare one column. */
const filterColumns = { actorId: 'actor_id', action: 'action' } as const

type Filter = keyof typeof filterColumns

const filters = Object.keys(filterColumns) as Filter[]

/**
 * Maximum number of rows that one request scans. Only the target is indexed, because an index slows every write; a search
 * by another column continues on the next page, so that a long log does not block other requests.
 */
const MAX_SCANNED_ROWS = 20_000
/** Maximum number of rows that one search by player scans: fewer, because it looks up a record for each row. */
const MAX_SCANNED_RECORDS = 5000
/** How many rows one statement scans; other requests run in between. */
const SCAN_WINDOW = 1000

/** The log is in the order of time, except for entries from before a clock was set back. */
const CLOCK_TOLERANCE_MS = DAY_MS

interface Params {
  readonly workspaceId: string
  readonly before: number
  readonly fromSequence: number
  readonly limit: number
  readonly actorId: string
  readonly action: string
  readonly targetIds: readonly string[]
  readonly userIds: readonly string[]
  readonly accountId: string
  readonly from: number
  readonly to: number
}

interface QueryShape {
  readonly activeFilters: readonly Filter[]
  readonly targets: 'any' | 'ids' | 'players'
  readonly isModeration: boolean
  readonly account: boolean
  readonly from: boolean
  readonly to: boolean
}

/** The rows of a page, without their content, whose size decides how many are read. */
const auditPage = statementFamily<Params, QueryShape>()(
  (sql, p, { activeFilters, targets, isModeration, account, from, to }, dialect) => {
    // Without statistics, the planner would read the whole log backwards rather than sort the entries of the targets.
    let page = sql
      .selectFrom(dialect.withIndexHint('audit', targets === 'ids' ? 'audit_by_target' : null))
      .select(({ fn }) => ['sequence', fn<number | null>('octet_length', ['changes']).as('changes_bytes')])
      .where('workspace_id', '=', p.workspaceId)
      .where('sequence', '<', p.before)
      .where('sequence', '>=', p.fromSequence)
      .orderBy('sequence', 'desc')
      .limit(p.limit)
    for (const filter of activeFilters) page = page.where(filterColumns[filter], '=', p[filter])
    if (targets === 'ids') page = page.where(dialect.inList('target_id', p.targetIds))
    if (targets === 'players') {
      page = page.where((eb) =>
        eb.or([
          dialect.inList('target_id', p.targetIds),
          eb.exists(
            eb
              .selectFrom('record')
              .select('record.id')
              .where('record.workspace_id', '=', p.workspaceId)
              .whereRef('record.id', '=', 'audit.target_id')
              .where(dialect.inList('record.user_id', p.userIds)),
          ),
        ]),
      )
    }
    if (account)
      page = page.where((eb) => eb.or([eb('actor_id', '=', p.accountId), eb('target_id', '=', p.accountId)]))
    if (isModeration)
      page = page.where('target_kind', '=', MODERATION_TARGET).where('action', 'not in', AUTOMATIC_ACTIONS)
    if (from) page = page.where('at', '>=', p.from)
    if (to) page = page.where('at', '<', p.to)
    return page
  },
)
const rowsBySequence = statement<{ workspaceId: string; sequences: readonly number[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('audit')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('sequence', p.sequences)),
)
const newestBefore = statement<{ workspaceId: string; before: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '<', p.before)
    .orderBy('sequence', 'desc')
    .limit(1),
)

const LIST = 'audit'

/** More than the JSON of an entry without its changes. */
const ENTRY_BYTES = 1500

/** Which rows of the log to read. `from` (inclusive) and `to` (exclusive) are epoch milliseconds. */
export interface AuditFilter {
  readonly actorId?: string
  readonly action?: string
  /** Changes of these resources. */
  readonly targetIds?: readonly string[]
  /** And of all records of these players. Slower than the ids of their records, if those are few. */
  readonly userIds?: readonly string[]
  /** Changes by this account, or of it. */
  readonly accountId?: string
  readonly from?: number
  readonly to?: number
}

/**
 * The page that a request names.
 * @param query the filters as the client sent them: the targets that they resolve to can change between two pages
 * @throws AppError `invalid_request` naming `cursor`
 */
export const parseAuditPage = (query: ListQuery): PageQuery => parsePage(LIST, query, ['number'])

/**
 * A page of the audit log of the actor's workspace, newest first. A filtered page can have fewer rows than the limit, or
 * none, without being the last one: only the last page has a `nextCursor` of null.
 */
export async function listAuditEntries(
  db: Queries,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: AuditFilter,
  page: PageQuery,
): Promise<{ rows: readonly AuditTable[]; nextCursor: string | null }> {
  const newest = await db.first(newestBefore, { workspaceId, before: toUpperBound(page.after) })
  if (!newest) return { rows: [], nextCursor: null }
  const before = newest.sequence + 1
  const shape = toQueryShape(input)
  const fromSequence =
    shape.targets === 'ids'
      ? 0
      : before - (shape.targets === 'players' ? MAX_SCANNED_RECORDS : MAX_SCANNED_ROWS)
  const scanned = await scanWindows(db, shape, {
    workspaceId,
    before,
    fromSequence,
    limit: page.limit + 1,
    actorId: input.actorId ?? '',
    action: input.action ?? '',
    targetIds: input.targetIds ?? [],
    userIds: input.userIds ?? [],
    accountId: input.accountId ?? '',
    from: input.from ?? 0,
    to: input.to ?? 0,
  })
  const entries = takeBySize(
    scanned.slice(0, page.limit),
    MAX_PAGE_BYTES,
    (row) => ENTRY_BYTES + (row.changes_bytes ?? 0),
  )
  const sequences = entries.map(({ sequence }) => sequence)
  const found = sequences.length === 0 ? [] : await db.all(rowsBySequence, { workspaceId, sequences })
  const rows = found.sort((one, other) => other.sequence - one.sequence)
  const last = sequences.at(-1)
  if (last !== undefined && entries.length < scanned.length)
    return { rows, nextCursor: page.toCursor([last]) }
  const older = await db.first(newestBefore, { workspaceId, before: fromSequence })
  const isComplete = !older || (input.from !== undefined && older.at < input.from - CLOCK_TOLERANCE_MS)
  return { rows, nextCursor: isComplete ? null : page.toCursor([fromSequence]) }
}

interface EntrySize {
  readonly sequence: number
  readonly changes_bytes: number | null
}

/** Reads a page of the log window by window, newest first. The entries of named targets come from an index at once. */
async function scanWindows(db: Queries, shape: QueryShape, params: Params): Promise<EntrySize[]> {
  if (shape.targets === 'ids') return db.all(auditPage(shape), params)
  const rows: EntrySize[] = []
  let { before } = params
  while (before > params.fromSequence && before > 0 && rows.length < params.limit) {
    if (before < params.before) await yieldToEventLoop()
    const fromSequence = Math.max(params.fromSequence, before - SCAN_WINDOW)
    const limit = params.limit - rows.length
    rows.push(...(await db.all(auditPage(shape), { ...params, before, fromSequence, limit })))
    before = fromSequence
  }
  return rows
}

/** The exclusive upper bound of a page: the last row of the previous one. */
const toUpperBound = (after: PageQuery['after']): number => Number(after?.[0] ?? Number.MAX_SAFE_INTEGER)

const toQueryShape = (input: AuditFilter): QueryShape => ({
  activeFilters: filters.filter(
    (filter) => input[filter] !== undefined && input[filter] !== ANY_MODERATION_ACTION,
  ),
  isModeration: input.action === ANY_MODERATION_ACTION,
  targets: input.userIds ? 'players' : input.targetIds ? 'ids' : 'any',
  account: input.accountId !== undefined,
  from: input.from !== undefined,
  to: input.to !== undefined,
})
