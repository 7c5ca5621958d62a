import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../errors.ts'
import { fsyncFolder } from '../fsync.ts'
import { isReadOnlyFileSystem, READ_ONLY_ADVICE, readOnlyFileSystemMessage } from './errors.ts'

/** A data folder that cannot be used; the message says what to do. */
export class DataFolderError extends Error {
  /** Whether another process holds the lock. */
  readonly locked: boolean
  constructor(message: string, options: { locked?: boolean } = {}) {
    super(message)
    this.name = 'DataFolderError'
    this.locked = options.locked ?? false
  }
}

/** Whether this user may see what is in a folder. True for a folder that does not exist. */
export function canEnterFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch (error) {
    return errorCode(error) !== 'EACCES'
  }
}

/** The error for a folder that this user may not see: whatever is in it would seem to be missing. */
export const inaccessibleFolderError = (folder: string): DataFolderError =>
  isFile(folder)
    ? notAFolderError(folder)
    : new DataFolderError(
        `Permission denied: this user cannot read ${folder}. Run this command as the user that runs the server (sudo -u <user> reeve …).`,
      )

/** Whether a path is that of a file, or leads through one. */
function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory()
  } catch (error) {
    return errorCode(error) === 'ENOTDIR'
  }
}

const notAFolderError = (path: string): DataFolderError =>
  new DataFolderError(`${path} is not a folder, or a part of its path is not. Choose another path.`)

/** Creates a folder that does not exist. @throws DataFolderError if this user cannot write to it */
export function ensureWritable(folder: string): void {
  try {
    const firstCreated = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (firstCreated !== undefined) fsyncNewFolders(resolve(firstCreated), resolve(folder))
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (isReadOnlyFileSystem(error))
      throw new DataFolderError(`${readOnlyFileSystemMessage(folder)} ${READ_ONLY_ADVICE}`)
    if (isFile(folder)) throw notAFolderError(folder)
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new DataFolderError(
      `The data folder ${folder} cannot be written to${reason}. Grant this user write permission, or set REEVE_DATA_DIR.`,
    )
  }
}

/** Syncs new folders, so that they survive a power failure. */
function fsyncNewFolders(outermost: string, innermost: string): void {
  for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder)) {
    fsyncFolder(dirname(folder))
  }
}
