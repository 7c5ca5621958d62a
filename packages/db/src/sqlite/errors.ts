import type { AppError } from '@reeve/core'
import { errorCode, toUnavailable } from '../errors.ts'

/**
 * The result codes for a file that cannot be read, written or locked: a failure of the disk, not of the request. Extended
 * result codes begin with these. Source: https://sqlite.org/rescode.html
 */
const FILE_ERROR_CODES = [
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_PROTOCOL',
]

/** A failed fsync: the content of the disk is unknown from then on. */
const FSYNC_ERROR_CODES = ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC']

/** Whether an error comes from the database files. SQLite may have rolled back the transaction by itself then. */
export const isStorageFailure = (error: unknown): boolean => {
  const code = errorCode(error)
  return FILE_ERROR_CODES.some((prefix) => code === prefix || code.startsWith(`${prefix}_`))
}

/** Whether an fsync failed. A retry could succeed without having written the data, so it proves nothing. */
export const isFsyncFailure = (error: unknown): boolean => FSYNC_ERROR_CODES.includes(errorCode(error))

/** Whether another program holds a lock of the file. */
export const isDatabaseLocked = (error: unknown): boolean => errorCode(error).startsWith('SQLITE_BUSY')

/** Whether an error says that the content of the file is not a database, or one with damaged pages. */
export const isDamagedDatabase = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error))

/** Whether an error of SQLite or of the operating system says that the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(errorCode(error))

/** Whether an error says that the disk fails, or is too full for the files that SQLite needs next to a database. */
export const isDiskFailure = (error: unknown): boolean => errorCode(error).startsWith('SQLITE_IOERR')

const FSYNC_FAILED =
  'The disk did not confirm this write, so it may or may not persist. Once the service is back, check, or retry with ' +
  'the same Idempotency-Key.'

/** The error for a write that failed because of the database files: `unavailable`, with the engine's error as its cause. */
export const toSqliteUnavailable = (error: unknown): AppError =>
  toUnavailable(error, isFsyncFailure(error) ? { message: FSYNC_FAILED } : {})

/** Whether an error of the operating system says that a file system accepts no writes from anyone. */
export const isReadOnlyFileSystem = (error: unknown): boolean => errorCode(error) === 'EROFS'

export const readOnlyFileSystemMessage = (folder: string): string =>
  `The file system of ${folder} is read-only (EROFS).`

/** What to do about a read-only file system. Source: errors=remount-ro in ext4(5). */
export const READ_ONLY_ADVICE =
  'Linux makes a file system read-only after a disk error: check the disk (sudo dmesg), then remount it. The data may be intact.'

/** How to get a backup of it that SQLite cannot create there. */
export const RESCUE_ADVICE =
  'To have a backup before that, copy the folder to another disk, and run `reeve backup --data-dir <copy>`.'
