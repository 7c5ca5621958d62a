import { toUnavailable } from '../errors.ts'
import { ServerNotResponding } from './errors.ts'
import type { Ping } from './ping.ts'

/** A request without a response for this long makes us check whether the server responds at all. */
const SLOW_MS = 2000
/** How often a server that does not respond is checked again. */
const PROBE_MS = 500

/** Rejects requests at once while the server does not respond, instead of letting each one wait for its timeout. */
export interface Availability {
  /**
   * Sends a request to the server.
   * @throws ServerNotResponding while the server does not respond, also to requests that it has received
   */
  readonly run: <Result>(request: () => Promise<Result>) => Promise<Result>
  /** @throws AppError `unavailable` while the server does not respond */
  readonly assertAvailable: () => void
  readonly end: () => void
}

/** @param ping checks whether the server responds, on a connection of its own */
export function createAvailability(ping: Pick<Ping, 'check'>): Availability {
  /** When each pending request was sent, by the function that rejects it. In the order of sending. */
  const pending = new Map<(error: Error) => void, number>()
  let isDown = false
  let timer: ReturnType<typeof setTimeout> | null = null
  let hasEnded = false

  const schedule = (check: () => Promise<void>, delayMs: number) => {
    if (!hasEnded) timer = setTimeout(() => void check(), delayMs)
  }

  const hasSlowRequest = () => {
    const [oldest] = pending.values()
    return oldest !== undefined && performance.now() - oldest >= SLOW_MS
  }

  async function checkPending(): Promise<void> {
    timer = null
    if (hasSlowRequest()) await ping.check().catch(markDown)
    if (!isDown && pending.size > 0) schedule(checkPending, SLOW_MS)
  }

  function markDown(): void {
    // The server may have responded to the requests while the check itself was waiting.
    if (!hasSlowRequest()) return
    isDown = true
    for (const reject of pending.keys()) reject(new ServerNotResponding({ wasSent: true }))
    pending.clear()
    schedule(probe, PROBE_MS)
  }

  async function probe(): Promise<void> {
    try {
      await ping.check()
      isDown = false
      timer = null
    } catch {
      schedule(probe, PROBE_MS)
    }
  }

  return {
    run(request) {
      if (isDown) return Promise.reject(new ServerNotResponding({ wasSent: false }))
      return new Promise((resolve, reject) => {
        pending.set(reject, performance.now())
        if (timer === null) schedule(checkPending, SLOW_MS)
        const settle = () => pending.delete(reject)
        request().finally(settle).then(resolve, reject)
      })
    },
    assertAvailable() {
      if (isDown) throw toUnavailable(new ServerNotResponding({ wasSent: false }))
    },
    end() {
      hasEnded = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
