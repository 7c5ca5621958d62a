import { DatabaseError } from 'pg'
import { errorCode } from '../errors.ts'

// SQLSTATE codes. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** Two units stood in each other's way, and the server ended this one: the same again may well succeed. */
const isTransactionConflict = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error))

/** The server told that it stops, starts, or has ended this connection. */
const CONNECTION_ENDED_CODES = ['57P01', '57P02', '57P03', '25P03']

/** What the driver says itself, without a code: of a connection that broke, and of one that was broken before. */
const TERMINATED_MESSAGE = /^Connection terminated/
const ALREADY_CLOSED_MESSAGE = /^Client (has encountered a connection error|was closed)/

/** Whether the connection was known to be gone, so that nothing was sent at all. */
export const wasDisconnected = (error: unknown): boolean =>
  error instanceof Error && ALREADY_CLOSED_MESSAGE.test(error.message)

/** The server said nothing for so long that it is waited for no longer: the line to it is dead, or it is. */
const isResponseTimeout = (error: unknown): boolean =>
  error instanceof Error && /^(Query read timeout|.* due to connection timeout)$/.test(error.message)

/** A statement was prepared before a newer version changed what it answers: on a new connection it is prepared anew. */
const isStalePlan = (error: DatabaseError): boolean =>
  error.code === '0A000' && error.message.startsWith('cached plan')

/** Whether the connection is gone or of no use any more, and with it whatever was begun on it. */
export const isConnectionLost = (error: unknown): boolean => {
  const code = errorCode(error)
  if (error instanceof DatabaseError)
    return code.startsWith('08') || CONNECTION_ENDED_CODES.includes(code) || isStalePlan(error)
  if (isResponseTimeout(error)) return true
  return (
    error instanceof Error &&
    (/^E[A-Z_]+$/.test(code) || TERMINATED_MESSAGE.test(error.message) || wasDisconnected(error))
  )
}

/** Whether the same on another connection may go better, and soon enough for whoever waits. */
export const isRetryable = (error: unknown): boolean =>
  isTransactionConflict(error) || (isConnectionLost(error) && !isResponseTimeout(error))

/** A lock, a statement or a free connection took too long, or the server has no room, memory or connection left. */
const isResourceExhausted = (error: unknown): boolean =>
  ['55P03', '57014'].includes(errorCode(error)) ||
  /^(53|58)/.test(errorCode(error)) ||
  (error instanceof Error && /^timeout e/.test(error.message))

/** Whether an error is trouble of the server or of the way to it, not of the request. */
export const isServerError = (error: unknown): boolean =>
  isConnectionLost(error) || isTransactionConflict(error) || isResourceExhausted(error)
