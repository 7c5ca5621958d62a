import { acquireLockSql, connectTo } from '@reeve/db/test-cluster'
import type { Instance } from './instance.ts'

/** Runs something while another connection holds the lock for accounts, sessions and whatever else belongs to no workspace. */
export async function runWithLockedInstance<Result>(
  instance: Instance,
  run: () => Promise<Result>,
): Promise<Result> {
  const locks = await connectTo(String(instance.storage.databaseUrl))
  try {
    await locks.query(`begin; ${acquireLockSql('instance')}`)
    return await run()
  } finally {
    await locks.close()
  }
}
