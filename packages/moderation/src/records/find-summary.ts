import type { Ports } from '@reeve/core'
import { columnsExcept, type Queries, statement } from '@reeve/db'
import { selectNextAppeal } from '../appeals/next-appeal.ts'
import { selectPendingApproval } from '../approvals/store.ts'
import { presentSummary, type RecordSummary } from './model.ts'

const summaryById = statement<{ workspaceId: string; id: string; now: number }>({ isLookup: true })(
  (sql, p) =>
    sql
      .selectFrom('record')
      .select(columnsExcept('record', 'evidence', 'evidence_files', 'comments'))
      .select((eb) => [selectNextAppeal(eb, p.workspaceId), selectPendingApproval(eb, p.workspaceId, p.now)])
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
  const now = ports.now()
  const row = await db.first(summaryById, { workspaceId, id, now })
  return row ? presentSummary(row, now, row.user_id) : null
}
