import { AppError, MINUTE_MS } from '@reeve/core'
import QuickLRU from 'quick-lru'

/** Requests per minute; 0 is unlimited. Bursts of up to one sixth are allowed. */
export type RatePerMinute = number

/** How many requests at once a rate allows. */
export const getBurst = (perMinute: RatePerMinute): number => Math.max(1, Math.floor(perMinute / 6))

interface Bucket {
  tokens: number
  refilledAt: number
}

/** Maximum number of buckets in memory. The least recently used ones are evicted; their buckets are full by then. */
const MAX_BUCKETS = 100_000

export interface RateLimitHeaders {
  readonly policy: string
  readonly state: string
}

/** Usage that other processes do not know of yet. */
interface PeerSync {
  readonly mustSync: (caller: string, perMinute: RatePerMinute) => boolean
  readonly record: (caller: string, perMinute: RatePerMinute, requests: number) => void
}

/** An in-memory token bucket per caller. */
export class RateLimiter {
  readonly #buckets = new QuickLRU<string, Bucket>({ maxSize: MAX_BUCKETS })
  readonly #peers: PeerSync | null

  /** @param peers null if no other process serves the same database */
  constructor(peers: PeerSync | null) {
    this.#peers = peers
  }

  /**
   * Takes the tokens of a request.
   * @param now epoch milliseconds
   * @param cost how many; at most the burst, so that a caller with a low rate can send the request too
   * @returns the values of the headers `RateLimit-Policy` and `RateLimit`; null without a limit
   * @throws AppError `rate_limited` with `Retry-After` and these two headers
   */
  consume(
    caller: string,
    policy: string,
    perMinute: RatePerMinute,
    now: number,
    cost = 1,
  ): RateLimitHeaders | null {
    if (perMinute <= 0) return null
    const { bucket, burst, perMs } = this.#refill(caller, perMinute, now)
    const tokens = Math.min(cost, burst)
    const isAllowed = bucket.tokens >= tokens && !this.#peers?.mustSync(caller, perMinute)
    if (isAllowed) {
      bucket.tokens -= tokens
      this.#peers?.record(caller, perMinute, tokens)
    }
    const secondsUntilFull = Math.ceil((burst - bucket.tokens) / perMs / 1000)
    const headers = {
      policy: `"${policy}";q=${perMinute};w=60`,
      state: `"${policy}";r=${Math.max(0, Math.floor(bucket.tokens))};t=${secondsUntilFull}`,
    }
    if (isAllowed) return headers
    const retryAfter = Math.max(1, Math.ceil((tokens - bucket.tokens) / perMs / 1000))
    throw new AppError('rate_limited', {
      headers: {
        'retry-after': String(retryAfter),
        'ratelimit-policy': headers.policy,
        ratelimit: headers.state,
      },
    })
  }

  /** Subtracts the requests that another process allowed. The balance can become negative. */
  applyRemoteUsage(caller: string, requests: number, perMinute: RatePerMinute, now: number): void {
    this.#refill(caller, perMinute, now).bucket.tokens -= requests
  }

  /** The bucket of a caller, refilled up to `now`. */
  #refill(caller: string, perMinute: RatePerMinute, now: number) {
    const burst = getBurst(perMinute)
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
