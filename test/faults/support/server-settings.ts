import { statSync } from 'node:fs'
import { join } from 'node:path'

/** Settings of a server under load: no limits, a quiet log, and an address that outlives a restart. */
export const LOAD_SERVER_ENV = {
  REEVE_KEY_RATE_PER_MINUTE: '0',
  REEVE_SESSION_RATE_PER_MINUTE: '0',
  REEVE_LOG_LEVEL: 'error',
  REEVE_PUBLIC_URL: 'http://localhost:3000',
}

/**
 * Tells whether a server has folded its log into the database of a folder since this was called: only then does the file
 * grow.
 */
export function watchForCheckpoint(folder: string): () => boolean {
  const databaseSize = () => statSync(join(folder, 'reeve.db')).size
  const initialSize = databaseSize()
  return () => databaseSize() > initialSize
}
