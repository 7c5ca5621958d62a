import { Client } from 'pg'
import { type ConnectionTarget, clientConfig } from './connections.ts'
import { isConnectionDenied } from './errors.ts'

/** How long the database may take to respond, connecting included. */
const PING_TIMEOUT_MS = 2000
/** How long the open connection has to respond. What is left is for a new one: the open one may have been dropped without an error. */
const QUERY_TIMEOUT_MS = 1000

const FIND_BUSY = `select pid from pg_stat_activity where pid = any($1) and state is distinct from 'idle'`

/** Checks that the database responds. */
export interface Ping {
  /** @throws Error where it does not respond within two seconds */
  readonly check: () => Promise<void>
  /**
   * Finds which processes of the server still exist and are not waiting for a query. All of them where the server does not say so.
   * To be called after a check.
   */
  readonly findBusy: (processIds: readonly number[]) => Promise<readonly number[]>
  readonly end: () => Promise<void>
}

/**
 * Checks on a connection of its own, opened by the first check: however busy the pools are, the process counts as ready while the
 * database responds. Concurrent checks share a query. At a connection limit, the refusal is a response, so the process is ready as long as
 * it has other connections.
 * @param hasConnection whether the process has a connection for requests
 */
export function createPing({ url, isPooled }: ConnectionTarget, hasConnection: () => boolean): Ping {
  let client: Client | null = null
  let running: Promise<void> | null = null

  async function connect(): Promise<Client> {
    const connecting = new Client({
      ...clientConfig(url, isPooled),
      connectionTimeoutMillis: PING_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    })
    // The next check of a broken connection fails.
    connecting.on('error', () => {})
    await connecting.connect()
    return connecting
  }

  /** Null where the server refuses the connection because of a limit, and the process has others. */
  const connectOrNull = () =>
    connect().catch((error: unknown) => {
      if (isConnectionDenied(error) && hasConnection()) return null
      throw error
    })

  async function query(): Promise<void> {
    const isNew = client === null
    const active = client ?? (await connectOrNull())
    client = active
    if (active === null) return
    try {
      await active.query('select 1')
    } catch (error) {
      client = null
      void active.end().catch(() => {})
      // The connection may have broken since the last check.
      if (isNew) throw error
      await query()
    }
  }

  return {
    check() {
      running ??= query().finally(() => {
        running = null
      })
      const timeout = Bun.sleep(PING_TIMEOUT_MS).then(() =>
        Promise.reject(new Error('the database does not respond')),
      )
      return Promise.race([running, timeout])
    },
    async findBusy(processIds) {
      if (client === null) return processIds
      const { rows } = await client.query<{ pid: number }>(FIND_BUSY, [processIds])
      return rows.map(({ pid }) => pid)
    },
    async end() {
      await running?.catch(() => {})
      await client?.end().catch(() => {})
    },
  }
}
