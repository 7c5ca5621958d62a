import { AppError } from '@reeve/core'

/**
 * What the engine says where a file cannot be read, written or locked: trouble of the disk, not of the request. Extended
 * codes begin with these. Source: https://sqlite.org/rescode.html
 */
const TROUBLE = [
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_PROTOCOL',
]

/** The disk did not confirm what it was given: what is on it is not known any more. */
const SYNC_FAILURES = ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC']

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether an error of the engine is trouble with its files, after which its transaction may be gone by itself. */
export const isStorageFailure = (error: unknown): boolean => {
  const code = codeOf(error)
  return TROUBLE.some((known) => code === known || code.startsWith(`${known}_`))
}

/** Whether the disk failed to confirm a write. A second try could succeed without the data: nothing can be built on it. */
export const isSyncFailure = (error: unknown): boolean => SYNC_FAILURES.includes(codeOf(error))

/** Whether an error of the engine says that there is no room left for a write. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === 'SQLITE_FULL'

const UNCONFIRMED =
  'The disk did not confirm this write, so it is not known whether it will last. Once the service is back, look, or ' +
  'repeat the request under the same Idempotency-Key.'
const BROKE_OFF =
  'The connection to the database broke during this write, so it is not known whether it happened. Look, or repeat the ' +
  'request under the same Idempotency-Key.'

/** What whoever waits for a write is told where storage failed: `unavailable`, with the engine's error as its cause. */
export const unavailable = (error: unknown): AppError =>
  toldOf(error, isSyncFailure(error) ? { message: UNCONFIRMED } : {})

/** The same where the connection to a server broke during the commit. */
export const unconfirmed = (error: unknown): AppError => toldOf(error, { message: BROKE_OFF })

function toldOf(error: unknown, more: { message?: string }): AppError {
  const told = new AppError('unavailable', { headers: { 'retry-after': '1' }, ...more })
  told.cause = error
  return told
}
