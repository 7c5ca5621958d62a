import { ReadThroughCache } from '@reeve/core'
import { type Database, statement } from '@reeve/db'

const lastSequence = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('audit_sequence').where('workspace_id', '=', p.workspaceId),
)

const MAX_CACHED = 10_000

/**
 * The sequence of workspaces, from memory: a number that has moved whenever a record, or the workspace as a whole, has
 * changed since it was asked for last.
 */
export function createSequenceReader(db: Database): (workspaceId: string) => Promise<number> {
  const cache = new ReadThroughCache<number>(MAX_CACHED)
  db.onChange((change) => {
    if (change.kind === 'record' || change.kind === 'workspace') cache.invalidate(change.workspaceId)
  })
  db.onMissedChanges(() => cache.invalidateAll())
  const load = async (workspaceId: string) =>
    (await db.read.first(lastSequence, { workspaceId }))?.audit_sequence ?? 0
  return async (workspaceId) => (await cache.get(workspaceId, () => load(workspaceId))) ?? 0
}
