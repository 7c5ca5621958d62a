import { type Actor, DEFAULT_LIMIT, wire } from '@reeve/core'
import { type Queries, type RecordTable, statement, statementFamily } from '@reeve/db'
import type { ReasonsQueryInput } from './model.ts'

/** How many of the newest records are looked through, so that a long history holds nobody up. */
const WINDOW = 5000

const lastCaseNumber = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('case_number').where('workspace_id', '=', p.workspaceId),
)
// A reason that was redacted is null, and so differs from nothing.
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

/** Only records above this case number are looked through. */
export async function findWindowStart(db: Queries, workspaceId: string): Promise<number> {
  const head = await db.first(lastCaseNumber, { workspaceId })
  return (head?.case_number ?? 0) - WINDOW
}

/** The reasons given in the newest records of a workspace, each once, the last one first. */
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
