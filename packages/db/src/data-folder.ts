import { Database as Engine } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { syncFolder } from './durable.ts'
import { arrivingFor, dropLeftovers } from './leftovers.ts'
import { moveRefusal } from './move/file-mark.ts'

/** A data folder that cannot be used as it is; the message says what to do. */
export class DataFolderError extends Error {
  readonly locked: boolean
  constructor(message: string, options: { locked?: boolean } = {}) {
    super(message)
    this.name = 'DataFolderError'
    this.locked = options.locked ?? false
  }
}

const DATABASE = 'reeve.db'
const MARKER = 'instance.json'
const LOCK = 'reeve.lock'
const BACKUP_LOCK = 'backup.lock'
/** What may lie in a folder that is otherwise new. */
const HARMLESS = new Set(['lost+found', LOCK, `${LOCK}-journal`])

export interface DataFolder {
  readonly database: string
  /** Records that the folder holds an instance, so that a database that goes missing is never made anew. */
  readonly markInstance: (now: number) => void
  /** Gives the folder free for another process. */
  readonly release: () => void
}

/** The address of the socket on which the process that holds a folder takes commands. */
export const commandSocket = (folder: string): string => join(folder, 'reeve.sock')

/** Where the database of a folder lies. */
export const databaseIn = (folder: string): string => join(folder, DATABASE)

/** Whether it is written down in a folder that it belongs to an instance. */
export const hasMarker = (folder: string): boolean => existsSync(join(folder, MARKER))

/** Whether a folder holds an instance, be its database whole, lost, or on the way to it. */
export const hasInstance = (folder: string): boolean => {
  const database = databaseIn(folder)
  return existsSync(database) || hasMarker(folder) || existsSync(arrivingFor(database))
}

/** Why the instance of a folder cannot be used, because it was moved away or has not arrived; null where it can. */
export const whyMoved = (folder: string): string | null => moveRefusal(databaseIn(folder))

/** That the database of an instance is gone. */
export const missingDatabase = (folder: string): DataFolderError =>
  new DataFolderError(
    `${folder} belongs to an instance, but its database ${DATABASE} is missing. Put the file or a backup of it ` +
      `back (\`reeve restore --from <backup>\`); to begin anew on purpose, remove ${MARKER} as well.`,
  )

/**
 * Takes a data folder for this process: makes it where it is missing, locks it until `release` or the end of the
 * process, and refuses one that is not ours or has lost its database.
 * @throws DataFolderError with a sentence that says what to do; nothing was written then
 */
export function takeDataFolder(folder: string): DataFolder {
  const taken = takeFolder(folder)
  const moved = whyMoved(folder)
  if (moved === null && (!hasInstance(folder) || existsSync(taken.database))) return taken
  taken.release()
  throw moved === null ? missingDatabase(folder) : new DataFolderError(moved)
}

/** The same for a folder that is about to be given a database: it may have lost its own, or be one that was moved away. */
export function takeForRestore(folder: string): DataFolder {
  const taken = takeFolder(folder)
  const moved = existsSync(arrivingFor(taken.database)) ? whyMoved(folder) : null
  if (moved === null) return taken
  taken.release()
  throw new DataFolderError(moved)
}

/** The same whatever a move has left in it. */
export function takeFolder(folder: string): DataFolder {
  const database = databaseIn(folder)
  const marker = join(folder, MARKER)
  makeWritable(folder)
  refuseForeignFolder(folder)
  refuseShutFiles(folder)
  const lock = lockIn(folder, LOCK)
  if (lock === null) {
    throw new DataFolderError(
      `Another Reeve process is using ${folder}. Stop it first, or set REEVE_DATA_DIR to another folder.`,
      { locked: true },
    )
  }
  dropLeftovers(database)
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
export function takeBackupLock(folder: string): Pick<DataFolder, 'database' | 'release'> {
  const database = databaseIn(folder)
  const moved = whyMoved(folder)
  if (moved !== null) throw new DataFolderError(moved)
  if (!existsSync(database)) throw missingDatabase(folder)
  refuseOtherUser(database)
  const lock = lockIn(folder, BACKUP_LOCK)
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
export function refuseOtherUser(database: string): void {
  const owner = statSync(database, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.()) return
  throw new DataFolderError(
    `${database} belongs to the user with the number ${owner}: run this as that user, who runs the server.`,
  )
}

function makeWritable(folder: string): void {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (made !== undefined) keepFolders(resolve(made), resolve(folder))
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new DataFolderError(
      `The data folder ${folder} cannot be written to${why}. Give this user the right to, or set REEVE_DATA_DIR.`,
    )
  }
}

/** Tells the disk of folders just made, from the outermost to the innermost: a power cut takes none of them away. */
function keepFolders(outermost: string, innermost: string): void {
  for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder)) {
    syncFolder(dirname(folder))
  }
}

function refuseForeignFolder(folder: string): void {
  if (hasInstance(folder)) return
  const strangers = readdirSync(folder).filter((name) => !HARMLESS.has(name))
  if (strangers.length === 0) return
  throw new DataFolderError(
    `${folder} holds other files (${strangers.slice(0, 3).join(', ')}) and no Reeve database. ` +
      'Set REEVE_DATA_DIR to a folder of its own.',
  )
}

/** A database that may only be read would be opened and served, and every write would fail; so would its lock hold nobody. */
function refuseShutFiles(folder: string): void {
  for (const name of [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, LOCK]) {
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
function lockIn(folder: string, name: string): Engine | null {
  const lock = new Engine(join(folder, name), { create: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch {
    lock.close()
    return null
  }
}
