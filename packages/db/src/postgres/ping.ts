import { Client } from 'pg'
import { type ConnectionTarget, clientConfig } from './connections.ts'

/** How long the database may take to respond, connecting included. */
const PING_TIMEOUT_MS = 2000

/** Checks that the database responds. */
export interface Ping {
  /** @throws Error where it does not respond within two seconds */
  readonly check: () => Promise<void>
  readonly end: () => Promise<void>
}

/**
 * Checks on a connection of its own, opened by the first check: however busy the pools are, the process counts as ready while the
 * database responds. Concurrent checks share a query.
 */
export function createPing({ url }: ConnectionTarget): Ping {
  let client: Client | null = null
  let running: Promise<void> | null = null

  async function connect(): Promise<Client> {
    const connecting = new Client({
      ...clientConfig(url),
      connectionTimeoutMillis: PING_TIMEOUT_MS,
      query_timeout: PING_TIMEOUT_MS,
    })
    // The next check of a broken connection fails.
    connecting.on('error', () => {})
    await connecting.connect()
    return connecting
  }

  async function query(): Promise<void> {
    const isNew = client === null
    const active = client ?? (await connect())
    client = active
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
    async end() {
      await running?.catch(() => {})
      await client?.end().catch(() => {})
    },
  }
}
