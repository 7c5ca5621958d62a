import { DatabaseError } from 'pg'

/** The server's word for what went wrong. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Two units stood in each other's way, and the server ended this one: the same again may well succeed. */
const isCollision = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** The server told that it stops, starts, or has ended this connection. */
const ENDED = ['57P01', '57P02', '57P03', '25P03']

/** What the driver says itself, without a code: of a connection that broke, and of one that was broken before. */
const GONE = /^Connection terminated/
const WAS_GONE = /^Client (has encountered a connection error|was closed)/

/** Whether the connection was known to be gone, so that nothing was sent at all. */
export const wasLost = (error: unknown): boolean => error instanceof Error && WAS_GONE.test(error.message)

/** The server said nothing for so long that it is waited for no longer: the line to it is dead, or it is. */
const isSilence = (error: unknown): boolean =>
  error instanceof Error && /^(Query read timeout|.* due to connection timeout)$/.test(error.message)

/** A statement was prepared before a newer version changed what it answers: on a new connection it is prepared anew. */
const isOutdated = (error: DatabaseError): boolean =>
  error.code === '0A000' && error.message.startsWith('cached plan')

/** Whether the connection is gone or of no use any more, and with it whatever was begun on it. */
export const isLost = (error: unknown): boolean => {
  const code = codeOf(error)
  if (error instanceof DatabaseError)
    return code.startsWith('08') || ENDED.includes(code) || isOutdated(error)
  if (isSilence(error)) return true
  return error instanceof Error && (/^E[A-Z_]+$/.test(code) || GONE.test(error.message) || wasLost(error))
}

/** Whether the same on another connection may go better, and soon enough for whoever waits. */
export const mayGoBetter = (error: unknown): boolean =>
  isCollision(error) || (isLost(error) && !isSilence(error))

/** A lock, a statement or a free connection took too long, or the server has no room, memory or connection left. */
const isScarcity = (error: unknown): boolean =>
  ['55P03', '57014'].includes(codeOf(error)) ||
  /^(53|58)/.test(codeOf(error)) ||
  (error instanceof Error && /^timeout e/.test(error.message))

/** Whether an error is trouble of the server or of the way to it, not of the request. */
export const isTrouble = (error: unknown): boolean => isLost(error) || isCollision(error) || isScarcity(error)
