import { statSync } from 'node:fs'
import { makePrivate, syncFile } from './durable.ts'

/** How often the copy is looked at while it is made. */
const LOOK_MS = 200
/** How long another process may keep the file to itself, as it does for a moment after a crash. */
const PATIENCE_MS = 10_000

/**
 * Runs in a thread of its own, as the engine lets go of its thread only when the copy is done. It is a text so that it
 * survives a single-file build, and opens the file for reading alone: nobody who writes has to wait for it.
 */
const COPYING = `
const { parentPort, workerData } = require('node:worker_threads')
const { Database } = require('bun:sqlite')
try {
  const engine = new Database(workerData.from, { readonly: true })
  engine.run('PRAGMA busy_timeout = ${PATIENCE_MS}')
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
  written: (bytes: number) => void,
): Promise<void> {
  const before = statSync(from).ino
  makePrivate(to)
  const looking = setInterval(() => written(statSync(to, { throwIfNoEntry: false })?.size ?? 0), LOOK_MS)
  try {
    await copyAside(from, to)
  } finally {
    clearInterval(looking)
  }
  if (statSync(from).ino !== before)
    throw new Error('The database was restored while it was copied; try again.')
  syncFile(to)
}

async function copyAside(from: string, to: string): Promise<void> {
  // Asked for here, so that a start does not pay for it.
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(COPYING, { eval: true, workerData: { from, to } })
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The copy broke off.')))
    worker.once('message', (failure: { code: string; message: string } | null) => {
      if (failure === null) resolve()
      else reject(Object.assign(new Error(failure.message), { code: failure.code }))
    })
  })
}
