import { statement, type Transaction } from '@reeve/db'

/** The tables of work that stores who requested it, as JSON. */
type ActorTable = 'batch' | 'import' | 'erasure' | 'workspace_job'

const ROWS_PER_SLICE = 500

// Kysely requires a known table name for its types, hence the casts.
const createStatements = (table: ActorTable) => ({
  nextActors: statement<{ workspaceId: string; after: string; limit: number }>()((sql, p) =>
    sql
      .selectFrom(table as 'batch')
      .select(['id', 'actor'])
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
  updateActor: statement<{ workspaceId: string; id: string; actor: string }>()((sql, p) =>
    sql
      .updateTable(table as 'batch')
      .set({ actor: p.actor })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id),
  ),
})

/** The statements of each table with actors. */
export const actorTables = (['batch', 'import', 'erasure', 'workspace_job'] as const).map(createStatements)

/**
 * Blanks the name of an account in the next rows that say who requested them.
 * @param after the id of the last row that was read; empty for none
 * @returns the same for the next call; null at the end
 */
export async function blankNextActors(
  tx: Transaction,
  { nextActors, updateActor }: (typeof actorTables)[number],
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  after: string,
): Promise<string | null> {
  const rows = await tx.all(nextActors, { workspaceId, after, limit: ROWS_PER_SLICE })
  for (const { id, actor } of rows) {
    const stored: { kind: string; id: string; name: string } = JSON.parse(actor)
    if (stored.kind !== 'account' || stored.id !== accountId || stored.name === '') continue
    await tx.run(updateActor, { workspaceId, id, actor: JSON.stringify({ ...stored, name: '' }) })
  }
  return rows.length < ROWS_PER_SLICE ? null : (rows.at(-1)?.id ?? null)
}
