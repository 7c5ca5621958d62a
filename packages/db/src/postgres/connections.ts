import { Pool, type PoolClient, type PoolConfig, types } from 'pg'

/**
 * How many connections a process keeps for reads, and how many for units; one more listens. A server takes 100 in all
 * unless it is told otherwise: https://www.postgresql.org/docs/current/runtime-config-connection.html
 */
const MAX_EACH = 6

/** How long a connection may take to be made, and a read may wait for a free one. */
const CONNECT_MS = 5000
/** How long one statement may run, and how long it may wait for what another unit holds. */
const STATEMENT_MS = 30_000
const LOCK_MS = 10_000
/** How long an answer is waited for: a server that can still be heard has given up by itself before, and said so. */
const SILENCE_MS = STATEMENT_MS + CONNECT_MS
/** A process that stops in the middle of a unit without losing its connection holds others up for no longer than this. */
const STALLED_MS = 60_000

/** Types as the server numbers them: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const [BYTEA, INT8, NUMERIC] = [17, 20, 1700]

/** Whole numbers come as numbers: ours stay within what a number holds exactly. Bytes come as they do from SQLite. */
function parserOf(type: number) {
  if (type === INT8 || type === NUMERIC) return Number
  if (type === BYTEA) return (text: string) => Uint8Array.fromHex(text.slice('\\x'.length))
  return types.getTypeParser(type, 'text')
}

/** How a connection is made: an address such as `postgres://user:password@host:5432/name?sslmode=verify-full`. */
export const connecting = (url: string): PoolConfig => ({
  connectionString: url,
  application_name: 'reeve',
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  types: { getTypeParser: parserOf as typeof types.getTypeParser },
})

const LIMITS = [
  `set statement_timeout = ${STATEMENT_MS}`,
  `set lock_timeout = ${LOCK_MS}`,
  `set idle_in_transaction_session_timeout = ${STALLED_MS}`,
]
/** What is answered is on the disk, whatever a database is set to by default. */
const DURABLE =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"

function pool(url: string, settings: readonly string[]): Pool {
  const made = new Pool({
    ...connecting(url),
    max: MAX_EACH,
    query_timeout: SILENCE_MS,
    onConnect: async (client) => {
      await client.query(settings.join('; '))
    },
  })
  // One that breaks while nobody uses it is replaced by the next that is needed.
  made.on('error', () => {})
  return made
}

/** Connections that can change nothing. */
export const readingPool = (url: string): Pool =>
  pool(url, [...LIMITS, 'set default_transaction_read_only = on'])

export interface WritingPool {
  /** Waits for a free connection, in the order of asking; its `release` gives it back, or away where it is given `true`. */
  readonly take: () => Promise<Taken>
  readonly end: () => Promise<void>
}

export interface Taken {
  readonly client: PoolClient
  readonly release: (isBroken: boolean) => void
}

/** Connections for units, each with one at a time. Unlike the pool's own queue, waiting here has no end: units have one. */
export function writingPool(url: string): WritingPool {
  const made = pool(url, [...LIMITS, "set default_transaction_isolation = 'read committed'", DURABLE])
  const waiting: (() => void)[] = []
  let free = MAX_EACH
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const ignore = () => {}
  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        const client = await made.connect()
        // A connection that breaks fails the statement that runs on it, or the next one: that is where it is met.
        client.on('error', ignore)
        const release = (isBroken: boolean) => {
          client.off('error', ignore)
          client.release(isBroken)
          leave()
        }
        return { client, release }
      } catch (error) {
        leave()
        throw error
      }
    },
    end: () => made.end(),
  }
}
