import { ReadThroughCache } from '@reeve/core'
import { type Database, type Queries, statement } from '@reeve/db'

const lastSequence = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('audit_sequence').where('workspace_id', '=', p.workspaceId),
)

const MAX_CACHED = 10_000

/** The sequence of the newest audit entry of a workspace; 0 if there is none. */
export const findLastSequence = async (db: Queries, workspaceId: string): Promise<number> =>
  (await db.first(lastSequence, { workspaceId }))?.audit_sequence ?? 0

/**
 * A cached `findLastSequence`, invalidated when a record or the workspace as a whole changes: two equal results mean that
 * no record changed in between.
 */
export function createSequenceReader(db: Database): (workspaceId: string) => Promise<number> {
  const cache = new ReadThroughCache<number>(MAX_CACHED)
  db.onChange((change) => {
    if (change.kind === 'record' || change.kind === 'workspace') cache.invalidate(change.workspaceId)
  })
  db.onMissedChanges(() => cache.invalidateAll())
  return async (workspaceId) =>
    (await cache.get(workspaceId, () => findLastSequence(db.read, workspaceId))) ?? 0
}
