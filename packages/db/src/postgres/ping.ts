import { Client } from 'pg'
import { type ConnectionTarget, clientConfig } from './connections.ts'
import { isConnectionDenied } from './errors.ts'

/** How long the database may take to respond, connecting included. */
const PING_TIMEOUT_MS = 2000
/** After how long without a response a new connection is opened too: the open one may have been dropped without an error. */
const SILENCE_MS = 1000

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
      query_timeout: PING_TIMEOUT_MS,
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

  const close = (connection: Client | null) => void connection?.end().catch(() => {})

  async function queryOn(connection: Client | null): Promise<Client | null> {
    try {
      await connection?.query('select 1')
      return connection
    } catch (error) {
      close(connection)
      throw error
    }
  }

  const queryOnNew = async () => queryOn(await connectOrNull())

  async function query(): Promise<void> {
    const open = client
    if (open === null) {
      client = await queryOnNew()
      return
    }
    const response = queryOn(open)
    const isSilent = await Promise.race([
      response.then(
        () => false,
        () => true,
      ),
      Bun.sleep(SILENCE_MS).then(() => true),
    ])
    if (!isSilent) return
    client = null
    const replacement = queryOnNew()
    client = await Promise.any([response, replacement])
    // The other one is not needed, if it responds at all.
    for (const connecting of [response, replacement])
      void connecting.then((connection) => connection !== client && close(connection)).catch(() => {})
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
