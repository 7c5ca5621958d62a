import { type Database, statement, waitForNextTurn, yieldToEventLoop } from '@reeve/db'

const touchSession = statement<{ id: string; now: number }>({ isCommutative: true })((sql, p) =>
  sql.updateTable('session').set({ last_seen_at: p.now }).where('id', '=', p.id),
)

/** How many uses a transaction writes, so that it does not block the event loop for long. */
const MAX_USES = 50

/** The uses that the next transactions write, by session. */
interface Batch {
  readonly times: Map<string, number>
  readonly written: Promise<void>
}

const batches = new WeakMap<Database, Batch>()
const running = new WeakMap<Database, Promise<unknown>>()

/**
 * Writes the last use of a session. Uses during a transaction share the next one, because many browsers reconnect at the same
 * time after a restart; their requests continue in turns of their own. Never fails: the last use is outdated where it cannot be written.
 */
export async function recordSessionUse(db: Database, id: string, now: number): Promise<void> {
  const batch = batches.get(db) ?? startBatch(db)
  batch.times.set(id, now)
  await batch.written
  await yieldToEventLoop()
}

function startBatch(db: Database): Batch {
  const times = new Map<string, number>()
  const write = async () => {
    await waitForNextTurn()
    await running.get(db)
    batches.delete(db)
    // Sorted, so that concurrent processes lock rows in the same order and cannot deadlock.
    const uses = [...times].sort(([one], [other]) => (one < other ? -1 : 1))
    const transactions = Promise.allSettled(splitUses(uses).map((part) => writeUses(db, part)))
    running.set(db, transactions)
    await transactions
  }
  const batch = { times, written: write() }
  batches.set(db, batch)
  return batch
}

type Use = readonly [sessionId: string, time: number]

const splitUses = (uses: readonly Use[]): readonly (readonly Use[])[] =>
  Array.from({ length: Math.ceil(uses.length / MAX_USES) }, (_, index) =>
    uses.slice(index * MAX_USES, (index + 1) * MAX_USES),
  )

const writeUses = (db: Database, uses: readonly Use[]): Promise<void> =>
  db.write(async (tx) => {
    for (const [id, now] of uses) await tx.run(touchSession, { id, now })
  })
