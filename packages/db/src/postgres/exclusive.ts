import type { Client } from 'pg'
import { DatabaseServerError } from '../errors.ts'
import { connectToServer } from './connect.ts'
import { APPLICATION_NAME } from './connections.ts'
import { labelsForClient } from './moved-marker.ts'

/** A process that still sends queries after this long is running: it checks its connection several times a second. */
const ACTIVE_AFTER_MS = 1000
/** How long to wait until the server no longer lists processes that were just stopped, and how often to check. */
const DISCONNECT_TIMEOUT_MS = 10_000
const POLL_MS = 100

/** The addresses of other Reeve processes that are connected to this database, and how long ago each began its last query. */
const OTHER_CLIENTS = `select coalesce(host(client_addr), 'this machine'),
    min(extract(epoch from clock_timestamp() - query_start) * 1000)::float8
  from pg_stat_activity
  where datname = current_database() and application_name = '${APPLICATION_NAME}' and pid <> pg_backend_pid()
  group by 1`

/** Checks that no other process is connected to a database. @throws DatabaseServerError */
export async function assertExclusive(client: Client): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const { rows } = await client.query<[string, number | null]>({ text: OTHER_CLIENTS, rowMode: 'array' })
    if (rows.length === 0) return
    const elapsed = performance.now() - startedAt
    const isRunning = rows.some(([, idleMs]) => idleMs !== null && idleMs < elapsed - ACTIVE_AFTER_MS)
    if (isRunning || elapsed > DISCONNECT_TIMEOUT_MS) {
      throw new DatabaseServerError(
        `Other Reeve processes are connected to ${labelsForClient(client).name}, from ${rows.map(([ip]) => ip).join(', ')}. Stop them first.`,
      )
    }
    await Bun.sleep(POLL_MS)
  }
}

/** Checks that no process is connected to a database that this one has not opened yet. @throws DatabaseServerError */
export async function assertServerUnused(url: string): Promise<void> {
  const { client } = await connectToServer(url)
  try {
    await assertExclusive(client)
  } finally {
    await client.end()
  }
}
