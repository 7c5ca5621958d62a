import type { AppError } from '@reeve/core'
import { errorCode, toUnavailable } from '../errors.ts'

/**
 * What the engine says where a file cannot be read, written or locked: trouble of the disk, not of the request. Extended
 * codes begin with these. Source: https://sqlite.org/rescode.html
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

/** The disk did not confirm what it was given: what is on it is not known any more. */
const FSYNC_ERROR_CODES = ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC']

/** Whether an error of the engine is trouble with its files, after which its transaction may be gone by itself. */
export const isStorageFailure = (error: unknown): boolean => {
  const code = errorCode(error)
  return FILE_ERROR_CODES.some((prefix) => code === prefix || code.startsWith(`${prefix}_`))
}

/** Whether the disk failed to confirm a write. A second try could succeed without the data: nothing can be built on it. */
export const isFsyncFailure = (error: unknown): boolean => FSYNC_ERROR_CODES.includes(errorCode(error))

/** Whether an error of the engine says that there is no room left for a write. */
export const isDiskFull = (error: unknown): boolean => errorCode(error) === 'SQLITE_FULL'

const FSYNC_FAILED =
  'The disk did not confirm this write, so it may or may not persist. Once the service is back, check, or retry with ' +
  'the same Idempotency-Key.'

/** The error of a write that storage failed: `unavailable`, with the engine's error as its cause. */
export const toSqliteUnavailable = (error: unknown): AppError =>
  toUnavailable(error, isFsyncFailure(error) ? { message: FSYNC_FAILED } : {})
