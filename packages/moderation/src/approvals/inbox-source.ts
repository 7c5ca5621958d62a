import { type Actor, INBOX_PERMISSIONS, MAX_ID, type Ports } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { INBOX_RECORD_COLUMNS, type InboxSource, MAX_INBOX_COUNT } from '../inbox/source.ts'
import { isOwnRequest } from './requesters.ts'

interface PendingQuery {
  readonly workspaceId: string
  readonly personId: string
  readonly now: number
  readonly at: number
  readonly id: string
  readonly limit: number
}

const pendingRequests = statement<PendingQuery>()((sql, p) =>
  sql
    .selectFrom('approval')
    .innerJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'approval.workspace_id')
        .onRef('record.id', '=', 'approval.record_id'),
    )
    .select([
      'approval.id as approval_id',
      'approval.requested_at',
      'approval.person_id',
      ...INBOX_RECORD_COLUMNS,
      'record.reason',
      'record.actor_id',
      'record.actor_platform_user_id',
    ])
    .where('approval.workspace_id', '=', p.workspaceId)
    .where('approval.decision', 'is', null)
    .where('approval.expires_at', '>', p.now)
    .where('approval.person_id', '!=', p.personId)
    .where('record.ended', 'is', null)
    .where((eb) => eb(eb.refTuple('approval.requested_at', 'approval.id'), '<', eb.tuple(p.at, p.id)))
    .orderBy('approval.requested_at', 'desc')
    .orderBy('approval.id', 'desc')
    .limit(p.limit),
)

/** The requests that the actor may decide: those that somebody else made, newest first. */
async function listDecidable(db: Queries, ports: Ports, actor: Actor, start: Position, limit: number) {
  const { workspaceId, personId } = actor
  const now = ports.now()
  const decidable = []
  for (let { at, id } = start; ; ) {
    const rows = await db.all(pendingRequests, { workspaceId, personId, now, at, id, limit })
    for (const row of rows) if (!(await isOwnRequest(db, actor, row))) decidable.push(row)
    const last = rows.at(-1)
    if (!last || rows.length < limit || decidable.length >= limit) return decidable.slice(0, limit)
    at = last.requested_at
    id = last.approval_id
    await yieldToEventLoop()
  }
}

type Position = Pick<PendingQuery, 'at' | 'id'>

const START: Position = { at: Number.MAX_SAFE_INTEGER, id: MAX_ID }

/** The bans that wait for the approval of the reader. Those that the reader has requested wait for somebody else. */
export const approvalSource: InboxSource = {
  permission: INBOX_PERMISSIONS.approvals,
  async count(db, ports, actor) {
    return (await listDecidable(db, ports, actor, START, MAX_INBOX_COUNT)).length
  },
  async list(db, ports, actor, { limit, after }) {
    const rows = await listDecidable(db, ports, actor, after ?? START, limit)
    return rows.map(({ approval_id, requested_at, reason, actor_id, ...row }) => ({
      id: approval_id,
      at: requested_at,
      isRead: false,
      record: row,
      text: reason,
      actorId: actor_id,
    }))
  },
}
