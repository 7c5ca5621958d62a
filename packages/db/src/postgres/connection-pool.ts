import type { Pool, PoolClient } from 'pg'
import type { PoolStats } from '../database.ts'
import { isConnectionDenied, isConnectionLost } from './errors.ts'

/** A connection of the pool, until it is released. */
export interface PooledConnection {
  readonly client: PoolClient
  /** Returns the connection to the pool; closes a broken one. */
  readonly release: (options?: { readonly isBroken: boolean }) => void
}

/** A pool that makes do with the connections that the server grants: at a limit, requests wait for those that are open. */
export interface ConnectionPool {
  /** Waits for a free connection, first come, first served. */
  readonly acquire: () => Promise<PooledConnection>
  /** Runs a request on a connection of its own. */
  readonly run: <Result>(request: (client: PoolClient) => Promise<Result>) => Promise<Result>
  /** The number of open connections. */
  readonly size: () => number
  readonly stats: () => PoolStats
  /** Closes a connection, so that another part of this process can open one. */
  readonly giveUpConnection: () => void
  readonly end: () => Promise<void>
}

export interface ConnectionPoolOptions {
  readonly name: PoolStats['name']
  readonly max: number
  /** How many connections requests may use at the moment; those in use stay. Without it, all. */
  readonly getAllowed?: () => number
  /** How long to wait for a free connection, in milliseconds; null without a limit, where running transactions have one. */
  readonly maxWaitMs: number | null
  /** Called when the server refuses a connection because of a limit. `size` is the number of those that remain. */
  readonly onDenied: (size: number) => void
  /** The pool to use while this one cannot open any connection; null to wait for one. */
  readonly fallback: ConnectionPool | null
}

/** How often it is tried again to open a connection beyond a limit, as long as requests wait. */
const RETRY_MS = 500
/** How long requests wait while not a single connection can be opened. */
const MAX_STARVED_MS = 5000

interface Waiter {
  readonly since: number
  readonly resolve: (connection: PooledConnection) => void
  readonly reject: (error: unknown) => void
}

/** @param pool opens connections, and closes idle ones. Its own maximum must not be lower */
export function createConnectionPool(pool: Pool, options: ConnectionPoolOptions): ConnectionPool {
  const { name, max, getAllowed = () => max, maxWaitMs, onDenied, fallback } = options
  const waiting: Waiter[] = []
  /** How many connections there can be, as far as known. */
  let limit = max
  /** The connections in use, and those that are being opened for a request. */
  let taken = 0
  let inUse = 0
  let surplus = 0
  let deniedAt = Number.NEGATIVE_INFINITY
  let retryTimer: ReturnType<typeof setTimeout> | null = null
  let hasEnded = false

  const size = () => inUse + pool.idleCount
  const ignore = () => {}

  async function take(waiter: Waiter): Promise<void> {
    taken += 1
    try {
      const client = await pool.connect()
      inUse += 1
      limit = Math.max(limit, size())
      // The running or next statement of a broken connection fails, which reports it.
      client.on('error', ignore)
      waiter.resolve({ client, release: (released) => release(client, released) })
    } catch (error) {
      taken -= 1
      if (isConnectionDenied(error)) handleDenial(waiter, error)
      else waiter.reject(error)
      assignFree()
    }
  }

  function release(client: PoolClient, { isBroken } = { isBroken: false }): void {
    const isSurplus = surplus > 0
    if (isSurplus) surplus -= 1
    taken -= 1
    inUse -= 1
    client.off('error', ignore)
    client.release(isBroken || isSurplus)
    assignFree()
  }

  function handleDenial(waiter: Waiter, error: unknown): void {
    deniedAt = performance.now()
    limit = size()
    waiting.unshift(waiter)
    onDenied(limit)
    if (limit > 0) return
    if (fallback !== null) for (const starved of waiting.splice(0)) passOn(starved, fallback)
    for (let index = waiting.length - 1; index >= 0; index--) {
      const starved = waiting[index] as Waiter
      if (deniedAt - starved.since > MAX_STARVED_MS) waiting.splice(index, 1)[0]?.reject(error)
    }
  }

  function passOn(waiter: Waiter, other: ConnectionPool): void {
    other.acquire().then(waiter.resolve, waiter.reject)
  }

  function assignFree(): void {
    const allowed = Math.min(limit, getAllowed())
    while (waiting.length > 0 && taken < allowed) void take(waiting.shift() as Waiter)
    if (waiting.length > 0 && limit < max) scheduleRetry()
  }

  function scheduleRetry(): void {
    if (hasEnded) return
    retryTimer ??= setTimeout(
      () => {
        retryTimer = null
        if (waiting.length > 0) limit = Math.min(max, Math.max(limit, taken) + 1)
        assignFree()
      },
      Math.max(0, deniedAt + RETRY_MS - performance.now()),
    )
  }

  function acquire(): Promise<PooledConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<PooledConnection>()
    const waiter = { since: performance.now(), resolve, reject }
    if (limit === 0 && fallback !== null && performance.now() - deniedAt < RETRY_MS) {
      passOn(waiter, fallback)
      return promise
    }
    waiting.push(waiter)
    assignFree()
    return maxWaitMs === null ? promise : limitWait(promise, waiter, maxWaitMs)
  }

  async function limitWait(
    promise: Promise<PooledConnection>,
    waiter: Waiter,
    ms: number,
  ): Promise<PooledConnection> {
    const timer = setTimeout(() => {
      const index = waiting.indexOf(waiter)
      if (index < 0) return
      waiting.splice(index, 1)
      waiter.reject(new Error('timeout exceeded when waiting for a connection'))
    }, ms)
    return promise.finally(() => clearTimeout(timer))
  }

  return {
    acquire,
    async run(request) {
      const { client, release } = await acquire()
      try {
        const result = await request(client)
        release()
        return result
      } catch (error) {
        release({ isBroken: isConnectionLost(error) })
        throw error
      }
    },
    size,
    stats: () => ({ name, max, open: size(), inUse, waiting: waiting.length }),
    giveUpConnection() {
      if (size() === 0) return
      surplus += 1
      // An idle connection is closed as soon as it is released again.
      if (pool.idleCount > 0) acquire().then((connection) => connection.release(), ignore)
    },
    async end() {
      hasEnded = true
      if (retryTimer !== null) clearTimeout(retryTimer)
      await pool.end()
    },
  }
}
