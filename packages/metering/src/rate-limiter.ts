import { AppError, MINUTE_MS } from '@reeve/core'
import QuickLRU from 'quick-lru'

/** Calls a minute; 0 is no limit. A sixth of it may come at once. */
export type RatePerMinute = number

interface Bucket {
  tokens: number
  refilledAt: number
}

/** How many callers are remembered: past it, those longest unseen are forgotten (their buckets were full). */
const MAX_BUCKETS = 100_000

export interface RateLimitHeaders {
  readonly policy: string
  readonly state: string
}

/** What other processes have not been told yet. */
interface PeerSync {
  readonly mustSync: (caller: string, perMinute: RatePerMinute) => boolean
  readonly record: (caller: string, perMinute: RatePerMinute) => void
}

/** A token bucket a caller, in memory. */
export class RateLimiter {
  readonly #buckets = new QuickLRU<string, Bucket>({ maxSize: MAX_BUCKETS })
  readonly #peers: PeerSync | null

  /** @param others null where this is the only process that lets calls through */
  constructor(peers: PeerSync | null) {
    this.#peers = peers
  }

  /**
   * Takes one call's worth.
   * @param now epoch milliseconds
   * @returns the values of `RateLimit-Policy` and `RateLimit`, or null where there is no limit
   * @throws AppError `rate_limited` with `Retry-After` and the same two fields
   */
  consume(caller: string, policy: string, perMinute: RatePerMinute, now: number): RateLimitHeaders | null {
    if (perMinute <= 0) return null
    const { bucket, burst, perMs } = this.#refill(caller, perMinute, now)
    const isAllowed = bucket.tokens >= 1 && !this.#peers?.mustSync(caller, perMinute)
    if (isAllowed) {
      bucket.tokens -= 1
      this.#peers?.record(caller, perMinute)
    }
    const secondsUntilFull = Math.ceil((burst - bucket.tokens) / perMs / 1000)
    const headers = {
      policy: `"${policy}";q=${perMinute};w=60`,
      state: `"${policy}";r=${Math.max(0, Math.floor(bucket.tokens))};t=${secondsUntilFull}`,
    }
    if (isAllowed) return headers
    const retryAfter = Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000))
    throw new AppError('rate_limited', {
      headers: {
        'retry-after': String(retryAfter),
        'ratelimit-policy': headers.policy,
        ratelimit: headers.state,
      },
    })
  }

  /** Takes what another process let a caller through with, even where it is more than there is: then the caller owes it. */
  applyRemoteUsage(caller: string, requests: number, perMinute: RatePerMinute, now: number): void {
    this.#refill(caller, perMinute, now).bucket.tokens -= requests
  }

  /** The bucket of a caller as it is now. */
  #refill(caller: string, perMinute: RatePerMinute, now: number) {
    const burst = Math.max(1, Math.floor(perMinute / 6))
    const perMs = perMinute / MINUTE_MS
    const bucket = this.#getBucket(caller, burst, now)
    bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.refilledAt) * perMs)
    bucket.refilledAt = now
    return { bucket, burst, perMs }
  }

  #getBucket(caller: string, burst: number, now: number): Bucket {
    const existing = this.#buckets.get(caller)
    if (existing) return existing
    const created = { tokens: burst, refilledAt: now }
    this.#buckets.set(caller, created)
    return created
  }
}
