import { openServer } from '../src/index.ts'

const databases: { close: () => Promise<void> }[] = []

/** Opens a database as a replica. `closeReplicas` closes it. */
export async function openReplica(url: string) {
  const { database: db, applied } = await openServer(url, { now: Date.now })
  databases.push(db)
  return { db, applied }
}

/** Closes all replicas. */
export async function closeReplicas(): Promise<void> {
  for (const { close } of databases.splice(0)) await close()
}

/** The rest of a statement about all connections of a database except its own. */
export const OTHER_CONNECTIONS =
  'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

/** Waits for a condition. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}
