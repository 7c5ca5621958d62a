import { statSync } from 'node:fs'
import { createPrivateFile, fsyncFile } from '../fsync.ts'

/** How often the copy is looked at while it is made. */
const POLL_MS = 200
/** How long another process may keep the file to itself, as it does for a moment after a crash. */
const BUSY_TIMEOUT_MS = 10_000

/**
 * Runs in a thread of its own, as the engine lets go of its thread only when the copy is done. It is a text so that it
 * survives a single-file build, and opens the file for reading alone: nobody who writes has to wait for it.
 */
const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { Database } = require('bun:sqlite')
try {
  const engine = new Database(workerData.from, { readonly: true })
  engine.run('PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}')
  engine.query('VACUUM INTO ?').all(workerData.to)
  engine.close()
  parentPort.postMessage(null)
} catch (error) {
  parentPort.postMessage({ code: String(error.code), message: error.message })
}`

/**
 * Copies a database as it is at one moment, beside whoever uses it: compact, without a log, only its owner may read it,
 * and on the disk once this resolves.
 * @param to a path that leads to nothing yet
 * @param written is told how many bytes the copy has so far
 * @throws Error with the engine's `code`, or where the database was exchanged for another one meanwhile
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
    POLL_MS,
  )
  try {
    await copyInWorker(from, to)
  } finally {
    clearInterval(progressTimer)
  }
  if (statSync(from).ino !== originalInode)
    throw new Error('The database was restored while it was copied; try again.')
  fsyncFile(to)
}

async function copyInWorker(from: string, to: string): Promise<void> {
  // Asked for here, so that a start does not pay for it.
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData: { from, to } })
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The copy broke off.')))
    worker.once('message', (failure: { code: string; message: string } | null) => {
      if (failure === null) resolve()
      else reject(Object.assign(new Error(failure.message), { code: failure.code }))
    })
  })
}
