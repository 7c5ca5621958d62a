import { INBOX_PERMISSIONS, MAX_ID } from '@reeve/core'
import { statement } from '@reeve/db'
import { INBOX_RECORD_COLUMNS, type InboxSource, MAX_INBOX_COUNT } from './source.ts'

interface AccountQuery {
  readonly workspaceId: string
  readonly accountId: string
  readonly limit: number
}

const someAssignments = statement<AccountQuery>()((sql, p) =>
  sql
    .selectFrom('assignment')
    .select('record_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId)
    .limit(p.limit),
)
const assignedRecords = statement<AccountQuery & { at: number; recordId: string }>()((sql, p) =>
  sql
    .selectFrom('assignment')
    .innerJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'assignment.workspace_id')
        .onRef('record.id', '=', 'assignment.record_id'),
    )
    .select(['assignment.assigned_at', 'assignment.assigned_by', ...INBOX_RECORD_COLUMNS, 'record.reason'])
    .where('assignment.workspace_id', '=', p.workspaceId)
    .where('assignment.account_id', '=', p.accountId)
    .where((eb) =>
      eb(eb.refTuple('assignment.assigned_at', 'assignment.record_id'), '<', eb.tuple(p.at, p.recordId)),
    )
    .orderBy('assignment.assigned_at', 'desc')
    .orderBy('assignment.record_id', 'desc')
    .limit(p.limit),
)

/** The records that are assigned to the reader. They wait until somebody takes the assignment back. */
export const assignedSource: InboxSource = {
  permission: INBOX_PERMISSIONS.assigned,
  claimKind: 'record',
  async count(db, _, { workspaceId, id: accountId }) {
    return (await db.all(someAssignments, { workspaceId, accountId, limit: MAX_INBOX_COUNT })).length
  },
  async list(db, _, { workspaceId, id: accountId }, { limit, after }) {
    const { sortTime: at, id: recordId } = after ?? { sortTime: Number.MAX_SAFE_INTEGER, id: MAX_ID }
    const rows = await db.all(assignedRecords, { workspaceId, accountId, limit, at, recordId })
    return rows.map(({ assigned_at, assigned_by, reason, ...record }) => ({
      id: record.id,
      at: assigned_at,
      sortTime: assigned_at,
      isRead: false,
      record,
      text: reason,
      actorId: assigned_by,
    }))
  },
}
