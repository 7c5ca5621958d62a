import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { E2eSession } from './e2e-session.ts'

let count = 0

/** Lets the last verification of every session be long ago, as ten minutes later. */
export async function forgetVerifications({
  server,
  requestAsOwner,
}: Pick<E2eSession, 'server' | 'requestAsOwner'>): Promise<void> {
  using database = new Database(join(server.dataDir, 'reeve.db'))
  database.run('pragma busy_timeout = 5000')
  database.run('update session set verified_at = 0')
  // The server sees changes by others from its own next commit on.
  count += 1
  await requestAsOwner('POST', '/api/departments', { name: `Commit ${count}` })
}
