import { parseChanges } from '@reeve/audit'
import { liveResources } from '@reeve/core'
import { type DataChange, type Queries, statement } from '@reeve/db'
import { addPending, affectedResources, isChangeKind, type PendingChanges } from './pending-changes.ts'

/** Maximum number of missed changes to read; after more than that, every resource counts as changed. */
const MAX_CHANGES = 1000

/** Kinds whose changes the audit log has as changes of another kind. */
const LOGGED_AS: Partial<Readonly<Record<DataChange['kind'], readonly DataChange['kind'][]>>> = {
  record: ['approval', 'mention'],
}

const kindsAfter = statement<{ workspaceId: string; after: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('target_kind')
    .distinct()
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .orderBy('target_kind'),
)
const eventsAfter = statement<{ workspaceId: string; after: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('changes')
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .where('target_kind', '=', 'event'),
)

const unfinishedJob = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null)
    .limit(1),
)

/**
 * The resources that changed after a sequence: all of them if the sequence is unknown, if there were too many changes, or
 * if the workspace as a whole has changed, for example by a rollback.
 */
export async function findMissedChanges(
  db: Queries,
  workspaceId: string,
  after: number,
  sequence: number,
): Promise<PendingChanges> {
  const missed: PendingChanges = new Map()
  // The start and the progress of a job are not in the audit log.
  if (await db.first(unfinishedJob, { workspaceId })) {
    for (const resource of affectedResources({ kind: 'workspace_job' })) addPending(missed, resource, false)
  }
  if (after === sequence) return missed
  const canReplay = after < sequence && sequence - after <= MAX_CHANGES
  const rows = canReplay ? await db.all(kindsAfter, { workspaceId, after }) : []
  const targetKinds = rows.map((row) => row.target_kind)
  const knownKinds = targetKinds.filter((kind) => kind !== 'workspace').filter(isChangeKind)
  if (!canReplay || knownKinds.length < targetKinds.length) {
    for (const resource of liveResources) addPending(missed, resource, false)
    return missed
  }
  for (const kind of knownKinds) {
    const draftsOnly = kind === 'event' && (await hasOnlyDrafts(db, workspaceId, after))
    for (const logged of [kind, ...(LOGGED_AS[kind] ?? [])])
      for (const resource of affectedResources({ kind: logged })) addPending(missed, resource, draftsOnly)
  }
  return missed
}

/** Whether every changed event was a draft before and after the change. */
async function hasOnlyDrafts(db: Queries, workspaceId: string, after: number): Promise<boolean> {
  const rows = await db.all(eventsAfter, { workspaceId, after })
  return rows.every(({ changes }) => {
    if (changes === null) return false
    const { before, after: current } = parseChanges(changes)
    return before?.published !== 'true' && current?.published !== 'true'
  })
}
