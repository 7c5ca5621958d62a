import { expect, test } from 'bun:test'
import { createTransactionLimit } from '../src/postgres/transaction-limit.ts'

const MAX = 6
const MIN = 2

function open() {
  let time = 0
  const limit = createTransactionLimit(MAX, () => time)
  return {
    get: limit.get,
    /** Lookups of a tenth of a second. */
    look(durationMs: number, times = 200) {
      for (let count = 0; count < times; count++) {
        time += 1
        limit.observe(durationMs)
      }
    },
    wait(ms: number) {
      time += ms
    },
  }
}

test('as many transactions as there are connections run while lookups are fast, however long each takes on that network', () => {
  for (const roundTrip of [0.3, 20]) {
    const { get, look } = open()
    look(roundTrip)
    expect(get()).toBe(MAX)
    look(1.5 * roundTrip)
    expect(get()).toBe(MAX)
  }
})

test('two transactions run at once while lookups take a multiple of the usual time, and all again once they do not', () => {
  const { get, look } = open()
  look(0.5)
  look(2)
  expect(get()).toBe(MIN)
  look(0.5)
  expect(get()).toBe(MAX)
})

test('nothing is limited while nobody looks anything up', () => {
  const { get, look, wait } = open()
  look(0.5)
  look(2)
  wait(1001)
  expect(get()).toBe(MAX)
})

test('lookups that stay slower for hours become the usual ones', () => {
  const { get, look, wait } = open()
  look(0.5)
  look(2)
  expect(get()).toBe(MIN)
  for (let hour = 0; hour < 3; hour++) {
    wait(3_600_000)
    look(2)
  }
  expect(get()).toBe(MAX)
})
