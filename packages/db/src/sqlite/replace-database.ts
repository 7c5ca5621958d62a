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
import { isDatabaseLocked } from './errors.ts'
import { DataFolderError } from './folder-access.ts'
import { COMPANION_SUFFIXES, incomingRestorePath, replacedDatabasePath } from './stale-files.ts'

/**
 * Replaces a database with another file of its folder, and keeps the old one under another name. After a crash at any step,
 * either the old or the new database is in place. The caller must have locked the folder and synced the replacement to disk.
 * @param replacement the path of the new database; by default that of a restore
 * @returns the path of the old database; null where there was none
 * @throws DataFolderError where another process keeps reading the old database
 */
export function replaceDatabase(
  database: string,
  now: number,
  replacement = incomingRestorePath(database),
): string | null {
  const folder = dirname(database)
  const replacedPath = existsSync(database) ? replacedDatabasePath(database, now) : null
  if (replacedPath !== null && checkpointFully(database)) {
    // Both names of the old database must be on disk before the rename.
    linkOrCopy(database, replacedPath)
    fsyncFolder(folder)
  } else {
    moveAside(database, replacedDatabasePath(database, now), folder)
  }
  renameSync(replacement, database)
  fsyncFolder(folder)
  return replacedPath
}

/** Creates a hard link; a copy where the file system has no hard links. */
function linkOrCopy(file: string, name: string): void {
  try {
    linkSync(file, name)
  } catch {
    copyFileSync(file, name, constants.COPYFILE_EXCL)
    fsyncFile(name)
  }
}

/**
 * Renames an unreadable database and then its WAL. If the WAL were renamed first, or left for the next database, the file
 * opened next would be corrupt. Between the steps there is no database: startup rejects that, and `reeve restore` recovers
 * from it.
 */
function moveAside(database: string, replacedPath: string, folder: string): void {
  for (const suffix of ['', ...COMPANION_SUFFIXES]) {
    if (!existsSync(`${database}${suffix}`)) continue
    renameSync(`${database}${suffix}`, `${replacedPath}${suffix}`)
    fsyncFolder(folder)
  }
}

/**
 * Checkpoints the whole WAL, so that the database is a single file. Waits for its readers for a while. Idle connections of
 * other processes stay usable.
 * @returns false where the database cannot be read
 * @throws DataFolderError where another process keeps reading it
 */
function checkpointFully(database: string): boolean {
  // SQLite may delete the WAL of a file that is not a database.
  if (!isDatabase(database)) return false
  let engine: Connection | undefined
  try {
    engine = new Connection(database, { readwrite: true })
    engine.run('PRAGMA synchronous = FULL')
    const isBusy = engine.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0
    if (isBusy) throw databaseInUseError(database)
  } catch (error) {
    if (error instanceof DataFolderError) throw error
    if (isDatabaseLocked(error)) throw databaseInUseError(database)
    return false
  } finally {
    engine?.close()
  }
  if ((statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false
  if (existsSync(`${database}-journal`)) return false
  // They are empty, and SQLite would use them with the new database.
  for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
  return true
}

/** The header of every database file. Source: https://sqlite.org/fileformat.html#magic_header_string */
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
    `Another process is reading ${database} (a backup or an inspection?). Wait until it has finished, and try again.`,
  )
