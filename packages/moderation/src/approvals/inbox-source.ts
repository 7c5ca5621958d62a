import { MAX_ID } from '@reeve/core'
import { statement } from '@reeve/db'
import { INBOX_RECORD_COLUMNS, type InboxSource, MAX_INBOX_COUNT } from '../inbox/source.ts'

interface PendingQuery {
  readonly workspaceId: string
  readonly personId: string
  readonly now: number
  readonly limit: number
}

const somePending = statement<PendingQuery>()((sql, p) =>
  sql
    .selectFrom('approval')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('decision', 'is', null)
    .where('expires_at', '>', p.now)
    .where('person_id', '!=', p.personId)
    .limit(p.limit),
)
const pendingRequests = statement<PendingQuery & { at: number; id: string }>()((sql, p) =>
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
      ...INBOX_RECORD_COLUMNS,
      'record.reason',
      'record.actor_id',
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

/** The bans that wait for the approval of the reader. Those that the reader has requested wait for somebody else. */
export const approvalSource: InboxSource = {
  permission: 'moderation.approve',
  async count(db, ports, { workspaceId, personId }) {
    const query = { workspaceId, personId, now: ports.now(), limit: MAX_INBOX_COUNT }
    return (await db.all(somePending, query)).length
  },
  async list(db, ports, { workspaceId, personId }, { limit, after }) {
    const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: MAX_ID }
    const query = { workspaceId, personId, now: ports.now(), limit, at, id }
    const rows = await db.all(pendingRequests, query)
    return rows.map(({ approval_id, requested_at, reason, actor_id, ...record }) => ({
      id: approval_id,
      at: requested_at,
      isRead: false,
      record,
      text: reason,
      actorId: actor_id,
    }))
  },
}
