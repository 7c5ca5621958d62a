import { expect, test } from 'bun:test'
import { MINUTE_MS } from '@reeve/core'
import { msUntilRefetchAllowed, recordRateLimit, spendRequests } from '../src/api/rate-limit.ts'

const NOW = Date.UTC(2026, 0, 1)
const recordRemaining = (remaining: number) =>
  recordRateLimit(
    new Headers({ 'ratelimit-policy': '"session";q=600;w=60', ratelimit: `"session";r=${remaining};t=1` }),
    NOW,
  )

test('refetches wait while few requests are left, until enough are left again', () => {
  recordRemaining(600)
  expect(msUntilRefetchAllowed(1, NOW)).toBeLessThanOrEqual(0)
  recordRemaining(40)
  const wait = msUntilRefetchAllowed(1, NOW)
  expect(wait).toBeGreaterThan(0)
  expect(msUntilRefetchAllowed(1, NOW + wait)).toBe(0)
})

test('a clock that is set back makes no refetch wait longer', () => {
  recordRemaining(40)
  expect(msUntilRefetchAllowed(1, NOW - 60 * MINUTE_MS)).toBe(msUntilRefetchAllowed(1, NOW))
})

test('refetches that start at once do not count on the same requests', () => {
  recordRemaining(51)
  expect(msUntilRefetchAllowed(1, NOW)).toBe(0)
  spendRequests(1)
  expect(msUntilRefetchAllowed(1, NOW)).toBeGreaterThan(0)
})
