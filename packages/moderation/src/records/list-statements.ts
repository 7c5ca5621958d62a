import type { RecordStatus } from '@reeve/core'
import {
  type Conditions,
  columnsExcept,
  type Dialect,
  type RecordTable,
  type Sql,
  sqlLiteral,
  statement,
  statementFamily,
} from '@reeve/db'
import { selectNextAppeal } from '../appeals/next-appeal.ts'
import { selectPendingApproval } from '../approvals/store.ts'

type PlayerFilter = 'any' | 'one' | 'many'

export interface ListParams {
  readonly workspaceId: string
  readonly now: number
  /** Only records below this case number. */
  readonly below: number
  /** The lowest case number, if the list has one. */
  readonly lowest: number
  readonly limit: number
  readonly userId: string
  readonly userIds: readonly string[]
  readonly actorUserId: string
  readonly severity: RecordTable['severity']
  readonly actions: readonly string[]
  readonly caseNumbers: readonly number[]
  readonly from: number
  readonly to: number
}

export interface ListShape {
  /** The records that the list starts from: `bans` and `mutes` are those in force. */
  readonly list: 'bans' | 'mutes' | 'history' | 'records'
  readonly players: PlayerFilter
  /** Records that one actor created. Only those of people have an index: API keys create most records. */
  readonly byActor: 'person' | 'other' | null
  readonly bySeverity: boolean
  /** Null for any. */
  readonly statuses: readonly RecordStatus[] | null
  readonly byAction: boolean
  readonly byCase: boolean
  readonly byTime: boolean
  /** Records that were imported, or those that were not; null for both. */
  readonly imported: boolean | null
  /** Whether the rows have the size of their comments, for those that are searched for a text. */
  readonly withCommentBytes: boolean
  /** Whether the list ends at `lowest`, and its index is chosen here. */
  readonly isSearch: boolean
}

/** Whether a list has only sanctions in force. */
export const isInForceList = ({ list }: Pick<ListShape, 'list'>): boolean =>
  list === 'bans' || list === 'mutes'

/** Whether the result has at most one row for each named player or case. */
export const isShortList = (shape: Pick<ListShape, 'list' | 'players' | 'byCase'>): boolean =>
  shape.byCase || (isInForceList(shape) && shape.players !== 'any')

/** The action of a list of one action as a literal, because the planner does not use a partial index for a parameter. */
const literalAction = ({ list }: ListShape) => sqlLiteral(list === 'mutes' ? 'mute' : 'ban')

/** The index that a list is read in the order of. */
type Driver =
  | 'record_in_force_by_case'
  | 'record_by_player'
  | 'record_by_actor'
  | 'record_bans'
  | 'record_by_case'

function chooseDriver(shape: ListShape): Driver {
  if (isInForceList(shape)) return 'record_in_force_by_case'
  if (shape.players !== 'any') return 'record_by_player'
  if (shape.byActor === 'person') return 'record_by_actor'
  return shape.list === 'history' ? 'record_bans' : 'record_by_case'
}

/** Whether a list has a filter that its index does not cover, so that reading a page may examine any number of records. */
export const needsSearch = (shape: ListShape): boolean =>
  !isShortList(shape) &&
  (shape.bySeverity ||
    shape.byAction ||
    shape.byTime ||
    shape.imported !== null ||
    (shape.statuses !== null && !(isInForceList(shape) && shape.statuses.includes('active'))) ||
    (shape.byActor !== null && chooseDriver(shape) !== 'record_by_actor') ||
    (shape.list === 'history' && chooseDriver(shape) !== 'record_bans'))

/**
 * Overrides the planner, which has no statistics: it assumes that a list of players is longer than all bans of a workspace,
 * and that there are as many active bans as bans overall.
 */
function chooseIndex(shape: ListShape): string | null {
  if (shape.byCase) return 'record_by_case'
  if (isInForceList(shape)) return shape.players === 'any' ? 'record_in_force_by_case' : 'record_in_force'
  if (shape.isSearch) return chooseDriver(shape)
  return shape.players === 'many' ? 'record_by_player' : null
}

const selectRecords = (sql: Sql, dialect: Dialect, index: string | null) =>
  sql.selectFrom(dialect.withIndexHint('record', index))

