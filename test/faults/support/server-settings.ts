import { statSync } from 'node:fs'
import { join } from 'node:path'

/** Settings of a server under load: no limits, little logging, and a port that survives a restart. */
export const LOAD_SERVER_ENV = {
  REEVE_KEY_RATE_PER_MINUTE: '0',
  REEVE_SESSION_RATE_PER_MINUTE: '0',
  REEVE_WORKSPACES_PER_ACCOUNT: '0',
  REEVE_WORKSPACE_JOBS_PER_DAY: '0',
  REEVE_LOG_LEVEL: 'error',
  REEVE_PUBLIC_URL: 'http://localhost:3000',
}

/**
 * Returns a function that checks whether the server has checkpointed the WAL into the database since this call: only then
 * does the file grow.
 */
export function watchForCheckpoint(folder: string): () => boolean {
  const databaseSize = () => statSync(join(folder, 'reeve.db')).size
  const initialSize = databaseSize()
  return () => databaseSize() > initialSize
}
