import { type Actor, MAX_LIMIT, type Ports, paginate, parsePage, type RecordStatus, wire } from '@reeve/core'
import { type Queries, type RecordTable, sqlLiteral, statement, statementFamily } from '@reeve/db'
import { type ModerationReadQueryInput, presentRecord, type RecordVersion } from './model.ts'
import type { ListQuery } from './parse-request.ts'
import { requireRecord } from './record-store.ts'

type PlayerFilter = 'any' | 'one' | 'many'

interface ListParams {
  readonly workspaceId: string
  readonly now: number
  /** Only records below this case number. */
  readonly below: number
  readonly limit: number
  readonly userId: string
  readonly userIds: readonly string[]
  readonly actorUserId: string
  readonly severity: RecordTable['severity']
}

interface ListShape {
  readonly list: ListQuery['list']
  readonly players: PlayerFilter
  readonly byActor: boolean
  readonly bySeverity: boolean
  readonly status: RecordStatus | null
}

/** A page of records, newest first. */
export const recordsPage = statementFamily<ListParams, ListShape>((shape) =>
  isBanCheck(shape) ? { isLookup: true } : {},
)((sql, p, shape, dialect) => {
  let query = sql
    .selectFrom(dialect.withIndexHint('record', chooseIndex(shape)))
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
  // Literals, because the planner does not use a partial index for a parameter.
  if (shape.list !== 'records') query = query.where('action', '=', sqlLiteral('ban'))
  if (shape.list === 'bans') query = query.where((eb) => eb('in_force', '=', eb.lit(1)))
  if (shape.players === 'one') query = query.where('user_id', '=', p.userId)
  if (shape.players === 'many') query = query.where(dialect.inList('user_id', p.userIds))
  if (shape.byActor) query = query.where('actor_id', '=', p.actorUserId)
  if (shape.bySeverity) query = query.where('severity', '=', p.severity)
  if (shape.list === 'bans' || shape.status === 'active') {
    query = query
      .where('ended', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
  }
  if (shape.status === 'expired') {
    query = query.where((eb) =>
      eb.or([eb('ended', '=', 'expired'), eb.and([eb('ended', 'is', null), eb('expires_at', '<=', p.now)])]),
    )
  }
  if (shape.status === 'revoked' || shape.status === 'superseded') {
    query = query.where('ended', '=', shape.status)
  }
  // Sorting would cost the engine more than the lookup, so the few bans of named players are sorted in memory.
  if (isBanCheck(shape)) return query
  return query.where('case_number', '<', p.below).orderBy('case_number', 'desc').limit(p.limit)
})

/** Whether the result has at most one row for each named player. */
const isBanCheck = ({ list, players }: Pick<ListShape, 'list' | 'players'>): boolean =>
  list === 'bans' && players !== 'any'

const selectNewestBelow = (rows: readonly RecordTable[], below: number): RecordTable[] =>
  rows.filter((row) => row.case_number < below).sort((a, b) => b.case_number - a.case_number)

/**
 * Overrides the planner, which has no statistics: it assumes that a list of players is longer than all bans of a workspace,
 * and that there are as many active bans as bans overall.
 */
const chooseIndex = ({ list, players }: ListShape): string | null => {
  if (list === 'bans') return players === 'any' ? 'record_in_force_by_case' : 'record_in_force'
  return players === 'many' ? 'record_by_player' : null
}

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
  const { records, nextCursor } = await findRecordPage(db, ports, actor, query)
  if (query.list === 'bans') return { bans: records, nextCursor }
  return query.list === 'history' ? { history: records, nextCursor } : { records, nextCursor }
}

/** A ban check of named players returns all of them on one page by default: an absent player is not banned. */
export async function findRecordPage(db: Queries, ports: Ports, actor: Actor, query: ListQuery) {
  const { list, userIds, actorUserId, severity, status } = query
  const players: PlayerFilter = userIds === undefined ? 'any' : userIds.length === 1 ? 'one' : 'many'
  const banCheck = isBanCheck({ list, players })
  const page = parsePage(list, banCheck ? { limit: MAX_LIMIT, ...query } : query, ['number'])
  const now = ports.now()
  const below = Number(page.after?.[0] ?? Number.MAX_SAFE_INTEGER)
  const shape: ListShape = {
    list,
    players,
    byActor: actorUserId !== undefined,
    bySeverity: severity !== undefined,
    status: status ?? null,
  }
  const fetched = await db.all(recordsPage(shape), {
    workspaceId: actor.workspaceId,
    now,
    below,
    limit: page.limit + 1,
    userId: userIds?.[0] ?? '',
    userIds: userIds ?? [],
    actorUserId: actorUserId ?? '',
    severity: severity ?? 'low',
  })
  const sorted = banCheck ? selectNewestBelow(fetched, below) : fetched
  const { rows, nextCursor } = paginate(sorted, page.limit, list, (row) => [row.case_number])
  return { records: rows.map((row) => presentRecord(row, now)), nextCursor }
}

const VERSIONS = 'versions'

/** Returns one record and a page of its earlier versions, oldest first. @throws AppError `not_found` */
export async function getRecord(
  db: Queries,
  ports: Ports,
  actor: Actor,
  input: ModerationReadQueryInput & { id: string },
) {
  const { limit, after } = parsePage(VERSIONS, input, ['number'])
  const row = await requireRecord(db, actor, input.id)
  const fetched = await db.all(versionsAfter, {
    workspaceId: actor.workspaceId,
    id: row.id,
    after: Number(after?.[0] ?? 0),
    limit: limit + 1,
  })
  const { rows, nextCursor } = paginate(fetched, limit, VERSIONS, ({ version }) => [version])
  const versions = rows.map(
    (version): RecordVersion => ({
      ...JSON.parse(version.snapshot),
      replacedAt: wire.time.write(version.replaced_at),
      replacedBy: version.replaced_by,
    }),
  )
  return { record: presentRecord(row, ports.now()), versions, nextCursor }
}
