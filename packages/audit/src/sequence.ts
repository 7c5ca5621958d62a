import { Memory } from '@reeve/core'
import { type Database, statement } from '@reeve/db'

const lastSequence = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('audit_sequence').where('workspace_id', '=', p.workspaceId),
)

const REMEMBERED = 10_000

/**
 * The sequence of workspaces, from memory: a number that has moved whenever a record, or the workspace as a whole, has
 * changed since it was asked for last.
 */
export function recordSequences(db: Database): (workspaceId: string) => Promise<number> {
  const known = new Memory<number>(REMEMBERED)
  db.onChange((change) => {
    if (change.kind === 'record' || change.kind === 'workspace') known.forget(change.workspaceId)
  })
  db.onGap(() => known.forgetAll())
  const load = async (workspaceId: string) =>
    (await db.read.first(lastSequence, { workspaceId }))?.audit_sequence ?? 0
  return async (workspaceId) => (await known.get(workspaceId, () => load(workspaceId))) ?? 0
}
