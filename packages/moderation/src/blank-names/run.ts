import { type BlankedRow, blankNextRows } from '@reeve/audit'
import type { Ports } from '@reeve/core'
import { type Database, statement, type Transaction, yieldToEventLoop } from '@reeve/db'
import { blankNameInJson } from './blank-json.ts'
import { blankNextRecords } from './records.ts'
import { actorTables, blankNextActors } from './stored-actors.ts'

/** Across workspaces: the oldest request to blank a name that is not complete. */
const nextName = statement()((sql) =>
  sql
    .selectFrom('former_member')
    .innerJoin('account', 'account.id', 'former_member.account_id')
    .innerJoin('workspace_head', 'workspace_head.workspace_id', 'former_member.workspace_id')
    .select([
      ...(['former_member.workspace_id', 'account_id', 'blank_sequence', 'history'] as const),
      // Deleting an account disables it.
      ...(['account.username', 'account.disabled_at'] as const),
    ])
    .where('blank_sequence', 'is not', null)
    .where('blanked_at', 'is', null)
    .limit(1),
)
/** Not if a roll-back has meanwhile brought back records: they can have the name again, also those that were blanked before. */
const markBlanked = statement<{
  workspaceId: string
  accountId: string
  sequence: number
  history: number
  now: number
}>()((sql, p) =>
  sql
    .updateTable('former_member')
    .set({ blanked_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId)
    .where('blank_sequence', '=', p.sequence)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('workspace_head')
          .select('history')
          .where('workspace_id', '=', p.workspaceId)
          .where('history', '=', p.history),
      ),
    ),
)
const nextQuarters = statement<{ workspaceId: string; after: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('activity_by_actor')
    .select('quarter')
    .where('workspace_id', '=', p.workspaceId)
    .where('quarter', '>', p.after)
    .orderBy('quarter')
    .limit(p.limit),
)
const blankActivity = statement<{ workspaceId: string; accountId: string; after: number; last: number }>()(
  (sql, p) =>
    sql
      .updateTable('activity_by_actor')
      .set({ actor_name: '' })
      .where('workspace_id', '=', p.workspaceId)
      .where('quarter', '>', p.after)
      .where('quarter', '<=', p.last)
      .where('actor_kind', '=', 'account')
      .where('actor_id', '=', p.accountId),
)
const blankHost = statement<{ workspaceId: string; accountId: string; name: string }>()((sql, p) =>
  sql
    .updateTable('event')
    .set({ training_host: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('host_account_id', '=', p.accountId)
    .where('training_host', '=', p.name),
)

const QUARTERS_PER_SLICE = 500

/**
 * Blanks the names of deleted accounts in the history of workspaces whose owners have requested it, in small transactions between which
 * other requests run. What was interrupted starts again with the next call, and what a roll-back has overtaken starts again at once.
 */
export async function blankRequestedNames(db: Database, ports: Ports, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await db.read.first(nextName, {})
    if (!next) return
    const { workspace_id: workspaceId, account_id: accountId, username: name, history } = next
    const before = next.blank_sequence ?? 0
    const account = { workspaceId, accountId, name, deletedAt: next.disabled_at ?? ports.now() }
    const blankJson = (json: string, row: BlankedRow) => blankNameInJson(json, account, row)
    await runSlices(db, signal, 0, (tx, after) =>
      blankNextRows(tx, ports, { workspaceId, accountId, before, blankJson }, after),
    )
    await runSlices(db, signal, '', (tx, after) => blankNextRecords(tx, account, after))
    await runSlices(db, signal, 0, (tx, after) => blankNextActivity(tx, account, after))
    for (const table of actorTables)
      await runSlices(db, signal, '', (tx, after) => blankNextActors(tx, table, account, after))
    if (signal.aborted) return
    await db.write(async (tx) => {
      await tx.run(blankHost, account)
      await tx.run(markBlanked, { workspaceId, accountId, sequence: before, history, now: ports.now() })
      for (const kind of ['member', 'record'] as const) tx.announce({ kind, workspaceId, id: accountId })
    })
  }
}

async function runSlices<Position>(
  db: Database,
  signal: AbortSignal,
  start: Position,
  run: (tx: Transaction, after: Position) => Promise<Position | null>,
): Promise<void> {
  for (let after: Position | null = start; after !== null && !signal.aborted; ) {
    const position: Position = after
    after = await db.write((tx) => run(tx, position))
    await yieldToEventLoop()
  }
}

async function blankNextActivity(
  tx: Transaction,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  after: number,
): Promise<number | null> {
  const rows = await tx.all(nextQuarters, { workspaceId, after, limit: QUARTERS_PER_SLICE })
  const last = rows.at(-1)?.quarter
  if (last === undefined) return null
  await tx.run(blankActivity, { workspaceId, accountId, after, last })
  return rows.length < QUARTERS_PER_SLICE ? null : last
}
