import type { Database } from './database.ts'
import type { Statement } from './statement.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** Rows per run: a few milliseconds, also for rows with large texts. */
const SLICE_ROWS = 200

/**
 * Runs a statement that deletes or changes at most `limit` rows until it finds fewer. Each run is a transaction of its own, and other
 * requests run in between.
 * @param signal stops after the current run
 * @param limit rows per run: fewer if they are large
 */
export async function runInSlices<Params>(
  db: Database,
  statement: Statement<Params & { limit: number }, unknown>,
  params: Params,
  signal?: AbortSignal,
  limit = SLICE_ROWS,
): Promise<void> {
  while (!signal?.aborted) {
    const found = await db.write((tx) => tx.run(statement, { ...params, limit }))
    if (found < limit) return
    await yieldToEventLoop()
  }
}
