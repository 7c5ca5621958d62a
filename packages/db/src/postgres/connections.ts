import { Client, Pool, type PoolConfig, types } from 'pg'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
import { corkQueries, getStream } from './cork-queries.ts'

/**
 * The number of connections per process: for pipelined lookups, for other reads, and for transactions. One more listens for
 * notifications, and one checks that the database responds. The default limit of a server is 100 connections:
 * https://www.postgresql.org/docs/current/runtime-config-connection.html
 */
export const CONNECTIONS = { lookups: 3, reads: 3, units: 6 } as const

/** How long connecting may take, and how long a read may wait for a free connection. */
const CONNECT_TIMEOUT_MS = 5000
/** How long a statement may run, and how long it may wait for a lock. */
const STATEMENT_TIMEOUT_MS = 30_000
export const LOCK_TIMEOUT_MS = 10_000
/** How long to wait for a response. Longer than the statement timeout, so that a reachable server reports that first. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS
/**
 * How long a process that hangs inside a transaction may block others. Shorter than the lock timeout, so that those that wait for it get the
 * lock. A process that was only slow runs the transaction again.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 8000

/**
 * How long a connection is idle before the system checks that it still leads to the server. A router, firewall or load balancer drops idle
 * connections after minutes, without telling either side, and the system's default is two hours.
 */
const KEEP_ALIVE_IDLE_MS = 10_000

/** OIDs of types: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const [BYTEA, INT8, NUMERIC] = [17, 20, 1700]

/** Integers as numbers, because ours are safe integers; bytes as `Uint8Array`, as with SQLite. */
function getParser(type: number) {
  if (type === INT8 || type === NUMERIC) return Number
  if (type === BYTEA) return (text: string) => Uint8Array.fromHex(text.slice('\\x'.length))
  return types.getTypeParser(type, 'text')
}

/** How the driver reads results. */
export const resultTypes = { getTypeParser: getParser as typeof types.getTypeParser }

/** The name of connections to the server itself. Every process has one as long as it runs. */
export const APPLICATION_NAME = 'reeve'

/**
 * The driver's options for a URL such as `postgres://user:password@host:5432/name?sslmode=verify-full`.
 * @param isPooled whether it is that of a pooler, whose connections to the server keep their name after the process has ended
 */
export const clientConfig = (url: string, isPooled = false): PoolConfig => ({
  connectionString: url,
  application_name: isPooled ? `${APPLICATION_NAME} pooled` : APPLICATION_NAME,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_IDLE_MS,
  types: resultTypes,
})

/** Where reads and transactions connect to. */
export interface ConnectionTarget {
  readonly url: string
  /**
   * Whether the URL is that of a pooler in transaction mode. Settings and prepared statements do not outlive a transaction
   * there.
   */
  readonly isPooled: boolean
}

/** Limits how long statements wait for a lock, as SQL. */
export const lockTimeoutSql = (keyword: 'set' | 'set local', ms = LOCK_TIMEOUT_MS): string =>
  `${keyword} lock_timeout = ${ms}`

const timeoutSettings = (keyword: 'set' | 'set local') => [
  `${keyword} statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  lockTimeoutSql(keyword),
  `${keyword} idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`,
]

/** Makes a commit wait for the disk even where the database's default is `off`, as SQL. */
export const synchronousCommitSql = (keyword: 'set' | 'set local') =>
  `select set_config('synchronous_commit', 'on', ${keyword === 'set local'}) where current_setting('synchronous_commit') = 'off'`

function createPool(
  { url, isPooled }: ConnectionTarget,
  max: number,
  settings: readonly string[],
  options: PoolConfig = {},
): Pool {
  const pool = new Pool({
    ...clientConfig(url, isPooled),
    ...options,
    max,
    // Other programs may take the place of the last one.
    min: 1,
    query_timeout: RESPONSE_TIMEOUT_MS,
    ...(isPooled
      ? {}
      : {
          onConnect: async (client) => {
            await client.query(settings.join('; '))
          },
        }),
  })
  pool.on('connect', corkQueries)
  // The pool replaces an idle connection that breaks.
  pool.on('error', () => {})
  return pool
}

/** What happens at a connection limit of the server. */
export interface LimitHandlers {
  /** @param isStarved whether not a single connection is left */
  readonly onDenied: (isStarved: boolean) => void
}

/** Creates the connection pool for reads. While it cannot open any connection, reads use those for transactions. */
export const createReadPool = (
  target: ConnectionTarget,
  fallback: ConnectionPool,
  { onDenied }: LimitHandlers,
): ConnectionPool => {
  // There are no pipelined lookups through a pooler.
  const max = CONNECTIONS.reads + (target.isPooled ? CONNECTIONS.lookups : 0)
  const pool = createPool(target, max, timeoutSettings('set'))
  return createConnectionPool(pool, {
    name: 'reads',
    max,
    maxWaitMs: CONNECT_TIMEOUT_MS,
    onDenied: () => onDenied(false),
    fallback,
  })
}

/** A connection that sends queries without waiting for earlier results. */
export interface PipelinedConnection {
  readonly client: Client
  /** The ID of the process of the server that executes the queries. */
  readonly processId: number
  /** Closes the connection without waiting for results: the pending queries fail like those of a broken one. */
  readonly destroy: () => void
}

/**
 * Opens a connection for pipelined queries.
 * @param url the URL of the server, not of a pooler
 */
export async function openPipelinedConnection(url: string): Promise<PipelinedConnection> {
  const client = new Client({ ...clientConfig(url), query_timeout: RESPONSE_TIMEOUT_MS, pipeline: true })
  // The pending queries of a broken connection fail, which reports it.
  client.on('error', () => {})
  await client.connect()
  corkQueries(client)
  await client.query(timeoutSettings('set').join('; '))
  const { rows } = await client.query('select pg_backend_pid() as process_id')
  return { client, processId: rows[0].process_id, destroy: () => getStream(client).destroy() }
}

/** The connection pool for transactions. */
export interface WritePool extends ConnectionPool {
  /** The SQL that begins a transaction. */
  readonly begin: string
  /** Whether a connection sends a statement without waiting for the results of those before. Not every pooler supports that. */
  readonly isPipelined: boolean
}

/**
 * Creates the pool for transactions. Waiting has no timeout: running transactions have one.
 * @param getAllowed how many may run at the moment
 */
export function createWritePool(
  target: ConnectionTarget,
  getAllowed: () => number,
  { onDenied }: LimitHandlers,
): WritePool {
  const settings = [...timeoutSettings('set'), synchronousCommitSql('set')]
  const isPipelined = !target.isPooled
  const pool = createPool(target, CONNECTIONS.units, settings, { pipeline: isPipelined })
  const connections = createConnectionPool(pool, {
    name: 'writes',
    max: CONNECTIONS.units,
    getAllowed,
    maxWaitMs: null,
    onDenied: (size) => onDenied(size === 0),
    fallback: null,
  })
  return {
    ...connections,
    isPipelined,
    begin: [
      'begin isolation level read committed',
      ...(target.isPooled ? [...timeoutSettings('set local'), synchronousCommitSql('set local')] : []),
    ].join('; '),
  }
}
