import { type Queries, statement } from '@reeve/db'

const lastSequence = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('audit_sequence').where('workspace_id', '=', p.workspaceId),
)

/** The sequence of the newest audit entry of a workspace; 0 if there is none. */
export const findLastSequence = async (db: Queries, workspaceId: string): Promise<number> =>
  (await db.first(lastSequence, { workspaceId }))?.audit_sequence ?? 0
