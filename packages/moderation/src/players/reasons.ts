import { type Actor, DEFAULT_LIMIT, wire } from '@reeve/core'
import { type Queries, type RecordTable, statement, statementFamily } from '@reeve/db'
import type { ReasonsQueryInput } from './model.ts'

/** The number of newest records that suggestions come from, which limits their cost in a long history. */
const WINDOW = 5000

const lastCaseNumber = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('case_number').where('workspace_id', '=', p.workspaceId),
)
// `!=` is never true for null, so redacted reasons are excluded.
const recentReasons = statementFamily<
  { workspaceId: string; after: number; action: RecordTable['action']; limit: number },
  { byAction: boolean }
>()((sql, p, { byAction }) => {
  const reasons = sql
    .selectFrom('record')
    .select((eb) => [
      'reason',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('created_at').as('last_used_at'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '>', p.after)
    .where('reason', '!=', '')
    .groupBy('reason')
    .orderBy((eb) => eb.fn.max('case_number'), 'desc')
    .limit(p.limit)
  return byAction ? reasons.where('action', '=', p.action) : reasons
})

/** The case number above which records are used for suggestions. */
export async function findWindowStart(db: Queries, workspaceId: string): Promise<number> {
  const head = await db.first(lastCaseNumber, { workspaceId })
  return (head?.case_number ?? 0) - WINDOW
}

/** Lists the distinct reasons in the newest records of a workspace, most recently used first. */
export async function listReasons(db: Queries, { workspaceId }: Actor, input: ReasonsQueryInput) {
  const rows = await db.all(recentReasons({ byAction: input.action !== undefined }), {
    workspaceId,
    after: await findWindowStart(db, workspaceId),
    action: input.action ?? 'note',
    limit: input.limit ?? DEFAULT_LIMIT,
  })
  return {
    reasons: rows.map((row) => ({
      reason: row.reason ?? '',
      count: String(row.count),
      lastUsedAt: wire.time.write(row.last_used_at),
    })),
  }
}
