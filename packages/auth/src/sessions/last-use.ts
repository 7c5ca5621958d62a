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
const running = new WeakMap<Database, Promise<void>>()

/**
 * Writes the last use of a session. Uses during a transaction share the next one, because many browsers reconnect at the same
 * time after a restart. Never fails: the last use is outdated where it cannot be written.
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
    await running.get(db)
    batches.delete(db)
    // Sorted, so that concurrent processes lock rows in the same order and cannot deadlock.
    const uses = [...times].sort(([one], [other]) => (one < other ? -1 : 1))
    const transaction = db
      .write(async (tx) => {
        for (const [sessionId, time] of uses) await tx.run(touchSession, { id: sessionId, now: time })
      })
      .catch(() => {})
    running.set(db, transaction)
    await transaction
  }
  const batch = { times, written: write() }
  batches.set(db, batch)
  return batch
}
