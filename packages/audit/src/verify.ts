import { groupBySize, MAX_BATCH_BYTES } from '@reeve/core'
import { type AuditTable, type Queries, statement } from '@reeve/db'
import { GENESIS, hashChanges, hashRow } from './append.ts'

const BATCH_SIZE = 500

const chainHeads = statement()((sql) => sql.selectFrom('workspace_head').selectAll().orderBy('workspace_id'))
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

/** The head of every chain, in the order of their workspaces. */
export const listChains = (queries: Queries) => queries.all(chainHeads, {})

/** Where a chain is broken, with a message for the operator. */
export interface ChainFault {
  readonly workspaceId: string
  readonly sequence: number
  readonly fault: string
}

/**
 * Verifies every audit chain from its first row, which links to `GENESIS` and can have any sequence. If the first rows
 * were removed, the first remaining row links to one of them instead.
 * @param onProgress receives the number of rows read so far
 * @param onRow receives each row, before it is verified
 * @returns the first fault of each broken chain
 */
export async function verifyAudit(
  queries: Queries,
  onProgress: (rows: number) => void = () => {},
  onRow: (row: AuditTable) => void = () => {},
): Promise<{ rows: number; faults: ChainFault[] }> {
  let rows = 0
  const faults: ChainFault[] = []
  for (const head of await listChains(queries)) {
    const before = rows
    const result = await verifyChain(queries, head, (chainRows) => onProgress(before + chainRows), onRow)
    rows += result.rows
    if (result.fault) faults.push(result.fault)
  }
  return { rows, faults }
}

async function verifyChain(
  queries: Queries,
  head: { workspace_id: string; audit_sequence: number; audit_hash: string },
  onProgress: (rows: number) => void,
  onRow: (row: AuditTable) => void,
): Promise<{ rows: number; fault: ChainFault | null }> {
  const workspaceId = head.workspace_id
  let previous: { sequence: number; hash: string } | null = null
  let rows = 0
  for await (const batch of readBatches(queries, workspaceId)) {
    for (const row of batch) {
      onRow(row)
      const fault = (message: string) => ({
        rows,
        fault: { workspaceId, sequence: row.sequence, fault: message },
      })
      if (previous !== null && row.sequence !== previous.sequence + 1)
        return fault('a row before this one is missing')
      const hash = hashRow({
        ...row,
        changes_hash: row.changes === null ? row.changes_hash : hashChanges(row.changes),
        previous_hash: previous?.hash ?? GENESIS,
      })
      if (hash !== row.hash)
        return fault(
          previous === null ? 'a row before this one is missing, or it was altered' : 'the row was altered',
        )
      previous = row
      rows += 1
    }
    onProgress(rows)
  }
  // The head of an empty chain still links to GENESIS.
  const last = previous ?? { sequence: head.audit_sequence, hash: GENESIS }
  if (last.sequence !== head.audit_sequence || last.hash !== head.audit_hash) {
    return { rows, fault: { workspaceId, sequence: last.sequence, fault: 'rows at the end are missing' } }
  }
  return { rows, fault: null }
}

/** Reads a chain in batches that are limited in their number of rows and of bytes. */
async function* readBatches(queries: Queries, workspaceId: string): AsyncGenerator<readonly AuditTable[]> {
  let after = 0
  for (;;) {
    const sizes = await queries.all(sizesAfter, { workspaceId, after })
    for (const group of groupBySize(sizes, MAX_BATCH_BYTES, (row) => row.changes_bytes ?? 0)) {
      const last = group.at(-1)?.sequence ?? after
      yield await queries.all(rowsBetween, { workspaceId, after, last })
      after = last
    }
    if (sizes.length < BATCH_SIZE) return
  }
}
