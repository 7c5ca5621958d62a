import { liveResources } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { addPending, affectedResources, isChangeKind, type PendingChanges } from './pending-changes.ts'

/** How many changes are looked through for what was missed: beyond them anything may have changed. */
const MAX_CHANGES = 1000

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

/**
 * What may have changed after a change of that number: all of it, where that number says nothing or too much came since.
 * A change of the workspace as a whole, such as a roll-back, changes everything in it.
 */
export async function findMissedChanges(
  db: Queries,
  workspaceId: string,
  after: number,
  sequence: number,
): Promise<PendingChanges> {
  const missed: PendingChanges = new Map()
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
    for (const resource of affectedResources({ kind })) addPending(missed, resource, draftsOnly)
  }
  return missed
}

/** Whether every event that changed was a draft before and after. */
async function hasOnlyDrafts(db: Queries, workspaceId: string, after: number): Promise<boolean> {
  const rows = await db.all(eventsAfter, { workspaceId, after })
  return rows.every(({ changes }) => {
    if (changes === null) return false
    const { before, after: current } = JSON.parse(changes) as Record<string, { published?: string } | null>
    return before?.published !== 'true' && current?.published !== 'true'
  })
}
