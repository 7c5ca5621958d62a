import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { createServerClock } from '../src/format/clock.ts'

await import('./english-browser.ts')
const { formatRelativeTime } = await import('../src/format/time.ts')
const { formatRemaining } = await import('../src/screens/moderation/format-time.ts')
const { readNow } = await import('../src/format/use-now.ts')

const HOUR = 3_600_000
const START = Date.UTC(2026, 2, 4, 10)

/** A server and a browser whose clocks differ by `offset` milliseconds; requests take `latency` each way. */
function createNetwork(offset: number, latency: number) {
  let time = START
  const readBrowserClock = () => time + offset
  const clock = createServerClock(readBrowserClock)
  return {
    clock,
    wait: (ms: number) => {
      time += ms
    },
    /** @returns the server's time at the request */
    request(): number {
      const sentAt = readBrowserClock()
      time += latency
      const servedAt = time
      const date = new Date(servedAt).toUTCString()
      time += latency
      clock.record({ date, sentAt, receivedAt: readBrowserClock() })
      return servedAt
    },
  }
}

describe('the time that something was just done', () => {
  const offsets = [0, 400, -400, 90_000, -90_000, 26 * HOUR, -26 * HOUR]
  const latencies = [0, 30, 900, 2500]

  test('is never shown as future, nor its hour as longer, however wrong the browser’s clock and slow the network', () => {
    for (const offset of offsets) {
      for (const latency of latencies) {
        const network = createNetwork(offset, latency)
        network.wait(777)
        const createdAt = network.request()
        const now = network.clock.now()
        const texts = [formatRelativeTime(createdAt, now), formatRemaining(createdAt + HOUR, now)]
        expect([offset, latency, ...texts]).toEqual([offset, latency, 'just now', '1 hour'])
      }
    }
  })

  test('is counted from the server’s time later on', () => {
    for (const offset of offsets) {
      const network = createNetwork(offset, 30)
      const createdAt = network.request()
      network.wait(5 * 60_000)
      expect(formatRelativeTime(createdAt, network.clock.now())).toBe('5 minutes ago')
    }
  })
})

test('the browser’s clock is used as it is while no response contradicts it', () => {
  const network = createNetwork(0, 20)
  expect(network.clock.now()).toBe(START)
  for (let request = 0; request < 50; request++) {
    network.request()
    network.wait(333)
    expect(network.clock.now()).toBe(START + (request + 1) * 373)
  }
  network.clock.record({ date: null, sentAt: 0, receivedAt: 0 })
  network.clock.record({ date: 'yesterday', sentAt: 0, receivedAt: 0 })
  expect(network.clock.now()).toBe(START + 50 * 373)
})

test('more responses narrow the difference down', () => {
  const network = createNetwork(-90_000, 700)
  let createdAt = 0
  for (let request = 0; request < 20; request++) {
    createdAt = network.request()
    network.wait(137)
  }
  expect(Math.abs(network.clock.now() - (createdAt + 837))).toBeLessThan(800)
})

test('a browser’s clock that is set during a visit is followed', () => {
  let browserTime = START
  const clock = createServerClock(() => browserTime)
  const record = (serverTime: number) =>
    clock.record({
      date: new Date(serverTime).toUTCString(),
      sentAt: browserTime,
      receivedAt: browserTime,
    })
  record(START)
  browserTime += HOUR
  record(START + 1000)
  expect(clock.now() - START).toBeLessThan(2001)
  browserTime -= HOUR
  record(START + 2000)
  expect(Math.abs(clock.now() - START - 2000)).toBeLessThan(1001)
})

describe('the current time', () => {
  afterEach(() => setSystemTime())

  test('is read anew each time, and is the same within a second', () => {
    setSystemTime(new Date(START + 1))
    expect(readNow()).toBe(START + 1000)
    setSystemTime(new Date(START + 900))
    expect(readNow()).toBe(START + 1000)
    // The timer of the page has not fired.
    setSystemTime(new Date(START + 19_500))
    expect(readNow()).toBe(START + 20_000)
  })
})
