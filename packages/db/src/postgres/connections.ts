import { MINUTE_MS } from '@reeve/core'
import { Client, Pool, type PoolClient, type PoolConfig, types } from 'pg'

/**
 * How many connections a process keeps for lookups, which share them, for other reads, and for units, which have one at a time;
 * one more listens. A server takes 100 in all unless it is told otherwise:
 * https://www.postgresql.org/docs/current/runtime-config-connection.html
 */
export const CONNECTIONS = { lookups: 3, reads: 3, units: 6 } as const

/** How long a connection may take to be made, and a read may wait for a free one. */
const CONNECT_TIMEOUT_MS = 5000
/** How long one statement may run, and how long it may wait for what another unit holds. */
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
/** How long an answer is waited for: a server that can still be heard has given up by itself before, and said so. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS
/** A process that stops in the middle of a unit without losing its connection holds others up for no longer than this. */
const IDLE_TRANSACTION_TIMEOUT_MS = MINUTE_MS

/** Types as the server numbers them: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const [BYTEA, INT8, NUMERIC] = [17, 20, 1700]

/** Whole numbers come as numbers: ours stay within what a number holds exactly. Bytes come as they do from SQLite. */
function getParser(type: number) {
  if (type === INT8 || type === NUMERIC) return Number
  if (type === BYTEA) return (text: string) => Uint8Array.fromHex(text.slice('\\x'.length))
  return types.getTypeParser(type, 'text')
}

/** How a connection is made: an address such as `postgres://user:password@host:5432/name?sslmode=verify-full`. */
export const clientConfig = (url: string): PoolConfig => ({
  connectionString: url,
  application_name: 'reeve',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  types: { getTypeParser: getParser as typeof types.getTypeParser },
})

/** Where calls find the database. */
export interface ConnectionTarget {
  readonly url: string
  /**
   * Whether a pooler lies in between that lends a connection for a single transaction. Nothing that outlives one can be
   * said on such a connection: no setting, no prepared statement.
   */
  readonly isPooled: boolean
}

const timeoutSettings = (keyword: 'set' | 'set local') =>
  [
    `statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
    `lock_timeout = ${LOCK_TIMEOUT_MS}`,
    `idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`,
  ].map((setting) => `${keyword} ${setting}`)
/** What is answered is on the disk, whatever a database is set to by default. */
export const synchronousCommitSql = (keyword: 'set' | 'set local') =>
  `select set_config('synchronous_commit', 'on', ${keyword === 'set local'}) where current_setting('synchronous_commit') = 'off'`

function createPool({ url, isPooled }: ConnectionTarget, max: number, settings: readonly string[]): Pool {
  const pool = new Pool({
    ...clientConfig(url),
    max,
    query_timeout: RESPONSE_TIMEOUT_MS,
    ...(isPooled
      ? {}
      : {
          onConnect: async (client) => {
            await client.query(settings.join('; '))
          },
        }),
  })
  // One that breaks while nobody uses it is replaced by the next that is needed.
  pool.on('error', () => {})
  return pool
}

/** Connections for reads. */
export const createReadPool = (target: ConnectionTarget): Pool => {
  // By way of a pooler lookups are reads like others.
  const max = CONNECTIONS.reads + (target.isPooled ? CONNECTIONS.lookups : 0)
  return createPool(target, max, timeoutSettings('set'))
}

/** A connection that sends each read at once, however many have not been answered yet. @param url of the server itself */
export async function openPipelinedConnection(url: string): Promise<Client> {
  const client = new Client({ ...clientConfig(url), query_timeout: RESPONSE_TIMEOUT_MS, pipeline: true })
  // One that breaks fails what was sent on it: that is where it is met.
  client.on('error', () => {})
  await client.connect()
  await client.query(timeoutSettings('set').join('; '))
  return client
}

export interface WritePool {
  /** Waits for a free connection, in the order of asking; its `release` gives it back, or away where it is given `true`. */
  readonly acquire: () => Promise<PooledConnection>
  /** Begins a transaction, as SQL. */
  readonly begin: string
  readonly end: () => Promise<void>
}

export interface PooledConnection {
  readonly client: PoolClient
  readonly release: (isBroken: boolean) => void
}

/** Connections for units, each with one at a time. Unlike the pool's own queue, waiting here has no end: units have one. */
export function createWritePool(target: ConnectionTarget): WritePool {
  const pool = createPool(target, CONNECTIONS.units, [...timeoutSettings('set'), synchronousCommitSql('set')])
  const waiting: (() => void)[] = []
  let freeSlots: number = CONNECTIONS.units
  const releaseSlot = () => {
    const next = waiting.shift()
    if (next) next()
    else freeSlots += 1
  }
  const ignore = () => {}
  return {
    async acquire() {
      if (freeSlots > 0) freeSlots -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        const client = await pool.connect()
        // A connection that breaks fails the statement that runs on it, or the next one: that is where it is met.
        client.on('error', ignore)
        const release = (isBroken: boolean) => {
          client.off('error', ignore)
          client.release(isBroken)
          releaseSlot()
        }
        return { client, release }
      } catch (error) {
        releaseSlot()
        throw error
      }
    },
    begin: [
      'begin isolation level read committed',
      ...(target.isPooled ? [...timeoutSettings('set local'), synchronousCommitSql('set local')] : []),
    ].join('; '),
    end: () => pool.end(),
  }
}
