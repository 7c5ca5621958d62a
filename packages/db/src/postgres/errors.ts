import { DatabaseError } from 'pg'
import { errorCode } from '../errors.ts'

/** The server accepts connections or keeps them open, but does not respond: it hangs, or the network drops everything. */
export class ServerNotResponding extends Error {
  /** Whether the request was sent, so that the server may still execute it. */
  readonly wasSent: boolean
  constructor({ wasSent }: { readonly wasSent: boolean }) {
    super('the database does not respond')
    this.name = 'ServerNotResponding'
    this.wasSent = wasSent
  }
}

// SQLSTATE codes. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** A serialization failure or a deadlock: a retry may succeed. */
const isTransactionConflict = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error))

/** The error of a statement that was sent behind one that has failed. */
export const isAfterFailure = (error: unknown): boolean => errorCode(error) === '25P02'

/** The server is shutting down, is starting, or has terminated the connection. */
const CONNECTION_ENDED_CODES = ['57P01', '57P02', '57P03', '25P03']

/**
 * The server accepts only reads: it is a standby, was made read-only before another one takes over, or its disk is full. The URL may already lead
 * to another server, so the connection must not be used any more.
 */
export const isReadOnlyServer = (error: unknown): boolean => errorCode(error) === '25006'

/** Messages of the driver, which have no code: for a connection that breaks, and for one that was already closed. */
const TERMINATED_MESSAGE = /^Connection terminated/
const ALREADY_CLOSED_MESSAGE = /^Client (has encountered a connection error|was closed)/

/** Whether nothing was sent, because the connection was already closed or the server does not respond. */
export const wasNotSent = (error: unknown): boolean =>
  error instanceof ServerNotResponding
    ? !error.wasSent
    : error instanceof Error && ALREADY_CLOSED_MESSAGE.test(error.message)

/** No response within the timeout: the network connection or the server is dead. */
const isResponseTimeout = (error: unknown): boolean =>
  error instanceof ServerNotResponding ||
  (error instanceof Error && /^(Query read timeout|.* due to connection timeout)$/.test(error.message))

/** A prepared statement whose result type a migration has changed. A new connection prepares it again. */
const isStalePlan = (error: DatabaseError): boolean =>
  error.code === '0A000' && error.message.startsWith('cached plan')

/**
 * The server or a pooler has no connection left for this user, this database or anyone. PgBouncer reports its own limits without a
 * code: https://www.pgbouncer.org/config.html#max_client_conn
 */
export const isConnectionDenied = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.code === '53300' || /^no more connections allowed|too many clients already/.test(error.message))

/** Whether the connection is lost or unusable, and its transaction with it. */
export const isConnectionLost = (error: unknown): boolean => {
  const code = errorCode(error)
  if (error instanceof DatabaseError)
    return code.startsWith('08') || CONNECTION_ENDED_CODES.includes(code) || isStalePlan(error)
  if (isResponseTimeout(error)) return true
  return (
    error instanceof Error &&
    (/^E[A-Z_]+$/.test(code) || TERMINATED_MESSAGE.test(error.message) || wasNotSent(error))
  )
}

/** Whether a retry on another connection may succeed in time for the request. */
export const isRetryable = (error: unknown): boolean =>
  isTransactionConflict(error) ||
  isReadOnlyServer(error) ||
  (isConnectionLost(error) && !isResponseTimeout(error))

/** A timeout of a lock, a statement or the connection pool, or a server without disk space, memory or connections. */
const isResourceExhausted = (error: unknown): boolean =>
  ['55P03', '57014'].includes(errorCode(error)) ||
  /^(53|58)/.test(errorCode(error)) ||
  (error instanceof Error && /^timeout e/.test(error.message))

/** Whether an error comes from the server or the network, not from the request. */
export const isServerError = (error: unknown): boolean =>
  isConnectionLost(error) ||
  isTransactionConflict(error) ||
  isReadOnlyServer(error) ||
  isResourceExhausted(error)
