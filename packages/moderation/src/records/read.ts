import { type Actor, MAX_LIMIT, type Ports, paginate, parsePage, wire } from '@reeve/core'
import { type Queries, type RecordTable, statement } from '@reeve/db'
import { isShortList, type ListParams, type ListShape, needsSearch, recordsPage } from './list-statements.ts'
import { type ModerationReadQueryInput, presentRecord, type RecordVersion } from './model.ts'
import type { ListQuery } from './parse-request.ts'
import { requireRecord } from './record-store.ts'
import { createTextMatcher, findCaseRange, searchRecords } from './search.ts'

const versionsAfter = statement<{ workspaceId: string; id: string; after: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('record_version')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('record_id', '=', p.id)
      .where('version', '>', p.after)
      .orderBy('version')
      .limit(p.limit),
)

/** Returns a page of records, newest first, under the name of the list. */
export async function listRecords(db: Queries, ports: Ports, actor: Actor, query: ListQuery) {
  const { records, ...page } = await findRecordPage(db, ports, actor, query)
  if (query.list === 'bans') return { bans: records, ...page }
  return query.list === 'history' ? { history: records, ...page } : { records, ...page }
}

/**
 * A ban check of named players returns all of them on one page by default: an absent player is not banned. With a filter
 * that no index covers, a page can be short or empty before the end of the list.
 */
export async function findRecordPage(db: Queries, ports: Ports, actor: Actor, query: ListQuery) {
  const { list, userIds, text } = query
  const defaultLimit = list === 'bans' && userIds ? { limit: MAX_LIMIT } : {}
  const page = parsePage(list, { ...defaultLimit, ...query }, ['number'])
  const now = ports.now()
  const below = Number(page.after?.[0] ?? Number.MAX_SAFE_INTEGER)
  const baseShape = toListShape(query)
  const isSearch = needsSearch(baseShape) || (text !== undefined && !isShortList(baseShape))
  const shape = { ...baseShape, isSearch }
  const matches = text === undefined ? null : createTextMatcher(text)
  const params = toListParams(actor, query, { now, below, limit: page.limit })
  const present = (rows: readonly RecordTable[]) => rows.map((row) => presentRecord(row, now))
  if (isSearch) {
    const range = baseShape.byTime ? await findCaseRange(db, actor.workspaceId, query) : { lowest: 0, below }
    const result = await searchRecords(
      db,
      shape,
      { ...params, lowest: range.lowest, below: Math.min(below, range.below) },
      matches,
    )
    const { nextBelow } = result
    return {
      records: present(result.rows),
      nextCursor: nextBelow === null ? null : page.toCursor([nextBelow]),
      ...(result.isInterrupted && { searchedToCase: String(nextBelow) }),
    }
  }
  const fetched = await db.all(recordsPage(shape), { ...params, limit: page.limit + 1 })
  const sorted = isShortList(shape) ? selectNewestBelow(fetched, below) : fetched
  const { rows, nextCursor } = paginate(matches ? sorted.filter(matches) : sorted, page, (row) => [
    row.case_number,
  ])
  return { records: present(rows), nextCursor }
}

const selectNewestBelow = (rows: readonly RecordTable[], below: number): RecordTable[] =>
  rows.filter((row) => row.case_number < below).sort((a, b) => b.case_number - a.case_number)

/** The shape of a list. Bans, and the bans or mutes in force, have indexes of their own, however they are requested. */
function toListShape(query: ListQuery): Omit<ListShape, 'isSearch'> & { isSearch: false } {
  const { userIds, actorUserId, severity, status, actions, from, to, caseNumbers } = query
  const action = actions?.length === 1 ? actions[0] : undefined
  const inForce = status?.length === 1 && status[0] === 'active' ? action : undefined
  const list =
    query.list !== 'records'
      ? query.list
      : inForce === 'mute'
        ? 'mutes'
        : inForce === 'ban'
          ? 'bans'
          : action === 'ban'
            ? 'history'
            : 'records'
  return {
    list,
    players: userIds === undefined ? 'any' : userIds.length === 1 ? 'one' : 'many',
    byActor: actorUserId !== undefined,
    bySeverity: severity !== undefined,
    statuses: status ? [...status].sort() : null,
    byAction: actions !== undefined && (query.list !== 'records' || list === 'records'),
    byCase: caseNumbers !== undefined,
    byTime: from !== undefined || to !== undefined,
    isSearch: false,
  }
}

const toListParams = (
  { workspaceId }: Actor,
  query: ListQuery,
  page: Pick<ListParams, 'now' | 'below' | 'limit'>,
): ListParams => ({
  workspaceId,
  ...page,
  lowest: 0,
  userId: query.userIds?.[0] ?? '',
  userIds: query.userIds ?? [],
  actorUserId: query.actorUserId ?? '',
  severity: query.severity ?? 'low',
  actions: query.actions ?? [],
  caseNumbers: query.caseNumbers ?? [],
  from: query.from ?? 0,
  to: query.to ?? Number.MAX_SAFE_INTEGER,
})

const VERSIONS = 'versions'

/** Returns one record and a page of its earlier versions, oldest first. @throws AppError `not_found` */
export async function getRecord(
  db: Queries,
  ports: Ports,
  actor: Actor,
  input: ModerationReadQueryInput & { id: string },
) {
  const page = parsePage(VERSIONS, input, ['number'])
  const row = await requireRecord(db, actor, input.id)
  const fetched = await db.all(versionsAfter, {
    workspaceId: actor.workspaceId,
    id: row.id,
    after: Number(page.after?.[0] ?? 0),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(fetched, page, ({ version }) => [version])
  const versions = rows.map(
    (version): RecordVersion => ({
      ...JSON.parse(version.snapshot),
      replacedAt: wire.time.write(version.replaced_at),
      replacedBy: version.replaced_by,
    }),
  )
  return { record: presentRecord(row, ports.now()), versions, nextCursor }
}
