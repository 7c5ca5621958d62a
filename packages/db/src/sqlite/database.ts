import type { Database as Engine } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, DataChange } from '../database.ts'
import { OpenTransaction } from '../open-transaction.ts'
import type { Statement } from '../statement.ts'
import { createCheckpointWorker } from './checkpoint-worker.ts'
import { openConnection, readVersion } from './connection.ts'
import { readDiskUsage } from './disk-usage.ts'
import { isStorageFailure } from './errors.ts'
import { createWriteQueue } from './group-commit.ts'
import { createKysely, createQueries, createStatementCache, type StatementCache } from './statements.ts'
import { createWalFile } from './wal-file.ts'

/**
 * The size of the WAL that triggers a checkpoint, in pages of 4 KiB: four times SQLite's default. That reduced the time of a
 * write by a third, because a page that changes often is copied to the database file less often.
 */
const CHECKPOINT_PAGES = 4000

/** In bytes, of the database and its WAL. */
const PAGE_BYTES = 4096

/** How much of the file is memory-mapped for reads: SQLite's maximum. */
const MMAP_BYTES = 0x7fff0000

/** The free space on the disk of a folder, in pages. */
function countFreePages(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / PAGE_BYTES
}

/**
 * The database on a writer connection and its own connection for reads. The schema must be migrated.
 * @param writer from `openSqliteWriter`; the database closes it
 * @param historyId from `loadHistoryId`: nothing can change it while the database is open
 */
export function sqliteDatabase(file: string, writer: Engine, historyId: string): Database {
  const reader = openConnection(file, { readonly: true })
  // Every commit of the writer invalidates the reader's page cache, but not memory-mapped pages.
  reader.run(`PRAGMA mmap_size = ${MMAP_BYTES}`)
  const kysely = createKysely(writer)
  const readView = createReadView(reader)
  const readQueries = createQueries(readView.wrap(createStatementCache(reader, kysely)))
  const writeStatements = createStatementCache(writer, kysely)
  const writeQueries = createQueries(writeStatements)
  const isWrite = (statement: Statement<never, unknown>) => writeStatements(statement).compiled.isWrite
  const listeners = new Set<(change: DataChange) => void>()
  /** A step of the write queue, prepared once. */
  const prepareStep = (command: string) => {
    const prepared = writer.prepare(command)
    return () => {
      prepared.run()
    }
  }

  // A COMMIT writes to the WAL. The queue waits for the disk itself, because SQLite would block the event loop meanwhile.
  writer.run('PRAGMA synchronous = NORMAL')
  const walFile = createWalFile(file)
  // An automatic checkpoint would not report a failed fsync.
  writer.run('PRAGMA wal_autocheckpoint = 0')
  const folder = dirname(file)
  const walStatus = writer.prepare<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  /** Whether a checkpoint ran while the WAL kept growing, so that the rest is due. */
  let mustFinishCheckpoint = false
  const checkpointWorker = createCheckpointWorker(file, (failure) => {
    if (failure) writeQueue.handleCheckpointFailure(failure)
  })
  /**
   * The first checkpoint runs while writes continue, and a second one blocks writes for the rest, because SQLite restarts a
   * WAL only after a complete checkpoint. Writes also wait when disk space runs low: the pages of the WAL must fit into the
   * database file next to it. Reads never wait.
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
    commit: async (hasChanged) => {
      if (hasChanged) readView.begin()
      commit()
      if (hasChanged) await walFile.sync()
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
    transaction: (announce) => new OpenTransaction(writeQueries, isWrite, announce),
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
    onConnectionLimit: () => () => {},
    isShared: false,
    readHistoryId: async () => historyId,
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
        // The WAL has all pages, and the next start checkpoints it.
        if (!isStorageFailure(error)) throw error
      } finally {
        writer.close()
        walFile.close()
      }
    },
  }
}

/**
 * The read transaction that reads share. It begins with the first read and ends around every commit, because beginning one
 * costs as much as finding a row. SQLite can restart the WAL only while no read transaction is open, so there is none during
 * commits and blocking checkpoints.
 */
function createReadView(reader: Engine) {
  const begin = reader.prepare('BEGIN')
  const end = reader.prepare('COMMIT')
  // BEGIN alone takes no snapshot.
  const takeSnapshot = reader.prepare('SELECT 1 FROM sqlite_schema LIMIT 1')
  return {
    wrap:
      (prepare: StatementCache): StatementCache =>
      (statement) => {
        if (!reader.inTransaction) begin.run()
        return prepare(statement)
      },
    /** Keeps what reads see until the end, so that they see no transaction before it is on the disk. */
    begin() {
      if (!reader.inTransaction) begin.run()
      takeSnapshot.get()
    },
    end() {
      if (reader.inTransaction) end.run()
    },
  }
}
