import { groupBySize, MAX_BATCH_BYTES } from '@reeve/core'
import { type AuditTable, type Queries, statement } from '@reeve/db'

const BATCH_SIZE = 500

const sizesAfter = statement<{ workspaceId: string; after: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(({ fn }) => ['sequence', fn<number | null>('octet_length', ['changes']).as('changes_bytes')])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .orderBy('sequence')
    .limit(BATCH_SIZE),
)
const rowsBetween = statement<{ workspaceId: string; after: number; last: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .where('sequence', '<=', p.last)
    .orderBy('sequence'),
)

/**
 * Reads a chain in batches that are limited in their number of rows and of bytes.
 * @param after the sequence before the first row to read
 */
export async function* readChainBatches(
  queries: Queries,
  workspaceId: string,
  after = 0,
): AsyncGenerator<readonly AuditTable[]> {
  let position = after
  for (;;) {
    const sizes = await queries.all(sizesAfter, { workspaceId, after: position })
    for (const group of groupBySize(sizes, MAX_BATCH_BYTES, (row) => row.changes_bytes ?? 0)) {
      const last = group.at(-1)?.sequence ?? position
      yield await queries.all(rowsBetween, { workspaceId, after: position, last })
      position = last
    }
    if (sizes.length < BATCH_SIZE) return
  }
}
