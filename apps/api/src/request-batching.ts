import { createTurnQueue } from '@reeve/db'
import { BODY_LIMIT, readContentLength } from '@reeve/http'

/** How long after a read with an API key others are expected, in milliseconds. */
const RECENT_MS = 1000

/** Whether a game server waits for this: a read with an API key. */
const isServerRead = ({ method, headers, url }: Request): boolean =>
  (method === 'GET' || url.endsWith('/moderation/check')) && headers.has('authorization')

/** Whether the request has a body that the server buffers while it arrives, until the request begins and it may be rejected. */
const hasLargeBody = (request: Request): boolean =>
  Number(readContentLength(request)) > BODY_LIMIT || request.headers.has('transfer-encoding')

/** Decides when requests begin. */
export interface RequestBatcher {
  /** Resolves when a request may begin. */
  readonly waitForTurn: (request: Request) => Promise<void>
  /** Whether game servers are asking at the moment, so that work in the background lets them go first. */
  readonly hasRecentReads: () => boolean
}

/**
 * Batches the requests that arrive in one event loop turn, so that they run each processing step together and share the CPU's
 * instruction cache. Measured with 64 connections that check bans: 34 µs of CPU time per request, and 58 µs without batching.
 *
 * Reads with an API key, such as ban checks, and requests with large bodies begin before all others: the first of a turn at once,
 * because a turn with writes can take milliseconds, and the rest in the next turn. The others begin in the order of their arrival,
 * one per turn, so that a check never waits for hundreds of browsers that reconnect, or for all pending writes.
 */
export function createRequestBatcher(): RequestBatcher {
  let lastReadAt = Number.NEGATIVE_INFINITY
  const atOnce = Promise.resolve()
  let waiting: Promise<void> | null = null
  const waitAsOther = createTurnQueue()

  return {
    waitForTurn(request) {
      const isRead = isServerRead(request)
      if (isRead) lastReadAt = performance.now()
      if (!isRead && !hasLargeBody(request)) return waitAsOther()
      if (waiting !== null) return waiting
      waiting = new Promise((resolve) =>
        setImmediate(() => {
          waiting = null
          resolve()
        }),
      )
      return atOnce
    },
    hasRecentReads: () => performance.now() - lastReadAt < RECENT_MS,
  }
}
