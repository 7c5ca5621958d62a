import { type Actor, MAX_LIMIT, type Ports, paginate, parsePage, wire } from '@reeve/core'
import { type Queries, type RecordTable, sqlLiteral, statement, statementFamily } from '@reeve/db'
import type { Status } from './force.ts'
import { type ModerationReadQueryInput, type ShownVersion, shownRecord } from './model.ts'
import type { ListAsked } from './request.ts'
import { recordById } from './rows.ts'

type Players = 'any' | 'one' | 'many'

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
  readonly list: ListAsked['list']
  readonly players: Players
  readonly byActor: boolean
  readonly bySeverity: boolean
  readonly status: Status | null
}

/** A page of records, newest first. */
export const recordsPage = statementFamily<ListParams, ListShape>((shape) =>
  isBanCheck(shape) ? { isLookup: true } : {},
)((sql, p, shape, dialect) => {
  let found = sql
    .selectFrom(dialect.withIndexHint('record', indexFor(shape)))
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
  // Literals, as in the partial indexes: with parameters in their place those would not be used.
  if (shape.list !== 'records') found = found.where('action', '=', sqlLiteral('ban'))
  if (shape.list === 'bans') found = found.where((eb) => eb('in_force', '=', eb.lit(1)))
  if (shape.players === 'one') found = found.where('user_id', '=', p.userId)
  if (shape.players === 'many') found = found.where(dialect.inList('user_id', p.userIds))
  if (shape.byActor) found = found.where('actor_id', '=', p.actorUserId)
  if (shape.bySeverity) found = found.where('severity', '=', p.severity)
  if (shape.list === 'bans' || shape.status === 'active') {
    found = found
      .where('ended', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
  }
  if (shape.status === 'expired') {
    found = found.where((eb) =>
      eb.or([eb('ended', '=', 'expired'), eb.and([eb('ended', 'is', null), eb('expires_at', '<=', p.now)])]),
    )
  }
  if (shape.status === 'revoked' || shape.status === 'superseded') {
    found = found.where('ended', '=', shape.status)
  }
  // Sorting costs the engine more than finding: the few bans of named players are put in order here instead.
  if (isBanCheck(shape)) return found
  return found.where('case_number', '<', p.below).orderBy('case_number', 'desc').limit(p.limit)
})

/** Named players have one ban in force each at the most. */
const isBanCheck = ({ list, players }: Pick<ListShape, 'list' | 'players'>): boolean =>
  list === 'bans' && players !== 'any'

const newestBelow = (rows: readonly RecordTable[], below: number): RecordTable[] =>
  rows.filter((row) => row.case_number < below).sort((a, b) => b.case_number - a.case_number)

/**
 * Where a planner without statistics would choose badly: it takes a list of players for longer than all the bans of a
 * workspace, and the bans in force for no fewer than all there ever were.
 */
const indexFor = ({ list, players }: ListShape): string | null => {
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

/** A page of records under the name of the list, newest first. */
export async function listRecords(db: Queries, ports: Ports, actor: Actor, asked: ListAsked) {
  const { records, nextCursor } = await pageOfRecords(db, ports, actor, asked)
  if (asked.list === 'bans') return { bans: records, nextCursor }
  return asked.list === 'history' ? { history: records, nextCursor } : { records, nextCursor }
}

/** The ban check of named players is never cut short unless it asks for that: who is on no page is not banned. */
export async function pageOfRecords(db: Queries, ports: Ports, actor: Actor, asked: ListAsked) {
  const { list, userIds, actorUserId, severity, status } = asked
  const players: Players = userIds === undefined ? 'any' : userIds.length === 1 ? 'one' : 'many'
  const isCheck = isBanCheck({ list, players })
  const page = parsePage(list, isCheck ? { limit: MAX_LIMIT, ...asked } : asked, ['number'])
  const now = ports.now()
  const below = Number(page.after?.[0] ?? Number.MAX_SAFE_INTEGER)
  const shape: ListShape = {
    list,
    players,
    byActor: actorUserId !== undefined,
    bySeverity: severity !== undefined,
    status: status ?? null,
  }
  const found = await db.all(recordsPage(shape), {
    workspaceId: actor.workspaceId,
    now,
    below,
    limit: page.limit + 1,
    userId: userIds?.[0] ?? '',
    userIds: userIds ?? [],
    actorUserId: actorUserId ?? '',
    severity: severity ?? 'low',
  })
  const inOrder = isCheck ? newestBelow(found, below) : found
  const { rows, nextCursor } = paginate(inOrder, page.limit, list, (row) => [row.case_number])
  return { records: rows.map((row) => shownRecord(row, now)), nextCursor }
}

const VERSIONS = 'versions'

/** One record and a page of what it was before, oldest first. @throws AppError `not_found` */
export async function getRecord(
  db: Queries,
  ports: Ports,
  actor: Actor,
  input: ModerationReadQueryInput & { id: string },
) {
  const { limit, after } = parsePage(VERSIONS, input, ['number'])
  const row = await recordById(db, actor, input.id)
  const found = await db.all(versionsAfter, {
    workspaceId: actor.workspaceId,
    id: row.id,
    after: Number(after?.[0] ?? 0),
    limit: limit + 1,
  })
  const { rows, nextCursor } = paginate(found, limit, VERSIONS, ({ version }) => [version])
  const versions = rows.map(
    (version): ShownVersion => ({
      ...JSON.parse(version.snapshot),
      replacedAt: wire.time.write(version.replaced_at),
      replacedBy: version.replaced_by,
    }),
  )
  return { record: shownRecord(row, ports.now()), versions, nextCursor }
}
