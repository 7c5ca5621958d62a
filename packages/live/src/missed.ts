import { type Queries, statement } from '@reeve/db'
import { addTo, isKind, liveResources, type Pending, resourcesOf } from './resource.ts'

/** How many changes are looked through for what was missed: beyond them anything may have changed. */
const MOST = 1000

const lastChange = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('audit_sequence').where('workspace_id', '=', p.workspaceId),
)
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

/** The number of the newest change in a workspace. */
export const sequenceOf = async (db: Queries, workspaceId: string): Promise<number> =>
  (await db.first(lastChange, { workspaceId }))?.audit_sequence ?? 0

/**
 * What may have changed after a change of that number: all of it, where that number says nothing or too much came since.
 * A change of the workspace as a whole, such as a roll-back, changes everything in it.
 */
export async function missedSince(
  db: Queries,
  workspaceId: string,
  after: number,
  sequence: number,
): Promise<Pending> {
  const missed: Pending = new Map()
  if (after === sequence) return missed
  const isKnown = after < sequence && sequence - after <= MOST
  const kinds = isKnown ? await db.all(kindsAfter, { workspaceId, after }) : []
  const words = kinds.map((row) => row.target_kind)
  const narrow = words.filter((word) => word !== 'workspace').filter(isKind)
  if (!isKnown || narrow.length < words.length) {
    for (const resource of liveResources) addTo(missed, resource, false)
    return missed
  }
  for (const kind of narrow) {
    const draftsOnly = kind === 'event' && (await onlyDrafts(db, workspaceId, after))
    for (const resource of resourcesOf({ kind })) addTo(missed, resource, draftsOnly)
  }
  return missed
}

/** Whether every event that changed was a draft before and after. */
async function onlyDrafts(db: Queries, workspaceId: string, after: number): Promise<boolean> {
  const rows = await db.all(eventsAfter, { workspaceId, after })
  return rows.every(({ changes }) => {
    if (changes === null) return false
    const { before, after: then } = JSON.parse(changes) as Record<string, { published?: string } | null>
    return before?.published !== 'true' && then?.published !== 'true'
  })
}
