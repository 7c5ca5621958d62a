import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { RateLimiter, type RatePerMinute } from './rate-limiter.ts'

/** The share of a caller's rate per minute that one process allows before it broadcasts the usage. */
const MAX_PENDING_SHARE = 0.1
/** How often a process sends a heartbeat, and how long after one it counts as alive. */
const HEARTBEAT_MS = 1000
const PEER_TIMEOUT_MS = 3000
/** Maximum number of callers per message. */
const CALLERS_PER_MESSAGE = 50

/** A caller, the number of its requests that were allowed (a costly one counts several times), and its rate. */
type CallerUsage = readonly [caller: string, requests: number, perMinute: RatePerMinute]

/** The requests that this process has allowed since the last broadcast. */
export class PendingUsage {
  #usage = new Map<string, { requests: number; readonly perMinute: RatePerMinute }>()
  #sentAt = Number.NEGATIVE_INFINITY
  #peersUntil = Number.NEGATIVE_INFINITY

  record(caller: string, perMinute: RatePerMinute, requests = 1): void {
    const existing = this.#usage.get(caller)
    if (existing) existing.requests += requests
    else this.#usage.set(caller, { requests, perMinute })
  }

  /** Whether the usage of a caller must be broadcast before it gets more requests. */
  mustSync(caller: string, perMinute: RatePerMinute): boolean {
    const requests = this.#usage.get(caller)?.requests ?? 0
    return requests >= Math.max(1, perMinute * MAX_PENDING_SHARE) && performance.now() < this.#peersUntil
  }

  /** Records a message of another process. */
  markPeerSeen(): void {
    this.#peersUntil = performance.now() + PEER_TIMEOUT_MS
  }

  /** Returns the messages to broadcast and clears the usage. An empty list of callers is a heartbeat. */
  drainMessages(): string[] {
    const now = performance.now()
    if (this.#usage.size === 0 && now - this.#sentAt < HEARTBEAT_MS) return []
    const entries = [...this.#usage].map(
      ([caller, { requests, perMinute }]): CallerUsage => [caller, requests, perMinute],
    )
    this.#usage = new Map()
    this.#sentAt = now
    const messages: string[] = []
    for (let start = 0; start === 0 || start < entries.length; start += CALLERS_PER_MESSAGE) {
      messages.push(JSON.stringify(entries.slice(start, start + CALLERS_PER_MESSAGE)))
    }
    return messages
  }
}

/**
 * Creates a rate limiter that is shared by all processes of the same database.
 * @returns the limiter, and a function to call several times a second, which broadcasts the usage of this process
 */
export function openRateLimiter(
  db: Database,
  ports: Ports,
): { rateLimiter: RateLimiter; broadcastUsage: () => Promise<void> } {
  if (!db.isShared) return { rateLimiter: new RateLimiter(null), broadcastUsage: async () => {} }
  const pendingUsage = new PendingUsage()
  const rateLimiter = new RateLimiter(pendingUsage)
  db.onBroadcast((message) => {
    pendingUsage.markPeerSeen()
    for (const [caller, requests, perMinute] of JSON.parse(message) as CallerUsage[])
      rateLimiter.applyRemoteUsage(caller, requests, perMinute, ports.now())
  })
  return {
    rateLimiter,
    async broadcastUsage() {
      const messages = pendingUsage.drainMessages()
      // A failed broadcast is not retried: the usage would be out of date.
      if (messages.length > 0) await db.broadcast(messages).catch(() => {})
    },
  }
}
