import { expect, test } from 'bun:test'
import { countStoredBytes, resolveStorageQuota, storageReserve } from '../src/index.ts'
import { formatSize, parseSize, toSizeText } from '../src/size.ts'

test('a size can have a decimal or a binary unit, in any case', () => {
  expect(['5GB', '5 gb', '1.5TB', '500000', '5GiB', '512MiB', '0'].map(parseSize)).toEqual([
    5e9,
    5e9,
    1.5e12,
    500_000,
    5 * 2 ** 30,
    512 * 2 ** 20,
    0,
  ])
})

test('anything else is not a size', () => {
  for (const text of ['', 'GB', '-1GB', '5 gigs', '1e9', '5GB 1', 'Infinity', '1001TB', '1.GB'])
    expect(() => parseSize(text)).toThrow('must be a size such as 5GB')
})

test('a formatted size never shows more than there is', () => {
  expect([0, 1, 999, 1000, 1999, 4_999_999_999, 5e9, 1.25e12].map(formatSize)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1 kB',
    '1.9 kB',
    '4.9 GB',
    '5 GB',
    '1.2 TB',
  ])
})

test('a row counts its texts in bytes of UTF-8', () => {
  expect(countStoredBytes('ä👀', null, 'abc') - countStoredBytes()).toBe(9)
})

test('a quota of a workspace takes precedence over the default, and 0 removes the limit', () => {
  expect(resolveStorageQuota(null, 7)).toBe(7)
  expect(resolveStorageQuota(null, null)).toBeNull()
  expect(resolveStorageQuota(0, 7)).toBeNull()
  expect(resolveStorageQuota(3, 7)).toBe(3)
})

test('the reserve is a tenth of the quota, and enough for moderation if that is little', () => {
  expect(storageReserve(5e9)).toBe(5e8)
  expect(storageReserve(1)).toBe(64e6)
})

test('the text of a size is exact and short', () => {
  const sizes = [5e9, 5 * 2 ** 30, 1.5e9, 1e12, 0, 1234]
  expect(sizes.map(toSizeText)).toEqual(['5 GB', '5 GiB', '1500 MB', '1 TB', '0', '1234'])
  expect(sizes.map(toSizeText).map(parseSize)).toEqual(sizes)
})
