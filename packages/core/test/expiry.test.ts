import { expect, test } from 'bun:test'
import { expiresBefore, findLastToEnd } from '../src/index.ts'

test('a permanent sanction expires after every other one', () => {
  expect(expiresBefore(1000, null)).toBe(true)
  expect(expiresBefore(null, 1000)).toBe(false)
  expect(expiresBefore(null, null)).toBe(false)
})

test('of several sanctions, the one counts that ends last, then the newest, in whatever order they are', () => {
  const find = (...sanctions: (readonly [number | null, number])[]) =>
    findLastToEnd(sanctions, ([expiresAt, caseNumber]) => ({ expiresAt, caseNumber }))
  expect(find()).toBeNull()
  expect([find([1000, 2], [2000, 1]), find([2000, 1], [1000, 2])]).toEqual([
    [2000, 1],
    [2000, 1],
  ])
  expect([find([null, 1], [2000, 2]), find([2000, 2], [null, 1])]).toEqual([
    [null, 1],
    [null, 1],
  ])
  expect([find([null, 1], [null, 2]), find([null, 2], [null, 1])]).toEqual([
    [null, 2],
    [null, 2],
  ])
})
