import {
  type Actor,
  listKeysOfPlayers,
  MAX_LIMIT,
  MAX_PAGE_BYTES,
  type Ports,
  paginate,
  parsePage,
  takePage,
} from '@reeve/core'
import { listSanctionKeys, type SanctionKeys } from '@reeve/core/player-hashes'
import { type Queries, statement } from '@reeve/db'
import { findNextAppeal } from '../appeals/next-appeal.ts'
import { findRecordApproval } from '../approvals/list.ts'
import { listLinkedPlayers } from '../links/linked-players.ts'
import { listBansAsOf } from './as-of.ts'
import {
  isInForceList,
  isShortList,
  type ListParams,
  type ListShape,
  needsSearch,
  recordsPage,
} from './list-statements.ts'
import {
  type ListedRow,
  presentRecord,
  presentSummary,
  type RecordVersion,
  type SummaryRow,
} from './model.ts'
import type { ListQuery } from './parse-request.ts'
import { requireRecord } from './record-store.ts'
import type { ModerationReadQueryInput } from './requests.ts'
import { findCaseRange, searchRecords } from './search.ts'
import { createTextFilter } from './text-filter.ts'
import { presentVersions } from './versions.ts'

const accountById = statement<{ id: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('account').select('id').where('id', '=', p.id),
)

/** Returns a page of records, newest first, under the name of the list. */
export async function listRecords(db: Queries, ports: Ports, actor: Actor, query: ListQuery) {
  const { records, ...page } = await findRecordPage(db, ports, actor, query)
  if (query.list === 'bans') {
    if (!query.links) return { bans: records, ...page }
    const linkedTo = await listLinkedPlayers(db, ports, actor, query.userIds ?? [])
    return { bans: records, ...page, linkedTo }
  }
  return query.list === 'history' ? { history: records, ...page } : { records, ...page }
}

/**
 * A ban check of named players returns all of them on one page by default, unless it would be too large. A player who is absent from every
 * page is not banned, or was banned again between two pages. With a filter that no index covers, a page can be short or empty before the end of
 * the list.
 */
export async function findRecordPage(db: Queries, ports: Pick<Ports, 'now'>, actor: Actor, input: ListQuery) {
  const { keys, toRequested } = listStoredKeys(actor, input)
  const query = { ...input, userIds: keys }
  const { list, userIds, text, asOf } = query
  const present = (row: ListedRow, at: number) => presentSummary(row, at, toRequested(row.user_id))
  if (asOf !== undefined) {
    const bans = await listBansAsOf(db, actor, userIds ?? [], asOf, ports.now())
    return {
      records: bans.map((row) => present({ ...row, next_appeal: null, waits_for_approval: null }, asOf)),
      nextCursor: null,
    }
  }
  const defaultLimit = list === 'bans' && userIds ? { limit: MAX_LIMIT } : {}
  const page = parsePage(list, { ...defaultLimit, ...query }, ['number'])
  const now = ports.now()
  const below = Number(page.after?.[0] ?? Number.MAX_SAFE_INTEGER)
  const baseShape = toListShape(query, await findActorKind(db, query.actorUserId))
  const isSearch = needsSearch(baseShape) || (text !== undefined && !isShortList(baseShape))
  const shape = { ...baseShape, isSearch }
  const filterByText = text === undefined ? null : createTextFilter(db, actor.workspaceId, text)
  const params = toListParams(actor, query, { now, below, limit: page.limit })
  const presentNow = (row: ListedRow) => present(row, now)
  if (isSearch) {
    const range = baseShape.byTime ? await findCaseRange(db, actor.workspaceId, query) : { lowest: 0, below }
    const result = await searchRecords(
      db,
      shape,
      { ...params, lowest: range.lowest, below: Math.min(below, range.below) },
      filterByText,
    )
    const records = takePage(result.rows.map(presentNow))
    const isCut = records.length < result.rows.length
    const nextBelow = isCut ? (result.rows[records.length - 1]?.case_number ?? null) : result.nextBelow
    return {
      records,
      nextCursor: nextBelow === null ? null : page.toCursor([nextBelow]),
      ...(result.isInterrupted && !isCut && { searchedToCase: String(nextBelow) }),
    }
  }
  const fetched = await db.all(recordsPage(shape), { ...params, limit: page.limit + 1 })
  const sorted = isShortList(shape) ? selectNewestBelow(fetched, below) : fetched
  const { rows: records, nextCursor } = paginate(
    filterByText ? await filterByText(sorted) : sorted,
    page,
    (row) => [row.case_number],
    presentNow,
  )
  return { records, nextCursor }
}

