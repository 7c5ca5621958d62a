import { type Actor, AppError, MAX_ID, type Ports, paginate, parsePage } from '@reeve/core'
import {
  onFormerMember,
  type Queries,
  type Sql,
  selectListedName,
  statement,
  statementFamily,
} from '@reeve/db'
import { type ApprovalRow, type ApprovalsQueryInput, presentApproval } from './model.ts'
import { createOwnRequestCheck } from './requesters.ts'

const selectApprovals = (sql: Sql) =>
  sql
    .selectFrom('approval')
    .innerJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'approval.workspace_id')
        .onRef('record.id', '=', 'approval.record_id'),
    )
    .leftJoin('account', 'account.id', 'approval.decided_by')
    .leftJoin('former_member', onFormerMember('approval'))
    .leftJoin('api_key', (join) =>
      join
        .onRef('api_key.workspace_id', '=', 'approval.workspace_id')
        .onRef('api_key.id', '=', 'approval.decided_by'),
    )
    .selectAll('approval')
    .select([
      'record.case_number',
      'record.user_username',
      'record.reason',
      'record.severity',
      'record.ended',
      'record.actor_id',
      'record.actor_username',
      'record.actor_platform_user_id',
      'api_key.name as decided_by_key',
    ])
    .select((eb) => selectListedName(eb).as('decided_by_username'))

const approvalById = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  selectApprovals(sql).where('approval.workspace_id', '=', p.workspaceId).where('approval.id', '=', p.id),
)
const approvalByRecord = statement<{ workspaceId: string; recordId: string }>()((sql, p) =>
  selectApprovals(sql)
    .where('approval.workspace_id', '=', p.workspaceId)
    .where('approval.record_id', '=', p.recordId),
)

interface PageParams {
  readonly workspaceId: string
  readonly now: number
  readonly time: number
  readonly id: string
  readonly decision: 'approved' | 'rejected' | 'superseded'
  readonly limit: number
}

/** Undecided requests: the pending ones that end next, or the expired ones that ended last. */
const undecidedPage = statementFamily<PageParams, 'pending' | 'expired'>()((sql, p, state) => {
  const all = selectApprovals(sql)
    .where('approval.workspace_id', '=', p.workspaceId)
    .where('approval.decision', 'is', null)
    .limit(p.limit)
  return state === 'pending'
    ? all
        .where('approval.expires_at', '>', p.now)
        .where('record.ended', 'is', null)
        .where((eb) => eb(eb.refTuple('approval.expires_at', 'approval.id'), '>', eb.tuple(p.time, p.id)))
        .orderBy('approval.expires_at')
        .orderBy('approval.id')
    : all
        .where('approval.expires_at', '<=', p.now)
        .where((eb) => eb(eb.refTuple('approval.expires_at', 'approval.id'), '<', eb.tuple(p.time, p.id)))
        .orderBy('approval.expires_at', 'desc')
        .orderBy('approval.id', 'desc')
})
const newestFirst = statementFamily<PageParams, { byDecision: boolean }>()((sql, p, { byDecision }) =>
  selectApprovals(sql)
    .where('approval.workspace_id', '=', p.workspaceId)
    .$if(byDecision, (query) => query.where('approval.decision', '=', p.decision))
    .where('approval.id', '<', p.id)
    .orderBy('approval.id', 'desc')
    .limit(p.limit),
)

const LIST = 'approvals'

function createPresenter(db: Queries, now: number, actor: Actor) {
  const isOwnRequest = createOwnRequestCheck(db, actor)
  return async (row: ApprovalRow) => presentApproval(row, now, actor, await isOwnRequest(row))
}

/** A page of requests for approval: pending ones by their end, all others newest first. */
export async function listApprovals(db: Queries, ports: Ports, actor: Actor, input: ApprovalsQueryInput) {
  const { state } = input
  const isUndecided = state === 'pending' || state === 'expired'
  const page = parsePage(LIST, input, isUndecided ? ['number', 'string'] : ['string'])
  const [time, id] = isUndecided ? (page.after ?? []) : [0, page.after?.[0]]
  const isPending = state === 'pending'
  const now = ports.now()
  const params: PageParams = {
    workspaceId: actor.workspaceId,
    now,
    time: Number(time ?? (isPending ? 0 : Number.MAX_SAFE_INTEGER)),
    id: String(id ?? (isPending ? '' : MAX_ID)),
    decision: state === 'rejected' || state === 'superseded' ? state : 'approved',
    limit: page.limit + 1,
  }
  const results = isUndecided
    ? await db.all(undecidedPage(state), params)
    : await db.all(newestFirst({ byDecision: state !== undefined }), params)
  const { rows, nextCursor } = paginate(results, page, (row) =>
    isUndecided ? [row.expires_at, row.id] : [row.id],
  )
  return { approvals: await Promise.all(rows.map(createPresenter(db, now, actor))), nextCursor }
}

/** One request for approval. @throws AppError `not_found` */
export async function getApproval(db: Queries, ports: Ports, actor: Actor, id: string) {
  const row = await db.first(approvalById, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  return createPresenter(db, ports.now(), actor)(row)
}

/** The request for approval of a record; null if it never needed one. */
export async function findRecordApproval(db: Queries, ports: Ports, actor: Actor, recordId: string) {
  const row = await db.first(approvalByRecord, { workspaceId: actor.workspaceId, recordId })
  return row ? createPresenter(db, ports.now(), actor)(row) : null
}
