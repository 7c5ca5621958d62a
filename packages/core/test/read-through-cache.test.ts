import { describe, expect, test } from 'bun:test'
import { ReadThroughCache } from '../src/index.ts'

const loadValue = (value: number) => async () => value
const failToLoad = async (): Promise<number> => {
  throw new Error('loaded again')
}

describe('a read-through cache', () => {
  test('loads a value once and returns it without a promise afterwards', async () => {
    const cache = new ReadThroughCache<number>(10)
    expect(await cache.get('a', loadValue(1))).toBe(1)
    expect(cache.get('a', failToLoad)).toBe(1)
  })

  test('does not cache an absent value or a failure', async () => {
    const cache = new ReadThroughCache<number>(10)
    expect(await cache.get('a', async () => undefined)).toBeUndefined()
    await expect(cache.get('a', failToLoad)).rejects.toThrow('loaded again')
    expect(await cache.get('a', loadValue(2))).toBe(2)
  })

  test('does not cache a lookup that was in flight during an invalidation', async () => {
    const cache = new ReadThroughCache<number>(10)
    const { promise, resolve } = Promise.withResolvers<number>()
    const stale = cache.get('a', () => promise)
    cache.invalidate('b')
    resolve(1)
    expect(await stale).toBe(1)
    expect(await cache.get('a', loadValue(2))).toBe(2)
  })

  test('invalidates one key, the matching values, or everything', async () => {
    const cache = new ReadThroughCache<number>(10)
    for (const value of [1, 2, 3, 4]) await cache.get(String(value), loadValue(value))
    cache.invalidate('1')
    cache.invalidateWhere((value) => value === 2)
    const isCached = (key: string) => cache.get(key, async () => undefined) instanceof Promise === false
    expect(['1', '2', '3', '4'].map(isCached)).toEqual([false, false, true, true])
    cache.invalidateAll()
    expect(['3', '4'].map(isCached)).toEqual([false, false])
  })

  test('evicts the least recently used entries and keeps at least its limit of them', async () => {
    const cache = new ReadThroughCache<number>(4)
    for (let value = 0; value < 20; value++) {
      await cache.get(String(value), loadValue(value))
      await cache.get('used', loadValue(-1))
    }
    expect(cache.get('used', failToLoad)).toBe(-1)
    for (const key of ['17', '18', '19']) expect(cache.get(key, failToLoad)).toBe(Number(key))
    expect(await cache.get('0', async () => undefined)).toBeUndefined()
  })
})
