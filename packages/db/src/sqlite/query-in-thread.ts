import { LOCK_TIMEOUT_MS } from './connection.ts'

/** Runs in a worker thread. It is a string, so that it survives a single-file build. It opens the file read-only. */
const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { Database } = require('bun:sqlite')
try {
  const engine = new Database(workerData.file, { readonly: true })
  engine.run('PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}')
  const rows = engine.query(workerData.sql).all(...workerData.params)
  engine.close()
  parentPort.postMessage({ rows })
} catch (error) {
  parentPort.postMessage({ failure: { code: String(error.code), message: error.message } })
}`

type Outcome<Row> =
  | { readonly rows: Row[] }
  | { readonly failure: { readonly code: string; readonly message: string } }

/**
 * Runs a statement that takes seconds, such as one that reads a whole file, in a thread of its own: the event loop continues, and a signal
 * is noticed. It sees the current state of the database.
 * @throws Error with the `code` of the engine
 */
export async function queryInThread<Row>(
  file: string,
  sql: string,
  params: readonly string[] = [],
): Promise<Row[]> {
  // Loaded on demand, to keep startup fast.
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData: { file, sql, params } })
  const outcome = await new Promise<Outcome<Row>>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread of a statement stopped before it was complete.')))
    worker.once('message', resolve)
  })
  if ('rows' in outcome) return outcome.rows
  throw Object.assign(new Error(outcome.failure.message), { code: outcome.failure.code })
}
