import { Database as Engine } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fsyncFolder } from '../fsync.ts'
import { readMovedReason } from './moved-marker.ts'
import { incomingMovePath, removeStaleFiles } from './stale-files.ts'

/** A data folder that cannot be used as it is; the message says what to do. */
export class DataFolderError extends Error {
  readonly locked: boolean
  constructor(message: string, options: { locked?: boolean } = {}) {
    super(message)
    this.name = 'DataFolderError'
    this.locked = options.locked ?? false
  }
}

const DATABASE_FILE = 'reeve.db'
const MARKER_FILE = 'instance.json'
const LOCK_FILE = 'reeve.lock'
const BACKUP_LOCK_FILE = 'backup.lock'
/** What may lie in a folder that is otherwise new. */
const ALLOWED_FILES = new Set(['lost+found', LOCK_FILE, `${LOCK_FILE}-journal`])

export interface DataFolder {
  readonly database: string
  /** Records that the folder holds an instance, so that a database that goes missing is never made anew. */
  readonly markInstance: (now: number) => void
  /** Gives the folder free for another process. */
  readonly release: () => void
}

/** The address of the socket on which the process that holds a folder takes commands. */
export const controlSocketPath = (folder: string): string => join(folder, 'reeve.sock')

/** Where the database of a folder lies. */
export const databasePath = (folder: string): string => join(folder, DATABASE_FILE)

/** Whether it is written down in a folder that it belongs to an instance. */
export const hasInstanceMarker = (folder: string): boolean => existsSync(join(folder, MARKER_FILE))

/** Whether a folder holds an instance, be its database whole, lost, or on the way to it. */
export const hasInstance = (folder: string): boolean => {
  const database = databasePath(folder)
  return existsSync(database) || hasInstanceMarker(folder) || existsSync(incomingMovePath(database))
}

/** Why the instance of a folder cannot be used, because it was moved away or has not arrived; null where it can. */
export const findMovedReason = (folder: string): string | null => readMovedReason(databasePath(folder))

/** That the database of an instance is gone. */
export const missingDatabaseError = (folder: string): DataFolderError =>
  new DataFolderError(
    `${folder} belongs to an instance, but its database ${DATABASE_FILE} is missing. Put the file or a backup of it ` +
      `back (\`reeve restore --from <backup>\`); to begin anew on purpose, remove ${MARKER_FILE} as well.`,
  )

/**
 * Takes a data folder for this process: makes it where it is missing, locks it until `release` or the end of the
 * process, and refuses one that is not ours or has lost its database.
 * @throws DataFolderError with a sentence that says what to do; nothing was written then
 */
export function acquireDataFolder(folder: string): DataFolder {
  const dataFolder = lockFolder(folder)
  const movedReason = findMovedReason(folder)
  if (movedReason === null && (!hasInstance(folder) || existsSync(dataFolder.database))) return dataFolder
  dataFolder.release()
  throw movedReason === null ? missingDatabaseError(folder) : new DataFolderError(movedReason)
}

/** The same for a folder that is about to be given a database: it may have lost its own, or be one that was moved away. */
export function acquireForRestore(folder: string): DataFolder {
  const dataFolder = lockFolder(folder)
  const movedReason = existsSync(incomingMovePath(dataFolder.database)) ? findMovedReason(folder) : null
  if (movedReason === null) return dataFolder
  dataFolder.release()
  throw new DataFolderError(movedReason)
}

/** The same whatever a move has left in it. */
export function lockFolder(folder: string): DataFolder {
  const database = databasePath(folder)
  const marker = join(folder, MARKER_FILE)
  ensureWritable(folder)
  assertReeveFolder(folder)
  assertWritableFiles(folder)
  const lock = tryLock(folder, LOCK_FILE)
  if (lock === null) {
    throw new DataFolderError(
      `Another Reeve process is using ${folder}. Stop it first, or set REEVE_DATA_DIR to another folder.`,
      { locked: true },
    )
  }
  removeStaleFiles(database)
  return {
    database,
    markInstance(now) {
      if (existsSync(marker)) return
      writeFileSync(
        marker,
        `${JSON.stringify({ product: 'reeve', createdAt: new Date(now).toISOString() })}\n`,
      )
    },
    release: () => lock.close(),
  }
}

/**
 * Makes sure that no other backup of an instance is made at the same time. The instance may be in use meanwhile.
 * @throws DataFolderError
 */
export function acquireBackupLock(folder: string): Pick<DataFolder, 'database' | 'release'> {
  const database = databasePath(folder)
  const movedReason = findMovedReason(folder)
  if (movedReason !== null) throw new DataFolderError(movedReason)
  if (!existsSync(database)) throw missingDatabaseError(folder)
  assertOwnedByUser(database)
  const lock = tryLock(folder, BACKUP_LOCK_FILE)
  if (lock === null) {
    throw new DataFolderError(`Another backup of ${folder} is being made. Wait until it is done.`, {
      locked: true,
    })
  }
  return { database, release: () => lock.close() }
}

/**
 * Refuses to work beside the files of another user: what root makes in a data folder, the server could not open.
 * @throws DataFolderError
 */
export function assertOwnedByUser(database: string): void {
  const owner = statSync(database, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.()) return
  throw new DataFolderError(
    `${database} belongs to the user with the number ${owner}: run this as that user, who runs the server.`,
  )
}

function ensureWritable(folder: string): void {
  try {
    const firstCreated = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (firstCreated !== undefined) fsyncNewFolders(resolve(firstCreated), resolve(folder))
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new DataFolderError(
      `The data folder ${folder} cannot be written to${reason}. Give this user the right to, or set REEVE_DATA_DIR.`,
    )
  }
}

/** Tells the disk of folders just made, from the outermost to the innermost: a power cut takes none of them away. */
function fsyncNewFolders(outermost: string, innermost: string): void {
  for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder)) {
    fsyncFolder(dirname(folder))
  }
}

function assertReeveFolder(folder: string): void {
  if (hasInstance(folder)) return
  const foreignFiles = readdirSync(folder).filter((name) => !ALLOWED_FILES.has(name))
  if (foreignFiles.length === 0) return
  throw new DataFolderError(
    `${folder} holds other files (${foreignFiles.slice(0, 3).join(', ')}) and no Reeve database. ` +
      'Set REEVE_DATA_DIR to a folder of its own.',
  )
}

/** A database that may only be read would be opened and served, and every write would fail; so would its lock hold nobody. */
function assertWritableFiles(folder: string): void {
  for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, LOCK_FILE]) {
    const path = join(folder, name)
    try {
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    } catch {
      throw new DataFolderError(
        `${path} cannot be written to by this user: it belongs to another one. Run as that user, or give the file to ` +
          'this one (chown).',
      )
    }
  }
}

/**
 * A lock that the operating system drops when the process ends, however it ends.
 * @returns null where another process has it
 */
function tryLock(folder: string, name: string): Engine | null {
  const lock = new Engine(join(folder, name), { create: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch {
    lock.close()
    return null
  }
}
