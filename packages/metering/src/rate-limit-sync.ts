import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { RateLimiter, type RatePerMinute } from './rate-limiter.ts'

/** How much of a minute a caller may take at one process before the others have been told. */
const MAX_PENDING_SHARE = 0.1
/** How often a process says that it is there, and how long it counts as there. */
const HEARTBEAT_MS = 1000
const PEER_TIMEOUT_MS = 3000
/** How many callers are told of in one line. */
const CALLERS_PER_MESSAGE = 50

/** A caller, the calls it was let through with, and its rate. */
type CallerUsage = readonly [caller: string, calls: number, perMinute: RatePerMinute]

/** What callers took at this process since the others were told last. */
export class PendingUsage {
  #usage = new Map<string, { calls: number; readonly perMinute: RatePerMinute }>()
  #sentAt = Number.NEGATIVE_INFINITY
  #peersUntil = Number.NEGATIVE_INFINITY

  record(caller: string, perMinute: RatePerMinute): void {
    const existing = this.#usage.get(caller)
    if (existing) existing.calls += 1
    else this.#usage.set(caller, { calls: 1, perMinute })
  }

  /** Whether the others have to hear of a caller before it may go on. */
  mustSync(caller: string, perMinute: RatePerMinute): boolean {
    const calls = this.#usage.get(caller)?.calls ?? 0
    return calls >= Math.max(1, perMinute * MAX_PENDING_SHARE) && performance.now() < this.#peersUntil
  }

  /** Another process has been heard. */
  markPeerSeen(): void {
    this.#peersUntil = performance.now() + PEER_TIMEOUT_MS
  }

  /** What there is to tell, as lines, and forgets it; one that is empty says that this process is there. */
  drainMessages(): string[] {
    const now = performance.now()
    if (this.#usage.size === 0 && now - this.#sentAt < HEARTBEAT_MS) return []
    const entries = [...this.#usage].map(
      ([caller, { calls, perMinute }]): CallerUsage => [caller, calls, perMinute],
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
 * A rate limiter that knows what other processes over the same database let through.
 * @returns the limiter, and what tells the others: called several times a second
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
    for (const [caller, calls, perMinute] of JSON.parse(message) as CallerUsage[])
      rateLimiter.applyRemoteUsage(caller, calls, perMinute, ports.now())
  })
  return {
    rateLimiter,
    async broadcastUsage() {
      const messages = pendingUsage.drainMessages()
      // What cannot be told now would be wrong by the time that it can.
      if (messages.length > 0) await db.broadcast(messages).catch(() => {})
    },
  }
}
