import type { Client } from 'pg'
import { DatabaseServerError } from '../errors.ts'
import { connectToServer } from './connect.ts'
import { APPLICATION_NAME } from './connections.ts'
import { labelsForClient } from './moved-marker.ts'

/** How long to wait until the server no longer lists processes that were just stopped, and how often to check. */
const DISCONNECT_TIMEOUT_MS = 1000
const POLL_MS = 100

/** The addresses of other Reeve processes that are connected to this database. */
const OTHER_CLIENTS = `select distinct coalesce(host(client_addr), 'this machine') from pg_stat_activity
  where datname = current_database() and application_name = '${APPLICATION_NAME}' and pid <> pg_backend_pid()`

/** Checks that no other process is connected to a database. @throws DatabaseServerError */
export async function assertExclusive(client: Client): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const { rows } = await client.query({ text: OTHER_CLIENTS, rowMode: 'array' })
    if (rows.length === 0) return
    if (performance.now() - startedAt > DISCONNECT_TIMEOUT_MS) {
      throw new DatabaseServerError(
        `Other Reeve processes are connected to ${labelsForClient(client).name}, from ${rows.map(([ip]) => ip).join(', ')}. Stop them first.`,
      )
    }
    await Bun.sleep(POLL_MS)
  }
}

/** The same for a database that this process has not opened yet. @throws DatabaseServerError */
export async function assertServerUnused(url: string): Promise<void> {
  const { client } = await connectToServer(url)
  try {
    await assertExclusive(client)
  } finally {
    await client.end()
  }
}
