import { MINUTE_MS } from '@reeve/core'

/** Refetches leave this part of a minute's requests, half of a burst, to what the user does. */
const RESERVED_PART = 1 / 12

/** What is known of the rate limit of the session: how many requests were left at a time. */
interface Budget {
  readonly perMinute: number
  readonly remaining: number
  /** In milliseconds since the epoch. */
  readonly readAt: number
}

let budget: Budget | null = null

/** Takes what a response says about the rate limit of the session. @param readAt in milliseconds since the epoch */
export function recordRateLimit(headers: Headers, readAt: number): void {
  const perMinute = /^"session";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]
  const remaining = /^"session";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  if (perMinute === undefined || remaining === undefined) return
  budget = { perMinute: Number(perMinute), remaining: Number(remaining), readAt }
}

/** Notes that a refetch sends requests: others do not count on these, also before their responses. */
export function spendRequests(requests: number): void {
  if (budget !== null) budget = { ...budget, remaining: budget.remaining - requests }
}

/**
 * How long a refetch waits so that half of a burst is left to what the user does, in all windows of the session.
 * @param requests how many requests the refetch sends
 * @param now in milliseconds since the epoch
 * @returns milliseconds; 0 or less if there is no need to wait
 */
export function msUntilRefetchAllowed(requests: number, now: number): number {
  if (budget === null) return 0
  const reserved = budget.perMinute * RESERVED_PART
  const missing = reserved + Math.min(requests, reserved) - budget.remaining
  // The clock of the device may have been set back.
  return (missing / budget.perMinute) * MINUTE_MS - Math.max(0, now - budget.readAt)
}
