import { Database as Engine } from 'bun:sqlite'
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../errors.ts'
import { ensurePrivateFile, fsyncFolder, writeFileFsync } from '../fsync.ts'
import { isAccessibleToOthers, makeFilesPrivate, privateFolderCommand } from '../private-folder.ts'
import {
  isDamagedDatabase,
  isDatabaseLocked,
  isReadOnlyFileSystem,
  READ_ONLY_ADVICE,
  RESCUE_ADVICE,
  readOnlyFileSystemMessage,
} from './errors.ts'
import { canEnterFolder, DataFolderError, ensureWritable, inaccessibleFolderError } from './folder-access.ts'
import { readMovedReason } from './moved-marker.ts'
import {
  hasContent,
  incomingMovePath,
  incomingRestorePath,
  incompletePath,
  removeStaleFiles,
  withCompanions,
} from './stale-files.ts'

const DATABASE_FILE = 'reeve.db'
const MARKER_FILE = 'instance.json'
const SECRET_KEY_FILE = 'secret.key'
const LOCK_FILE = 'reeve.lock'
const BACKUP_LOCK_FILE = 'backup.lock'
/** Files that a new data folder may contain, also after a crash while its database was created. */
const ALLOWED_FILES = new Set([
  'lost+found',
  SECRET_KEY_FILE,
  `${SECRET_KEY_FILE}.incomplete`,
  ...[LOCK_FILE, `${LOCK_FILE}-journal`],
  ...withCompanions(incompletePath(DATABASE_FILE)),
])
/** What an interrupted restore leaves in a folder that had no instance. */
const INCOMING_FILES = new Set(withCompanions(incomingRestorePath(DATABASE_FILE)))

/** What the names of files begin with whose permissions are corrected. A secret key that others could read is rejected instead. */
const PRIVATE_FILES = [DATABASE_FILE, LOCK_FILE, BACKUP_LOCK_FILE, MARKER_FILE, 'last-backup.json']

/** A data folder that this process has locked. */
export interface DataFolder {
  /** The path of the database file. */
  readonly database: string
  /** Marks the folder as that of an instance, so that a lost database is reported and never recreated. */
  readonly markInstance: (now: number) => void
  /** Unlocks the folder. */
  readonly release: () => void
}

/** The path of the socket on which the server process of a folder accepts commands. */
export const controlSocketPath = (folder: string): string => join(folder, 'reeve.sock')

/** The path of the database of a folder. */
export const databasePath = (folder: string): string => join(folder, DATABASE_FILE)

/** The path of the secret key of a folder, which is in no backup. */
export const secretKeyPath = (folder: string): string => join(folder, SECRET_KEY_FILE)

/** Whether a folder is marked as that of an instance. */
export const hasInstanceMarker = (folder: string): boolean => existsSync(join(folder, MARKER_FILE))

/**
 * Whether a folder belongs to an instance, even if its database is missing or still being moved to it.
 * @throws DataFolderError if this user may not see what is in it
 */
export const hasInstance = (folder: string): boolean => {
  if (!canEnterFolder(folder)) throw inaccessibleFolderError(folder)
  const database = databasePath(folder)
  return existsSync(database) || hasInstanceMarker(folder) || existsSync(incomingMovePath(database))
}

/** Why the instance of a folder cannot be used because of a move; null where it can. */
export const findMovedReason = (folder: string): string | null => readMovedReason(databasePath(folder))

/** The error for an instance without its database, or with an empty file in its place. */
export function missingDatabaseError(folder: string): DataFolderError {
  const isEmpty = existsSync(databasePath(folder))
  return new DataFolderError(
    `${folder} belongs to an instance, but its database ${DATABASE_FILE} is ${isEmpty ? 'an empty file' : 'missing'}. Put the file ` +
      'or a backup of it back (`reeve restore --from <backup>`). To create a new instance, remove ' +
      `${isEmpty ? `${DATABASE_FILE} and ${MARKER_FILE}` : `${MARKER_FILE} as well`}.`,
  )
}

/**
 * Locks a data folder until `release` or the end of the process. Creates a missing folder. Rejects a folder that has other
 * files or has lost its database.
 * @throws DataFolderError before anything is written
 */
export function acquireDataFolder(folder: string): DataFolder {
  const dataFolder = lockFolder(folder)
  const movedReason = findMovedReason(folder)
  if (movedReason === null && (!hasInstance(folder) || hasContent(dataFolder.database))) return dataFolder
  dataFolder.release()
  throw movedReason === null ? missingDatabaseError(folder) : new DataFolderError(movedReason)
}

/**
 * Locks a data folder that receives a database, like `acquireDataFolder`: its own database may be missing, or moved away, and an
 * interrupted restore may have left its files.
 * @throws DataFolderError
 */
export function acquireForRestore(folder: string): DataFolder {
  const dataFolder = lockFolder(folder, { isRestore: true })
  const movedReason = existsSync(incomingMovePath(dataFolder.database)) ? findMovedReason(folder) : null
  if (movedReason === null) return dataFolder
  dataFolder.release()
  throw new DataFolderError(movedReason)
}