/** The status of a record at `now`, as a condition. */
function hasStatus(eb: Conditions<'record'>, status: RecordStatus, now: number) {
  if (status === 'active') {
    return eb.and([
      eb('ended', 'is', null),
      eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
    ])
  }
  if (status !== 'expired') return eb('ended', '=', status)
  return eb.or([eb('ended', '=', 'expired'), eb.and([eb('ended', 'is', null), eb('expires_at', '<=', now)])])
}

const summaryColumns = columnsExcept('record', 'evidence', 'evidence_files', 'comments')

/** A page of records, newest first, without their comments and evidence. */
export const recordsPage = statementFamily<ListParams, ListShape>((shape) =>
  isShortList(shape) ? { isLookup: true } : {},
)((sql, p, shape, dialect) => {
  let query = selectRecords(sql, dialect, chooseIndex(shape))
    .select(summaryColumns)
    .select((eb) => [selectNextAppeal(eb, p.workspaceId), selectPendingApproval(eb, p.workspaceId, p.now)])
    .$if(shape.withCommentBytes, (sized) =>
      sized.select(({ fn }) => fn<number>('octet_length', ['comments']).as('comment_bytes')),
    )
    .where('workspace_id', '=', p.workspaceId)
  if (shape.list !== 'records') query = query.where('action', '=', literalAction(shape))
  if (isInForceList(shape)) query = query.where((eb) => eb('in_force', '=', eb.lit(1)))
  if (shape.byCase) query = query.where(dialect.inList('case_number', p.caseNumbers))
  if (shape.players === 'one') query = query.where('user_id', '=', p.userId)
  if (shape.players === 'many') query = query.where(dialect.inList('user_id', p.userIds))
  if (shape.byActor !== null) query = query.where('actor_id', '=', p.actorUserId)
  if (shape.byActor === 'person') query = query.where('actor_kind', '=', sqlLiteral('account'))
  if (shape.bySeverity) query = query.where('severity', '=', p.severity)
  if (shape.byAction) query = query.where(dialect.inList('action', p.actions))
  if (shape.byTime) query = query.where('created_at', '>=', p.from).where('created_at', '<', p.to)
  // Not the source, which an erasure of the player removes.
  if (shape.imported !== null) query = query.where('actor_kind', shape.imported ? '=' : '!=', 'system')
  if (isInForceList(shape)) query = query.where((eb) => hasStatus(eb, 'active', p.now))
  const { statuses } = shape
  if (statuses) {
    query = query.where((eb) => eb.or(statuses.map((status) => hasStatus(eb, status, p.now))))
  }
  // Sorting would cost the engine more than the lookup, so short lists are sorted in memory.
  if (isShortList(shape)) return query
  if (shape.isSearch) query = query.where('case_number', '>=', p.lowest)
  return query.where('case_number', '<', p.below).orderBy('case_number', 'desc').limit(p.limit)
})

/** The case number of the last of the next `rows` records in the index of a list. Reads the index only. */
export const endOfStep = statementFamily<
  Pick<ListParams, 'workspaceId' | 'below' | 'lowest' | 'userId' | 'userIds' | 'actorUserId'> & {
    readonly skippedRows: number
  },
  ListShape
>()((sql, p, shape, dialect) => {
  const driver = chooseDriver(shape)
  let query = selectRecords(sql, dialect, driver)
    .select('case_number')
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '<', p.below)
    .where('case_number', '>=', p.lowest)
  if (driver === 'record_in_force_by_case' || driver === 'record_bans')
    query = query.where('action', '=', literalAction(shape))
  if (driver === 'record_in_force_by_case') query = query.where((eb) => eb('in_force', '=', eb.lit(1)))
  if (driver === 'record_by_player')
    query =
      shape.players === 'one'
        ? query.where('user_id', '=', p.userId)
        : query.where(dialect.inList('user_id', p.userIds))
  if (driver === 'record_by_actor')
    query = query.where('actor_id', '=', p.actorUserId).where('actor_kind', '=', sqlLiteral('account'))
  return query.orderBy('case_number', 'desc').limit(1).offset(p.skippedRows)
})

/** The newest case number of a workspace. */
export const newestCaseNumber = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select('case_number')
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('case_number', 'desc')
    .limit(1),
)

/** The first record from a case number on. */
export const recordFromCase = statement<{ workspaceId: string; caseNumber: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['case_number', 'created_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '>=', p.caseNumber)
    .orderBy('case_number')
    .limit(1),
)
