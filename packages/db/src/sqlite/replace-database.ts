import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { fsyncFile, fsyncFolder } from '../fsync.ts'
import { Connection } from './connection.ts'
import { DataFolderError } from './data-folder.ts'
import { COMPANION_SUFFIXES, incomingRestorePath, replacedDatabasePath } from './stale-files.ts'

/** How long somebody who only looks at the database may take to be done with it. */
const BUSY_TIMEOUT_MS = 5000

/**
 * Puts the database that waits beside another one in its place, and keeps that one aside: by default one that was copied
 * there to be restored. Whenever this is cut off, the
 * old one is in place or the new one. Whoever calls this holds the folder, and the waiting one is on the disk.
 * @returns where the old one is kept; null where there was none
 * @throws DataFolderError where somebody reads the old one and does not end
 */
export function replaceDatabase(
  database: string,
  now: number,
  replacement = incomingRestorePath(database),
): string | null {
  const folder = dirname(database)
  const replacedPath = existsSync(database) ? replacedDatabasePath(database, now) : null
  if (replacedPath !== null && checkpointFully(database)) {
    // Both names are on the disk before one of them means another file.
    linkOrCopy(database, replacedPath)
    fsyncFolder(folder)
  } else {
    moveAside(database, replacedDatabasePath(database, now), folder)
  }
  renameSync(replacement, database)
  fsyncFolder(folder)
  return replacedPath
}

/** A second name for a file; a copy where the file system knows none. */
function linkOrCopy(file: string, name: string): void {
  try {
    linkSync(file, name)
  } catch {
    copyFileSync(file, name, constants.COPYFILE_EXCL)
    fsyncFile(name)
  }
}

/**
 * Moves a database away that cannot be read, with the log that belongs to it, the database first: were the log to go
 * before it, or to stay for another database, what is opened next would be neither. Between the steps there is no
 * database, which a start refuses, and `reeve restore` goes on from.
 */
function moveAside(database: string, replacedPath: string, folder: string): void {
  for (const suffix of ['', ...COMPANION_SUFFIXES]) {
    if (!existsSync(`${database}${suffix}`)) continue
    renameSync(`${database}${suffix}`, `${replacedPath}${suffix}`)
    fsyncFolder(folder)
  }
}

/**
 * Makes a database one file, its log folded in. Whoever has it open and reads nothing just now keeps what it has.
 * @returns false where it cannot be read
 * @throws DataFolderError where somebody reads it and does not end
 */
function checkpointFully(database: string): boolean {
  // An engine that opens what is no database may remove the log beside it.
  if (!isDatabase(database)) return false
  let engine: Connection | undefined
  try {
    engine = new Connection(database, { readwrite: true })
    engine.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    engine.run('PRAGMA synchronous = FULL')
    const isBusy = engine.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0
    if (isBusy) throw databaseInUseError(database)
  } catch (error) {
    if (error instanceof DataFolderError) throw error
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY'))
      throw databaseInUseError(database)
    return false
  } finally {
    engine?.close()
  }
  if ((statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false
  if (existsSync(`${database}-journal`)) return false
  // They are empty, and would be taken for those of the database that comes.
  for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
  return true
}

/** How every database begins. Source: https://sqlite.org/fileformat.html#magic_header_string */
const MAGIC = 'SQLite format 3\0'

function isDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(MAGIC.length)
    readSync(descriptor, header)
    return header.toString('latin1') === MAGIC
  } finally {
    closeSync(descriptor)
  }
}

const databaseInUseError = (database: string): DataFolderError =>
  new DataFolderError(
    `Somebody reads ${database} (a backup or a look at it?). Wait until that is done, and try again.`,
  )
