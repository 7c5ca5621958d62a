import { type Actor, INBOX_PERMISSIONS, type Ports } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { INBOX_RECORD_COLUMNS, type InboxSource, MAX_INBOX_COUNT } from '../inbox/source.ts'
import { createOwnRequestCheck } from './requesters.ts'

interface PendingQuery {
  readonly workspaceId: string
  readonly personId: string
  readonly now: number
  readonly expiresAt: number
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
      'approval.expires_at',
      'approval.duration_seconds',
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
    .where((eb) => eb(eb.refTuple('approval.expires_at', 'approval.id'), '>', eb.tuple(p.expiresAt, p.id)))
    .orderBy('approval.expires_at')
    .orderBy('approval.id')
    .limit(p.limit),
)

/** The requests that the actor may decide: those that somebody else made. Those that end next are first. */
async function listDecidable(db: Queries, ports: Ports, actor: Actor, start: Position, limit: number) {
  const { workspaceId, personId } = actor
  const now = ports.now()
  const isOwnRequest = createOwnRequestCheck(db, actor)
  const decidable = []
  for (let { expiresAt, id } = start; ; ) {
    const rows = await db.all(pendingRequests, { workspaceId, personId, now, expiresAt, id, limit })
    for (const row of rows) if (!(await isOwnRequest(row))) decidable.push(row)
    const last = rows.at(-1)
    if (!last || rows.length < limit || decidable.length >= limit) return decidable.slice(0, limit)
    expiresAt = last.expires_at
    id = last.approval_id
    await yieldToEventLoop()
  }
}

type Position = Pick<PendingQuery, 'expiresAt' | 'id'>

const START: Position = { expiresAt: 0, id: '' }

/** The bans that wait for the approval of the reader. Those that the reader has requested wait for somebody else. */
export const approvalSource: InboxSource = {
  permission: INBOX_PERMISSIONS.approvals,
  claimKind: 'record',
  async count(db, ports, actor) {
    return (await listDecidable(db, ports, actor, START, MAX_INBOX_COUNT)).length
  },
  async list(db, ports, actor, { limit, after }) {
    const start = after ? { expiresAt: after.sortTime, id: after.id } : START
    const rows = await listDecidable(db, ports, actor, start, limit)
    return rows.map(
      ({ approval_id, requested_at, expires_at, duration_seconds, reason, actor_id, ...row }) => ({
        id: approval_id,
        at: requested_at,
        sortTime: expires_at,
        requested: { duration_seconds, expires_at },
        isRead: false,
        record: row,
        text: reason,
        actorId: actor_id,
      }),
    )
  },
}
