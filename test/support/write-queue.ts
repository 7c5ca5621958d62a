import { type Database, statement } from '@reeve/db'

const readLocked = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('id').where('id', '=', p.workspaceId),
)

/**
 * Holds the write lock of a workspace, or of the instance, so that a test decides when writes that were sent at the same time
 * run.
 * @param workspaceId empty for the instance
 */
export async function holdWrites(db: Database, workspaceId = '') {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = db.write(async (tx) => {
    await tx.first(readLocked, { workspaceId })
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, holding])
  const { waiting } = db.stats()
  return {
    /** Resolves once this many more writes wait for the lock. */
    async untilWaiting(count: number): Promise<void> {
      while (db.stats().waiting < waiting + count) await new Promise((resolve) => setImmediate(resolve))
    },
    async release(): Promise<void> {
      released.resolve()
      await holding
    },
  }
}
