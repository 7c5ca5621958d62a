import { statement } from './statement.ts'

/** The responses stored for idempotency keys that contain texts of a record. The conditions are those of the index `idempotency_by_record`. */
export const responsesOfRecord = statement<{ workspaceId: string; recordId: string }>()((sql, p) =>
  sql
    .selectFrom('idempotency')
    .select(['actor_id as actorId', 'route', 'key', 'status', 'answer'])
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId),
)

/** Replaces what a repeated request gets. It still has no second effect. */
export const replaceStoredResponse = statement<{
  workspaceId: string
  actorId: string
  route: string
  key: string
  status: number
  answer: string
}>()((sql, p) =>
  sql
    .updateTable('idempotency')
    .set({ status: p.status, answer: p.answer })
    .where('workspace_id', '=', p.workspaceId)
    .where('actor_id', '=', p.actorId)
    .where('route', '=', p.route)
    .where('key', '=', p.key),
)
