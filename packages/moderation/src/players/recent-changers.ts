import { type Queries, sqlLiteral, statement, yieldToEventLoop } from '@reeve/db'

/** The part of the audit log that is examined, and how much of it one statement reads: a few milliseconds. */
const WINDOW = 20_000
const ENTRIES_PER_STATEMENT = 5000

interface Part {
  readonly workspaceId: string
  readonly from: number
  readonly before: number
  readonly targetKind: string
}

const lastChanges = statement<Part>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select((eb) => ['actor_id', eb.fn.max('sequence').as('sequence')])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>=', p.from)
    .where('sequence', '<', p.before)
    .where('target_kind', '=', p.targetKind)
    .where('actor_kind', '!=', sqlLiteral('system'))
    .groupBy('actor_id')
    .orderBy('sequence', 'desc'),
)
const actorNames = statement<{ workspaceId: string; sequences: readonly number[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('audit')
    .select(['actor_id as id', 'actor_name as name'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('sequence', p.sequences))
    .orderBy('sequence', 'desc'),
)

/**
 * The accounts and API keys that changed records recently, in whatever way, most recent first, with the names that they had then.
 * @param lastSequence that of the audit log of the workspace
 */
export async function listRecentChangers(
  db: Queries,
  workspaceId: string,
  lastSequence: number,
  limit: number,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const newest = new Map<string, number>()
  const end = Math.max(0, lastSequence + 1 - WINDOW)
  for (let before = lastSequence + 1; before > end && newest.size < limit; before -= ENTRIES_PER_STATEMENT) {
    const from = Math.max(end, before - ENTRIES_PER_STATEMENT)
    const rows = await db.all(lastChanges, { workspaceId, from, before, targetKind: 'record' })
    for (const { actor_id, sequence } of rows)
      if (!newest.has(actor_id)) newest.set(actor_id, Number(sequence))
    await yieldToEventLoop()
  }
  return db.all(actorNames, { workspaceId, sequences: [...newest.values()].slice(0, limit) })
}
