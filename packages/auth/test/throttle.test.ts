import { describe, expect, test } from 'bun:test'
import { getRetryAfterSeconds } from '../src/throttle/limits.ts'

const WINDOW_SECONDS = 15 * 60
const NOW = 10 * WINDOW_SECONDS * 1000
const LIMIT = { max: 3, windowMs: WINDOW_SECONDS * 1000 }

/** Failures that many seconds ago, newest first. */
const failures = (...secondsAgo: number[]) => secondsAgo.map((seconds) => ({ at: NOW - seconds * 1000 }))

describe('the throttle', () => {
  test('allows an attempt below the limit', () => {
    expect(getRetryAfterSeconds(failures(), LIMIT, NOW)).toBeNull()
    expect(getRetryAfterSeconds(failures(0, 0), LIMIT, NOW)).toBeNull()
  })

  test('at the limit, waits until the oldest counted failure leaves the window', () => {
    expect(getRetryAfterSeconds(failures(0, 0, 0), LIMIT, NOW)).toBe(WINDOW_SECONDS)
    expect(getRetryAfterSeconds(failures(1, 2, 60), LIMIT, NOW)).toBe(WINDOW_SECONDS - 60)
    expect(getRetryAfterSeconds(failures(1, 2, 60, 300), LIMIT, NOW)).toBe(WINDOW_SECONDS - 60)
  })

  test('rounds up, to at least one second', () => {
    expect(getRetryAfterSeconds([{ at: NOW }, { at: NOW }, { at: NOW - 1 }], LIMIT, NOW)).toBe(WINDOW_SECONDS)
    expect(getRetryAfterSeconds(failures(0, 0, WINDOW_SECONDS), LIMIT, NOW)).toBe(1)
  })
})
