import { expect, test } from 'bun:test'
import { recordRateLimit } from '../src/api/rate-limit.ts'
import { refetchAtExpiry } from '../src/api/refetch-at-expiry.ts'

const getDelay = (expiresAt: number | null): number | false => {
  const data = { expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() }
  return refetchAtExpiry<typeof data>((shown) => [shown.expiresAt])({ state: { data, error: null } } as never)
}

test('what expires is read again soon after that, and what does not expire never', () => {
  const delay = getDelay(Date.now() + 60_000)
  expect(delay).toBeGreaterThan(59_000)
  expect(delay).toBeLessThan(61_000)
  expect(getDelay(null)).toBe(false)
})

test('what has expired is read again only once enough requests are left to what the user does', () => {
  const headers = (remaining: number) =>
    new Headers({ 'ratelimit-policy': '"session";q=600;w=60', ratelimit: `"session";r=${remaining};t=1` })
  recordRateLimit(headers(600), Date.now())
  expect(getDelay(Date.now() - 1000)).toBe(1000)
  recordRateLimit(headers(0), Date.now())
  expect(getDelay(Date.now() - 1000)).toBeGreaterThan(4000)
  recordRateLimit(headers(600), Date.now())
})
