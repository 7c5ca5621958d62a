import { type Actor, AppError, type CursorPart, MAX_ID, paginate, parsePage } from '@reeve/core'
import { type BatchItemTable, type BatchTable, batchItemStates, type Queries, statement } from '@reeve/db'
import type { ItemOutcome } from './apply-item.ts'
import { requireBatch } from './batch-store.ts'
import { addNames } from './describe-players.ts'
import { listResults } from './items.ts'
import { type BatchQueryInput, presentBatch, presentResult, type ResultRecord } from './model.ts'
import { findSettled } from './settled.ts'

const batchesBefore = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('batch')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const resultRecords = statement<{ workspaceId: string; ids: readonly string[] }>({ isLookup: true })(
  (sql, p, dialect) =>
    sql
      .selectFrom('record')
      .select(['id', 'case_number', 'user_id', 'action', 'duration_seconds', 'step'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('id', p.ids)),
)

/** Lists the batches of the workspace, newest first. @throws AppError `invalid_request` naming `cursor` */
export async function listBatches(db: Queries, { workspaceId }: Actor, input: BatchQueryInput) {
  const page = parsePage('batches', input, ['string'])
  const before = String(page.after?.[0] ?? MAX_ID)
  const rows = await db.all(batchesBefore, { workspaceId, before, limit: page.limit + 1 })
  const { rows: batches, nextCursor } = paginate(rows, page, (row) => [row.id], presentBatch)
  return { batches, nextCursor }
}

/**
 * Returns a batch with a page of its results.
 * @param now epoch milliseconds
 * @throws AppError `not_found`, `invalid_request` naming `cursor`
 */
export async function getBatch(
  db: Queries,
  actor: Actor,
  now: number,
  input: BatchQueryInput & { readonly id: string },
) {
  const { workspaceId } = actor
  const batch: BatchTable = await requireBatch(db, workspaceId, input.id)
  const page = parsePage('batch results', input, ['number'])
  const rows = await listResults(db, batch, {
    after: Number(page.after?.[0] ?? -1),
    limit: page.limit + 1,
    states: input.result === undefined ? batchItemStates : [input.result],
  })
  const records = await findResultRecords(db, workspaceId, rows)
  const settled = await findSettled(db, actor, now, batch, rows)
  const { rows: results, nextCursor } = paginate(
    rows,
    page,
    (row): readonly CursorPart[] => [row.number],
    (row) => ({
      ...presentResult(row, records.get(toRecordId(row))),
      settled: settled.get(row.target) ?? null,
    }),
  )
  return { batch: presentBatch(batch), results: await addNames(db, actor, results), nextCursor }
}

/** The record that was created or changed, or else the target: the record that was left alone, or a player, whose ID no record has. */
export const toRecordId = ({ record_id, target }: Pick<BatchItemTable, 'record_id' | 'target'>): string =>
  record_id ?? target

/** The records of results, by their ids. */
export async function findResultRecords(
  db: Queries,
  workspaceId: string,
  results: readonly Pick<BatchItemTable, 'record_id' | 'target'>[],
): Promise<ReadonlyMap<string, ResultRecord>> {
  const ids = results.map(toRecordId)
  const rows = ids.length === 0 ? [] : await db.all(resultRecords, { workspaceId, ids })
  return new Map(rows.map((row) => [row.id, row]))
}

/** The result of a target that was refused. @throws the error, if it is not about the target */
export function describeFailure(error: unknown): ItemOutcome {
  if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal_error')
    throw error
  return {
    state: 'failed',
    record_id: null,
    from_sequence: null,
    to_sequence: null,
    code: error.code,
    message: error.message,
  }
}
