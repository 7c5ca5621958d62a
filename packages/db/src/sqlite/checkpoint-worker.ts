import type { Worker } from 'node:worker_threads'

/**
 * Runs in a worker thread, so that reads and writes do not wait for the disk. It is a string, so that it survives a
 * single-file build. A passive checkpoint neither waits for other connections nor blocks them.
 */
const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { Database } = require('bun:sqlite')
const engine = new Database(workerData, { readwrite: true })
engine.run('PRAGMA synchronous = FULL')
const checkpoint = engine.prepare('PRAGMA wal_checkpoint(PASSIVE)')
parentPort.on('message', (command) => {
  if (command === 'close') {
    checkpoint.finalize()
    engine.close(true)
    process.exit()
  }
  try {
    checkpoint.get()
    parentPort.postMessage(null)
  } catch (error) {
    parentPort.postMessage({ code: String(error.code), message: error.message })
  }
})`

/** Checkpoints the WAL of a database in the background. */
export interface CheckpointWorker {
  readonly isBusy: () => boolean
  /** Starts a checkpoint. Resolves when it has ended, successful or not. */
  readonly start: () => Promise<void>
  /** Waits for a running checkpoint, and closes the worker's connection. */
  readonly close: () => Promise<void>
}

/**
 * Creates a worker that starts with the first checkpoint.
 * @param onDone gets the outcome of each checkpoint: null, or the engine's error with its `code`
 */
export function createCheckpointWorker(
  file: string,
  onDone: (failure: Error | null) => void,
): CheckpointWorker {
  let worker: Promise<Worker> | null = null
  let pending: PromiseWithResolvers<void> | null = null

  const finish = (failure: Error | null) => {
    const { resolve } = pending ?? {}
    pending = null
    onDone(failure)
    resolve?.()
  }

  async function startWorker(): Promise<Worker> {
    // Loaded on demand, to keep startup fast.
    const { Worker } = await import('node:worker_threads')
    const thread = new Worker(WORKER_SOURCE, { eval: true, workerData: file })
    thread.unref()
    thread.on('message', (failure: { code: string; message: string } | null) =>
      finish(failure === null ? null : Object.assign(new Error(failure.message), { code: failure.code })),
    )
    thread.on('error', (error) => {
      worker = null
      finish(error)
    })
    return thread
  }

  return {
    isBusy: () => pending !== null,
    start() {
      pending = Promise.withResolvers<void>()
      worker ??= startWorker()
      worker.then((thread) => thread.postMessage('checkpoint'), finish)
      return pending.promise
    },
    async close() {
      await pending?.promise
      const thread = await worker
      if (!thread) return
      const exited = new Promise((resolve) => thread.once('exit', resolve))
      thread.postMessage('close')
      await exited
    },
  }
}
