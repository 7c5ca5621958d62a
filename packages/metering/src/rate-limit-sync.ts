import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { getBurst, RateLimiter, type RatePerMinute } from './rate-limiter.ts'

/** How often a process sends a heartbeat, and how long after one it counts as alive. */
const HEARTBEAT_MS = 1000
const PEER_TIMEOUT_MS = 3000
/** Maximum number of callers per message. */
const CALLERS_PER_MESSAGE = 50

/** A caller, the number of its requests that were allowed (a costly one counts several times), and its rate. */
type CallerUsage = readonly [caller: string, requests: number, perMinute: RatePerMinute]

type UsageByCaller = Map<string, { requests: number; readonly perMinute: RatePerMinute }>

/** The requests that this process has allowed and that other processes may not have counted yet. */
export class PendingUsage {
  #usage: UsageByCaller = new Map()
  /** The part of the last messages, until they have been broadcast. */
  #sentUsage: UsageByCaller = new Map()
  #sentAt = Number.NEGATIVE_INFINITY
  #peersUntil = Number.NEGATIVE_INFINITY

  record(caller: string, perMinute: RatePerMinute, requests = 1): void {
    const existing = this.#usage.get(caller)
    if (existing) existing.requests += requests
    else this.#usage.set(caller, { requests, perMinute })
  }

  /** Whether the usage of a caller, a whole burst, must be broadcast before it gets more requests. */
  mustSync(caller: string, perMinute: RatePerMinute): boolean {
    const getRequests = (usage: UsageByCaller) => usage.get(caller)?.requests ?? 0
    const requests = getRequests(this.#usage) + getRequests(this.#sentUsage)
    return requests >= getBurst(perMinute) && performance.now() < this.#peersUntil
  }

  /** Records a message of another process. */
  markPeerSeen(): void {
    this.#peersUntil = performance.now() + PEER_TIMEOUT_MS
  }

  /** Returns the messages to broadcast, after which `confirmBroadcast` is due. An empty list of callers is a heartbeat. */
  drainMessages(): string[] {
    const now = performance.now()
    if (this.#usage.size === 0 && now - this.#sentAt < HEARTBEAT_MS) return []
    const entries = [...this.#usage].map(
      ([caller, { requests, perMinute }]): CallerUsage => [caller, requests, perMinute],
    )
    this.#sentUsage = this.#usage
    this.#usage = new Map()
    this.#sentAt = now
    const messages: string[] = []
    for (let start = 0; start === 0 || start < entries.length; start += CALLERS_PER_MESSAGE) {
      messages.push(JSON.stringify(entries.slice(start, start + CALLERS_PER_MESSAGE)))
    }
    return messages
  }

  /** Records that every process counts the usage in the last messages before that of any later message. */
  confirmBroadcast(): void {
    this.#sentUsage = new Map()
  }
}

/** The usage in a message of another process; none in a message of another version. */
function parseUsage(message: string): readonly CallerUsage[] {
  const usage: unknown = JSON.parse(message)
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
  const isUsage = (entry: unknown): entry is CallerUsage =>
    Array.isArray(entry) && typeof entry[0] === 'string' && isCount(entry[1]) && isCount(entry[2])
  return Array.isArray(usage) ? usage.filter(isUsage) : []
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
    for (const [caller, requests, perMinute] of parseUsage(message))
      rateLimiter.applyRemoteUsage(caller, requests, perMinute, ports.now())
  })
  return {
    rateLimiter,
    async broadcastUsage() {
      const messages = pendingUsage.drainMessages()
      if (messages.length === 0) return
      // A failed broadcast is not retried: the usage would be out of date.
      await db.broadcast(messages).catch(() => {})
      pendingUsage.confirmBroadcast()
    },
  }
}
