import {
  DAY_MS,
  DELIVERY_TIMEOUT_SECONDS,
  FAILING_WEBHOOK_DAYS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
} from '@reeve/core'

/** How many requests a webhook gets at once, from all processes together. */
export const MAX_PER_WEBHOOK = 4
/** How many requests a process sends at once. */
export const MAX_IN_FLIGHT = 32
/** How many of them may go to webhooks that keep failing, so that dead ones cannot delay the others. */
export const MAX_TO_FAILING = 16
/** A webhook that has failed this often in a row gets one request at a time, and pauses between them. */
export const FAILURES_TO_SLOW_DOWN = 5
export const TIMEOUT_MS = DELIVERY_TIMEOUT_SECONDS * SECOND_MS
/** How long an attempt belongs to the process that has started it; longer than it can take. */
export const LEASE_MS = MINUTE_MS
export const FAILING_MS = FAILING_WEBHOOK_DAYS * DAY_MS
/**
 * Failures that are further apart do not belong together, because nobody knows what the receiver did meanwhile: longer than the longest delay
 * before a retry.
 */
export const MAX_FAILURE_GAP_MS = 30 * HOUR_MS

/** How exact the time of the last success is, of a webhook that gets many events. */
export const SUCCESS_TIME_MS = 10_000

/** The delays after each failed attempt; the last attempt has none. Source: Standard Webhooks 1.0.0, "Deliverability and reliability". */
const RETRY_DELAYS_MS: readonly number[] = [
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Delays differ by up to this part, so that failed deliveries do not return all at once. */
const JITTER = 0.2

/**
 * The delay before the next attempt, in milliseconds.
 * @param attempt how many attempts were made @param random a number from 0 to 1
 * @returns null after the last attempt
 */
export function getRetryDelay(attempt: number, random: number): number | null {
  const delay = RETRY_DELAYS_MS[attempt - 1]
  return delay === undefined ? null : Math.round(delay * (1 - JITTER + 2 * JITTER * random))
}

const SHORTEST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 5 * MINUTE_MS

/** How long nothing is sent to a webhook after this many failed attempts in a row, in milliseconds. */
export function getPause(failures: number): number {
  if (failures < FAILURES_TO_SLOW_DOWN) return 0
  return Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** (failures - FAILURES_TO_SLOW_DOWN))
}

const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/**
 * Parses `Retry-After`: seconds, also with a fraction, or a date.
 * @returns milliseconds, at most a day; null if there is none
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null
  const delayMs = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(delayMs) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Math.ceil(delayMs))) : null
}
