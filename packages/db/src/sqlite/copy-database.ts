import { closeSync, fdatasync, openSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { createPrivateFile, fsyncFile } from '../fsync.ts'
import { LOCK_TIMEOUT_MS } from './connection.ts'

/** How often progress is reported, and what was copied meanwhile is synced. */
const POLL_MS = 200

/**
 * Runs in a worker thread, because `VACUUM INTO` blocks its thread until the copy is complete. It is a string, so that it
 * survives a single-file build. It opens the file read-only, so no writer waits for it.
 */
const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { Database } = require('bun:sqlite')
try {
  const engine = new Database(workerData.from, { readonly: true })
  engine.run('PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}')
  engine.query('VACUUM INTO ?').all(workerData.to)
  engine.close()
  parentPort.postMessage(null)
} catch (error) {
  parentPort.postMessage({ code: String(error.code), message: error.message })
}`

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
  const copying = new AbortController()
  const synced = syncUntil(copying.signal, to)
  // An error of the copy itself is the one to report.
  synced.catch(() => {})
  const progressTimer = setInterval(
    () => onProgress(statSync(to, { throwIfNoEntry: false })?.size ?? 0),
    POLL_MS,
  )
  try {
    await copyInWorker(from, to)
  } finally {
    clearInterval(progressTimer)
    copying.abort()
  }
  await synced
  if (statSync(from).ino !== originalInode)
    throw new Error('The database was replaced during the copy; try again.')
  fsyncFile(to)
}

/**
 * Syncs a file while it grows. Otherwise gigabytes of it are written at once, and a server that uses the same disk waits for them.
 * @throws Error the first one, which later syncs of the file do not report again
 */
async function syncUntil(ended: AbortSignal, file: string): Promise<void> {
  const sync = promisify(fdatasync)
  const end = Promise.withResolvers<void>()
  ended.addEventListener('abort', () => end.resolve())
  const descriptor = openSync(file, 'r')
  try {
    while (!ended.aborted) {
      await sync(descriptor)
      await Promise.race([Bun.sleep(POLL_MS), end.promise])
    }
  } finally {
    closeSync(descriptor)
  }
}

async function copyInWorker(from: string, to: string): Promise<void> {
  // Loaded on demand, to keep startup fast.
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData: { from, to } })
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The copy stopped before it was complete.')))
    worker.once('message', (failure: { code: string; message: string } | null) => {
      if (failure === null) resolve()
      else reject(Object.assign(new Error(failure.message), { code: failure.code }))
    })
  })
}
