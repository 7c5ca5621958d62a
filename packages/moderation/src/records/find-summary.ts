import type { Ports } from '@reeve/core'
import { columnsExcept, type Queries, statement } from '@reeve/db'
import { selectNextAppeal } from '../appeals/next-appeal.ts'
import { presentSummary, type RecordSummary } from './model.ts'

const summaryById = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('record')
    .select(columnsExcept('record', 'evidence', 'evidence_files', 'comments'))
    .select((eb) => selectNextAppeal(eb, p.workspaceId))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** A record as lists contain it, without the texts of its comments and evidence; null if it does not exist. */
export async function findRecordSummary(
  db: Queries,
  ports: Ports,
  workspaceId: string,
  id: string,
): Promise<RecordSummary | null> {
  const row = await db.first(summaryById, { workspaceId, id })
  return row ? presentSummary(row, ports.now()) : null
}
