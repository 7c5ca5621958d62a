import { type Database, statement, waitForNextTurn } from '@reeve/db'

const touchSession = statement<{ id: string; now: number }>({ isCommutative: true })((sql, p) =>
  sql.updateTable('session').set({ last_seen_at: p.now }).where('id', '=', p.id),
)

/** The uses that the next transaction writes, by session. */
interface Batch {
  readonly times: Map<string, number>
  readonly written: Promise<void>
}

const batches = new WeakMap<Database, Batch>()

/**
 * Writes the last use of a session. Uses in the same turn of the event loop share a transaction, because many browsers
 * reconnect at the same time after a restart. Never fails: the last use is outdated where it cannot be written.
 */
export function recordSessionUse(db: Database, id: string, now: number): Promise<void> {
  const batch = batches.get(db) ?? startBatch(db)
  batch.times.set(id, now)
  return batch.written
}

function startBatch(db: Database): Batch {
  const times = new Map<string, number>()
  const write = async () => {
    await waitForNextTurn()
    batches.delete(db)
    // Sorted, so that concurrent processes lock rows in the same order and cannot deadlock.
    const uses = [...times].sort(([one], [other]) => (one < other ? -1 : 1))
    await db
      .write(async (tx) => {
        for (const [sessionId, time] of uses) await tx.run(touchSession, { id: sessionId, now: time })
      })
      .catch(() => {})
  }
  const batch = { times, written: write() }
  batches.set(db, batch)
  return batch
}
