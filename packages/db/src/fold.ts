import type { Worker } from 'node:worker_threads'

/**
 * Runs in a thread of its own, so that nobody who reads or writes waits for the disk meanwhile. It is a text so that it
 * survives a single-file build. A checkpoint that is passive waits for nobody and holds nobody up.
 */
const FOLDING = `
const { parentPort, workerData } = require('node:worker_threads')
const { Database } = require('bun:sqlite')
const engine = new Database(workerData, { readwrite: true })
engine.run('PRAGMA synchronous = FULL')
const fold = engine.prepare('PRAGMA wal_checkpoint(PASSIVE)')
parentPort.on('message', (isEnd) => {
  if (isEnd) {
    fold.finalize()
    engine.close(true)
    process.exit()
  }
  try {
    fold.get()
    parentPort.postMessage(null)
  } catch (error) {
    parentPort.postMessage({ code: String(error.code), message: error.message })
  }
})`

/** Folds the log of a database into it, beside everything else. */
export interface FoldBeside {
  readonly isBusy: () => boolean
  /** Resolves when it is done, however it went. */
  readonly start: () => Promise<void>
  /** Waits for what is under way, and lets go of the database. */
  readonly close: () => Promise<void>
}

/**
 * @param done is told of each fold: null, or the engine's error with its `code`
 */
export function foldBeside(file: string, done: (failure: Error | null) => void): FoldBeside {
  let worker: Promise<Worker> | null = null
  let underWay: PromiseWithResolvers<void> | null = null

  const finished = (failure: Error | null) => {
    const { resolve } = underWay ?? {}
    underWay = null
    done(failure)
    resolve?.()
  }

  async function begin(): Promise<Worker> {
    // Asked for here, so that a start does not pay for it.
    const { Worker } = await import('node:worker_threads')
    const made = new Worker(FOLDING, { eval: true, workerData: file })
    made.unref()
    made.on('message', (failure: { code: string; message: string } | null) =>
      finished(failure === null ? null : Object.assign(new Error(failure.message), { code: failure.code })),
    )
    made.on('error', (error) => {
      worker = null
      finished(error)
    })
    return made
  }

  return {
    isBusy: () => underWay !== null,
    start() {
      underWay = Promise.withResolvers<void>()
      worker ??= begin()
      worker.then((made) => made.postMessage(false), finished)
      return underWay.promise
    },
    async close() {
      await underWay?.promise
      const made = await worker
      if (!made) return
      const ended = new Promise((resolve) => made.once('exit', resolve))
      made.postMessage(true)
      await ended
    },
  }
}