/**
 * Under what the players of a request are stored. Only a list of sanctions in force finds players by their pseudonyms, and has the IDs of
 * the request in their place.
 */
function listStoredKeys(
  actor: Actor,
  query: ListQuery,
): Pick<SanctionKeys, 'toRequested'> & { readonly keys: readonly string[] | undefined } {
  const { userIds } = query
  if (userIds && isInForceList({ list: chooseList(query) })) return listSanctionKeys(userIds, actor)
  const keys = userIds && listKeysOfPlayers(userIds, actor.platforms)
  return { keys, toRequested: (userId) => userId }
}

const selectNewestBelow = <Row extends SummaryRow>(rows: readonly Row[], below: number): Row[] =>
  rows.filter((row) => row.case_number < below).sort((a, b) => b.case_number - a.case_number)

/** Whether the records of an actor are those of a person; null for the records of all actors. */
async function findActorKind(db: Queries, actorId: string | undefined): Promise<ListShape['byActor']> {
  if (actorId === undefined) return null
  return (await db.first(accountById, { id: actorId })) ? 'person' : 'other'
}

/** The records that a list starts from. Bans, and the bans or mutes in force, have indexes of their own, however they are requested. */
function chooseList({ list, status, actions }: ListQuery): ListShape['list'] {
  if (list !== 'records') return list
  const action = actions?.length === 1 ? actions[0] : undefined
  const inForce = status?.length === 1 && status[0] === 'active' ? action : undefined
  if (inForce === 'mute') return 'mutes'
  if (inForce === 'ban') return 'bans'
  return action === 'ban' ? 'history' : 'records'
}

function toListShape(
  query: ListQuery,
  byActor: ListShape['byActor'],
): Omit<ListShape, 'isSearch'> & { isSearch: false } {
  const { userIds, severity, status, actions, from, to, imported, caseNumbers } = query
  const list = chooseList(query)
  return {
    list,
    players: userIds === undefined ? 'any' : userIds.length === 1 ? 'one' : 'many',
    byActor,
    bySeverity: severity !== undefined,
    statuses: status ? [...status].sort() : null,
    byAction: actions !== undefined && (query.list !== 'records' || list === 'records'),
    byCase: caseNumbers !== undefined,
    byTime: from !== undefined || to !== undefined,
    imported: imported ?? null,
    withCommentBytes: query.text !== undefined,
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
  const record = presentRecord({ ...row, ...(await findNextAppeal(db, row)) }, ports.now())
  const versions = await takeVersions(
    presentVersions(db, row, Number(page.after?.[0] ?? 0), page.limit),
    page.limit,
    MAX_PAGE_BYTES - countBytes(record),
  )
  const last = versions.at(-1)?.version
  const hasMore = last !== undefined && Number(last) < row.version - 1
  const approval = row.action === 'ban' ? await findRecordApproval(db, ports, actor, row.id) : null
  return {
    record,
    ...(approval && { approval }),
    versions,
    nextCursor: hasMore ? page.toCursor([Number(last)]) : null,
  }
}

/** The first versions, up to a number of them and of bytes; at least one if there are any. */
async function takeVersions(
  presented: AsyncIterable<RecordVersion>,
  limit: number,
  maxBytes: number,
): Promise<RecordVersion[]> {
  const versions: RecordVersion[] = []
  let bytes = 0
  for await (const version of presented) {
    bytes += countBytes(version)
    if (versions.length > 0 && bytes > maxBytes) return versions
    versions.push(version)
    if (versions.length === limit) return versions
  }
  return versions
}

const countBytes = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1
