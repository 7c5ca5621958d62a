import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { E2eSession } from './e2e-session.ts'

/** Changes when every session of a server was verified last. The server sees it from its own next commit on. */
export function setVerifiedAt(dataDir: string, at: number): void {
  using database = new Database(join(dataDir, 'reeve.db'))
  database.run('pragma busy_timeout = 5000')
  database.run('update session set verified_at = ?', [at])
}

let count = 0

/** Lets the last verification of every session be long ago, as ten minutes later. */
export async function forgetVerifications({
  server,
  requestAsOwner,
}: Pick<E2eSession, 'server' | 'requestAsOwner'>): Promise<void> {
  setVerifiedAt(server.dataDir, 0)
  count += 1
  await requestAsOwner('POST', '/api/departments', { name: `Commit ${count}` })
}
