import { Follower, type Read, type Sanctions } from './follower.ts'

/** How long a program pauses that could not connect. */
const RECONNECT_MS = 20

/** The server is not there at the moment: it was killed, or is starting. */
export class Unreachable extends Error {}

/** A follower that always waits for the next change, as programs do, whatever happens to the servers meanwhile. */
export interface WaitingFollower {
  readonly listSanctions: () => Sanctions
  /** When the request that is in progress was sent, on the clock of `performance`. */
  readonly getRequestedAt: () => number
  /** When the last request was sent after which there were no more changes. */
  readonly getUpToDateAt: () => number
  /** @throws Error if the server has responded with anything unexpected */
  readonly stop: () => Promise<void>
}

/** @param read sends a read to one of the servers until the signal is aborted @throws Unreachable in `read` */
export function startWaitingFollower(read: (signal: AbortSignal) => Read): WaitingFollower {
  const stopped = new AbortController()
  const readUntilStopped = read(stopped.signal)
  let requestedAt = performance.now()
  let upToDateAt = Number.NEGATIVE_INFINITY
  const follower = new Follower((path, query) => {
    requestedAt = performance.now()
    return readUntilStopped(path, query)
  })

  async function follow(): Promise<void> {
    for (let usesIds = true; !stopped.signal.aborted; usesIds = !usesIds)
      try {
        await follower.catchUp(usesIds, '25')
        upToDateAt = requestedAt
      } catch (error) {
        if (stopped.signal.aborted) return
        if (!(error instanceof Unreachable)) throw error
        await Bun.sleep(RECONNECT_MS)
      }
  }
  const running = follow()
  // It is reported by `stop`.
  running.catch(() => {})
  return {
    listSanctions: () => follower.listSanctions(),
    getRequestedAt: () => requestedAt,
    getUpToDateAt: () => upToDateAt,
    async stop() {
      stopped.abort()
      await running
    },
  }
}
