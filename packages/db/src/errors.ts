import { AppError } from '@reeve/core'

/** A database server that cannot be used as configured; the message says what to do. */
export class DatabaseServerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DatabaseServerError'
  }
}

/** The error code of an engine, its driver or the operating system; empty where an error has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The error codes of every engine for a unique index or primary key that rejects a row. */
const UNIQUE_VIOLATION_CODES = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']

/** Whether a unique index or primary key rejected a row, on any engine. */
export const isUniqueViolation = (error: unknown): boolean =>
  UNIQUE_VIOLATION_CODES.includes(errorCode(error))

/** Reports an error as uncaught without interrupting the caller. */
export const reportUncaught = (error: unknown): void =>
  queueMicrotask(() => {
    throw error
  })

/** How many writes may wait at the same time. */
export const MAX_QUEUED_WRITES = 10_000

/** The error for a write over `MAX_QUEUED_WRITES`. */
export const queueFullError = (): AppError => new AppError('unavailable', { headers: { 'retry-after': '1' } })

const CONNECTION_LOST =
  'The database connection was lost during the commit, so the change may or may not have been applied. Check, or ' +
  'retry with the same Idempotency-Key.'

/** The error for a request that failed because of the storage: `unavailable`, with the engine's error as its cause. */
export function toUnavailable(error: unknown, options: { message?: string } = {}): AppError {
  const appError = new AppError('unavailable', { headers: { 'retry-after': '1' }, ...options })
  appError.cause = error
  return appError
}

/** The error for a write whose connection was lost during the commit: `unavailable`, and it says that the outcome is unknown. */
export const toUnconfirmed = (error: unknown): AppError => toUnavailable(error, { message: CONNECTION_LOST })
