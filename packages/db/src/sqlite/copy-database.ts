import { statSync } from 'node:fs'
import { createPrivateFile, syncWhile } from '../fsync.ts'
import { queryInThread } from './query-in-thread.ts'

/** How often progress is reported, in milliseconds. */
const PROGRESS_MS = 200

/**
 * Copies a snapshot of a database that may be in use. The copy is compact, has no WAL, is readable by its owner only, and is
 * synced to disk.
 * @param to the path of the copy; must not exist
 * @param onProgress gets the size of the copy so far, in bytes
 * @throws Error with the `code` of the engine or of a failed sync, or where the database was replaced during the copy
 */
export async function copyDatabase(
  from: string,
  to: string,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const originalInode = statSync(from).ino
  createPrivateFile(to)
  const progressTimer = setInterval(
    () => onProgress(statSync(to, { throwIfNoEntry: false })?.size ?? 0),
    PROGRESS_MS,
  )
  try {
    // It opens the file read-only, so no writer waits for it.
    await syncWhile(to, () => queryInThread(from, 'VACUUM INTO ?', [to]))
  } finally {
    clearInterval(progressTimer)
  }
  if (statSync(from).ino !== originalInode)
    throw new Error('The database was replaced during the copy; try again.')
}
