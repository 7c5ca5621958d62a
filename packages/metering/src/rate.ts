import { AppError, RecentMap } from '@reeve/core'

/** Calls a minute; 0 is no limit. A sixth of it may come at once. */
export type RatePerMinute = number

interface Bucket {
  tokens: number
  at: number
}

/** How many callers are remembered: past it, those longest unseen are forgotten (their buckets were full). */
const MAX_BUCKETS = 100_000

export interface RateState {
  readonly policy: string
  readonly state: string
}

/** What other processes have not been told yet. */
interface Others {
  readonly isFull: (caller: string, perMinute: RatePerMinute) => boolean
  readonly note: (caller: string, perMinute: RatePerMinute) => void
}

/** A token bucket a caller, in memory. */
export class RateLimiter {
  readonly #buckets = new RecentMap<Bucket>(MAX_BUCKETS)
  readonly #others: Others | null

  /** @param others null where this is the only process that lets calls through */
  constructor(others: Others | null) {
    this.#others = others
  }

  /**
   * Takes one call's worth.
   * @param now epoch milliseconds
   * @returns the values of `RateLimit-Policy` and `RateLimit`, or null where there is no limit
   * @throws AppError `rate_limited` with `Retry-After` and the same two fields
   */
  take(caller: string, policy: string, perMinute: RatePerMinute, now: number): RateState | null {
    if (perMinute <= 0) return null
    const { bucket, burst, perMs } = this.#filled(caller, perMinute, now)
    const allowed = bucket.tokens >= 1 && !this.#others?.isFull(caller, perMinute)
    if (allowed) {
      bucket.tokens -= 1
      this.#others?.note(caller, perMinute)
    }
    const whenFull = Math.ceil((burst - bucket.tokens) / perMs / 1000)
    const fields = {
      policy: `"${policy}";q=${perMinute};w=60`,
      state: `"${policy}";r=${Math.max(0, Math.floor(bucket.tokens))};t=${whenFull}`,
    }
    if (allowed) return fields
    const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000))
    throw new AppError('rate_limited', {
      headers: { 'retry-after': String(wait), 'ratelimit-policy': fields.policy, ratelimit: fields.state },
    })
  }

  /** Takes what another process let a caller through with, even where it is more than there is: then the caller owes it. */
  takenElsewhere(caller: string, calls: number, perMinute: RatePerMinute, now: number): void {
    this.#filled(caller, perMinute, now).bucket.tokens -= calls
  }

  /** The bucket of a caller as it is now. */
  #filled(caller: string, perMinute: RatePerMinute, now: number) {
    const burst = Math.max(1, Math.floor(perMinute / 6))
    const perMs = perMinute / 60_000
    const bucket = this.#bucketOf(caller, burst, now)
    bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    bucket.at = now
    return { bucket, burst, perMs }
  }

  #bucketOf(caller: string, burst: number, now: number): Bucket {
    const known = this.#buckets.get(caller)
    if (known) return known
    const fresh = { tokens: burst, at: now }
    this.#buckets.set(caller, fresh)
    return fresh
  }
}