/** Locks a data folder in any state of a move, with or without its database. @throws DataFolderError */
export function lockFolder(folder: string, { isRestore = false } = {}): DataFolder {
  const database = databasePath(folder)
  const marker = join(folder, MARKER_FILE)
  ensureWritable(folder)
  assertReeveFolder(folder, isRestore)
  assertWritableFiles(folder)
  assertPrivate(folder)
  const release = tryLockFile(folder, LOCK_FILE)
  if (release === null) {
    throw new DataFolderError(
      `Another Reeve process is using ${folder}. Stop it first, or set REEVE_DATA_DIR to another folder.`,
      { locked: true },
    )
  }
  removeStaleFiles(database)
  makeFilesPrivate(folder, (name) => PRIVATE_FILES.some((start) => name.startsWith(start)))
  return {
    database,
    markInstance(now) {
      if (existsSync(marker)) return
      writeFileFsync(
        marker,
        `${JSON.stringify({ product: 'reeve', createdAt: new Date(now).toISOString() })}\n`,
      )
      fsyncFolder(folder)
    },
    release,
  }
}

/** Takes the lock that prevents concurrent backups of an instance, which may be in use. @throws DataFolderError */
export function acquireBackupLock(folder: string): Pick<DataFolder, 'database' | 'release'> {
  const database = databasePath(folder)
  const movedReason = findMovedReason(folder)
  if (movedReason !== null) throw new DataFolderError(movedReason)
  if (!hasContent(database)) throw missingDatabaseError(folder)
  assertOwnedByUser(folder)
  let release: (() => void) | null
  try {
    release = tryLockFile(folder, BACKUP_LOCK_FILE)
  } catch (error) {
    if (!isReadOnlyFileSystem(error)) throw error
    // After a disk error, a backup to another disk is needed most. SQLite needs a file that the server has left, which it cannot create.
    if (existsSync(`${database}-shm`)) return { database, release: () => {} }
    throw new DataFolderError(`${readOnlyFileSystemMessage(folder)} ${READ_ONLY_ADVICE} ${RESCUE_ADVICE}`)
  }
  if (release === null) {
    throw new DataFolderError(`Another backup of ${folder} is in progress. Wait until it is complete.`, {
      locked: true,
    })
  }
  return { database, release }
}

/**
 * Rejects the instance of another user: the server could not open files that root creates in its data folder. Without its database, the
 * marker of the folder has the owner.
 * @throws DataFolderError
 */
export function assertOwnedByUser(folder: string): void {
  for (const file of [databasePath(folder), join(folder, MARKER_FILE)]) {
    const owner = statSync(file, { throwIfNoEntry: false })?.uid
    if (owner === undefined) continue
    if (owner === process.getuid?.()) return
    throw new DataFolderError(
      `${file} belongs to the user with the UID ${owner}. Run this command as that user, who runs the server.`,
    )
  }
}

function assertReeveFolder(folder: string, isRestore: boolean): void {
  if (hasInstance(folder)) return
  const names = readdirSync(folder).filter((name) => !ALLOWED_FILES.has(name))
  const foreignFiles = names.filter((name) => !INCOMING_FILES.has(name))
  if (foreignFiles.length === 0 && (isRestore || names.length === 0)) return
  if (foreignFiles.length === 0)
    throw new DataFolderError(
      `A restore to ${folder} was interrupted. Repeat it (\`reeve restore --from <backup> --create\`). To create a new instance ` +
        `instead, remove ${names.join(' and ')}.`,
    )
  throw new DataFolderError(
    `${folder} holds other files (${foreignFiles.slice(0, 3).join(', ')}) and no Reeve database. ` +
      'Set REEVE_DATA_DIR to an empty folder.',
  )
}

function assertPrivate(folder: string): void {
  if (!isAccessibleToOthers(folder)) return
  throw new DataFolderError(
    `Other users of this machine can access the data folder ${folder}. Run \`${privateFolderCommand(folder)}\` as its owner, or set ` +
      `REEVE_DATA_DIR to a folder that does not exist yet, such as ${join(folder, 'reeve')}: Reeve creates it for this user alone.`,
  )
}

/** SQLite would open read-only files: then every write would fail, and the lock would exclude no other process. */
function assertWritableFiles(folder: string): void {
  for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, LOCK_FILE]) {
    const path = join(folder, name)
    try {
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    } catch {
      throw new DataFolderError(
        `${path} cannot be written to by this user: it belongs to another one. Run this as that user, or change the ` +
          'owner (chown).',
      )
    }
  }
}

/**
 * Locks a file of a folder, and creates it if it does not exist. The operating system releases the lock when the process ends.
 * @returns unlocks it; null where another process has locked it
 * @throws DataFolderError where the file cannot be locked for another reason; Error of the system where it cannot be created
 */
export function tryLockFile(folder: string, name: string): (() => void) | null {
  const file = join(folder, name)
  try {
    ensurePrivateFile(file)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ELOOP') throw error
    throw new DataFolderError(`${file} is a symbolic link. Remove it.`)
  }
  const lock = new Engine(file, { readwrite: true })
  try {
    // The transaction writes nothing, but its journal would need disk space, which a backup of an instance on a full disk does not have.
    lock.run('PRAGMA journal_mode = MEMORY')
    lock.run('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (isDatabaseLocked(error)) return null
    throw new DataFolderError(
      isDamagedDatabase(error)
        ? `${file} is damaged: it has content, but a lock is an empty file. Stop every process that uses ${folder}, then remove ${file}.`
        : `${file} cannot be locked: ${(error as Error).message} (${errorCode(error)}). Check the disk, and that this user may write to the file.`,
    )
  }
}
