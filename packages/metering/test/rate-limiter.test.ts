import { describe, expect, test } from 'bun:test'
import { MINUTE_MS } from '@reeve/core'
import { PendingUsage } from '../src/rate-limit-sync.ts'
import { RateLimiter } from '../src/rate-limiter.ts'

const PER_MINUTE = 60
/** One sixth of the rate. */
const BURST = 10
const NOW = 1_800_000_000_000

const consume = (limiter: RateLimiter, now = NOW, caller = 'a', perMinute = PER_MINUTE) =>
  limiter.consume(caller, 'key', perMinute, now)

function consumeTimes(limiter: RateLimiter, count: number, now = NOW, caller = 'a'): void {
  for (let request = 0; request < count; request++) consume(limiter, now, caller)
}

function findHeaders(send: () => unknown): Readonly<Record<string, string>> {
  try {
    send()
  } catch (error) {
    expect(error).toMatchObject({ code: 'rate_limited' })
    return (error as { options: { headers: Record<string, string> } }).options.headers
  }
  throw new Error('the request was allowed')
}

describe('a rate limit', () => {
  test('allows a burst of one sixth of the rate, then rejects', () => {
    const limiter = new RateLimiter(null)
    consumeTimes(limiter, BURST)
    expect(findHeaders(() => consume(limiter))).toEqual({
      'retry-after': '1',
      'ratelimit-policy': '"key";q=60;w=60',
      ratelimit: '"key";r=0;t=10',
    })
  })

  test('allows the full rate over a minute', () => {
    const limiter = new RateLimiter(null)
    consumeTimes(limiter, BURST)
    for (let request = 1; request <= PER_MINUTE; request++)
      consume(limiter, NOW + (request * MINUTE_MS) / PER_MINUTE)
    expect(() => consume(limiter, NOW + MINUTE_MS)).toThrow()
  })

  test('reports the remaining requests and the seconds until the bucket is full', () => {
    const limiter = new RateLimiter(null)
    expect(consume(limiter)).toEqual({ policy: '"key";q=60;w=60', state: '"key";r=9;t=1' })
    expect(consume(limiter)?.state).toBe('"key";r=8;t=2')
  })

  test('is separate for each caller', () => {
    const limiter = new RateLimiter(null)
    consumeTimes(limiter, BURST)
    expect(() => consume(limiter, NOW, 'b')).not.toThrow()
  })

  test('of 0 is none', () => {
    const limiter = new RateLimiter(null)
    for (let request = 0; request < 1000; request++) expect(consume(limiter, NOW, 'a', 0)).toBeNull()
  })

  test('of fewer than six per minute still allows one request', () => {
    const limiter = new RateLimiter(null)
    expect(consume(limiter, NOW, 'a', 1)).not.toBeNull()
    expect(findHeaders(() => consume(limiter, NOW, 'a', 1))['retry-after']).toBe('60')
  })

  test('never fills above the burst, and ignores a clock that goes backwards', () => {
    const limiter = new RateLimiter(null)
    consumeTimes(limiter, 1)
    consumeTimes(limiter, BURST, NOW + 60 * MINUTE_MS)
    expect(() => consume(limiter, NOW + 60 * MINUTE_MS)).toThrow()
    expect(() => consume(limiter, NOW)).toThrow()
  })

  test('counts the requests that other processes allowed, also beyond the limit', () => {
    const limiter = new RateLimiter(null)
    limiter.applyRemoteUsage('a', BURST + 5, PER_MINUTE, NOW)
    expect(findHeaders(() => consume(limiter))).toMatchObject({
      'retry-after': '6',
      ratelimit: '"key";r=0;t=15',
    })
    expect(() => consume(limiter, NOW + 6000)).not.toThrow()
  })
})

describe('usage not yet broadcast', () => {
  test('limits a caller to one burst while other processes are alive, until its broadcast is confirmed', () => {
    const pending = new PendingUsage()
    const limiter = new RateLimiter(pending)
    pending.markPeerSeen()
    consumeTimes(limiter, BURST)
    const later = NOW + MINUTE_MS
    expect(() => consume(limiter, later)).toThrow()
    expect(pending.drainMessages()).toEqual([JSON.stringify([['a', BURST, PER_MINUTE]])])
    expect(() => consume(limiter, later)).toThrow()
    pending.confirmBroadcast()
    expect(() => consume(limiter, later)).not.toThrow()
  })

  test('does not limit a caller while no other process is alive', () => {
    const limiter = new RateLimiter(new PendingUsage())
    expect(() => consumeTimes(limiter, BURST)).not.toThrow()
  })

  test('is sent in messages of at most 50 callers, then a heartbeat once a second', () => {
    const pending = new PendingUsage()
    for (let caller = 0; caller < 120; caller++) pending.record(String(caller), PER_MINUTE)
    const sizes = pending.drainMessages().map((message) => JSON.parse(message).length)
    expect(sizes).toEqual([50, 50, 20])
    expect(pending.drainMessages()).toEqual([])
    expect(new PendingUsage().drainMessages()).toEqual(['[]'])
  })
})
