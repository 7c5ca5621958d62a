import type { Database as Engine } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, DataChange } from '../database.ts'
import { openTransaction } from '../open-transaction.ts'
import type { Statement } from '../statement.ts'
import { createCheckpointWorker } from './checkpoint-worker.ts'
import { openConnection, readVersion } from './connection.ts'
import { readDiskUsage } from './disk-usage.ts'
import { isStorageFailure } from './errors.ts'
import { createWriteQueue } from './group-commit.ts'
import { createKysely, createQueries, createStatementCache, type StatementCache } from './statements.ts'

/**
 * How long the log grows, in pages of 4 KiB, before it is folded into the database: four times SQLite's own default, which
 * took a third off the time of a write, because a page that changes often is written to its place less often.
 */
const CHECKPOINT_PAGES = 4000

/** In bytes, of the database and its log. */
const PAGE_BYTES = 4096

/** How much of the file is mapped for reads: the most that SQLite allows. */
const MMAP_BYTES = 0x7fff0000

/** How many pages the disk under a folder still takes. */
function countFreePages(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / PAGE_BYTES
}

/** The database over one writing connection and one of its own for reads. The schema must be migrated already. */
export function sqliteDatabase(file: string, writer: Engine): Database {
  const reader = openConnection(file, { readonly: true })
  // Every commit of the writer empties the reader's own cache; mapped pages stay where they are.
  reader.run(`PRAGMA mmap_size = ${MMAP_BYTES}`)
  const kysely = createKysely(writer)
  const readView = createReadView(reader)
  const readQueries = createQueries(readView.wrap(createStatementCache(reader, kysely)))
  const writeStatements = createStatementCache(writer, kysely)
  const writeQueries = createQueries(writeStatements)
  const isWrite = (statement: Statement<never, unknown>) => writeStatements(statement).compiled.isWrite
  const listeners = new Set<(change: DataChange) => void>()
  /** A step around units, prepared once. */
  const prepareStep = (command: string) => {
    const prepared = writer.prepare(command)
    return () => {
      prepared.run()
    }
  }

  // The engine would fold by itself and keep to itself that a sync failed in it.
  writer.run('PRAGMA wal_autocheckpoint = 0')
  const folder = dirname(file)
  const walStatus = writer.prepare<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  /** Whether most of the log has been folded while it went on growing: the rest is due. */
  let mustFinishCheckpoint = false
  const checkpointWorker = createCheckpointWorker(file, (failure) => {
    if (failure) writeQueue.handleCheckpointFailure(failure)
  })
  /**
   * Most of the log is folded while writing goes on, and then the rest while it waits: only a log that is folded to its end
   * begins anew. Writing waits as well where the disk gets short, because what the log holds has to fit beside it to be
   * folded at all. Reads never wait.
   */
  const checkpoint = async () => {
    if (checkpointWorker.isBusy()) return
    const { log = 0, checkpointed = 0 } = walStatus.get() ?? {}
    const pendingPages = log - checkpointed
    if (mustFinishCheckpoint || pendingPages >= countFreePages(folder)) {
      mustFinishCheckpoint = false
      await checkpointWorker.start()
    } else if (pendingPages >= CHECKPOINT_PAGES) {
      void checkpointWorker.start().then(() => {
        mustFinishCheckpoint = true
      })
    }
  }
  const begin = prepareStep('BEGIN IMMEDIATE')
  const commit = prepareStep('COMMIT')
  const checkpointAndTruncate = () => writer.run('PRAGMA wal_checkpoint(TRUNCATE)')

  const writeQueue = createWriteQueue({
    checkpoint,
    truncateWal: async () => {
      checkpointAndTruncate()
    },
    begin: () => {
      readView.end()
      begin()
    },
    commit: () => {
      commit()
      readView.end()
    },
    rollback: () => {
      readView.end()
      if (writer.inTransaction) writer.run('ROLLBACK')
    },
    savepoint: prepareStep('SAVEPOINT unit'),
    release: prepareStep('RELEASE unit'),
    rollbackToSavepoint: () => {
      writer.run('ROLLBACK TO unit')
      writer.run('RELEASE unit')
    },
    transaction: (announce) => openTransaction(writeQueries, isWrite, announce),
    onCommit: (changes) => {
      for (const change of changes) for (const listener of listeners) listener(change)
    },
  })

  return {
    read: { first: readQueries.first, all: readQueries.all },
    write: writeQueue.write,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onMissedChanges: () => () => {},
    isShared: false,
    broadcast: async () => {},
    onBroadcast: () => () => {},
    stats: writeQueue.stats,
    diskUsage: () => readDiskUsage(file),
    engine: () => `SQLite ${readVersion(reader)}`,
    fatalError: writeQueue.fatalError,
    async ping() {
      reader.query('select 1').get()
    },
    async close() {
      await writeQueue.idle()
      await checkpointWorker.close()
      readView.end()
      reader.close()
      try {
        checkpointAndTruncate()
      } catch (error) {
        // The log holds all of it, and the next start folds it in.
        if (!isStorageFailure(error)) throw error
      } finally {
        writer.close()
      }
    },
  }
}

/**
 * The view that reads share: begun with the first of them and ended around every commit, because beginning one costs as
 * much as finding a row. The log can begin anew only while no view is open, so none is while it is written and folded.
 */
function createReadView(reader: Engine) {
  const begin = reader.prepare('BEGIN')
  const end = reader.prepare('COMMIT')
  return {
    wrap:
      (prepare: StatementCache): StatementCache =>
      (statement) => {
        if (!reader.inTransaction) begin.run()
        return prepare(statement)
      },
    end() {
      if (reader.inTransaction) end.run()
    },
  }
}
