import { Client } from 'pg'
import { clientConfig } from './connections.ts'

const CHANNEL = 'reeve'

/** The interval of the heartbeat, and its timeout. */
const HEARTBEAT_MS = 300

/** The maximum size of a notification. Source: https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_PAYLOAD_BYTES = 7900

/** Notifies all listeners of lines after the commit, as SQL. Packs as many lines into a notification as fit. */
export function notifySql(lines: readonly string[]): string[] {
  const payloads: string[] = []
  for (const line of lines) {
    const joined = `${payloads.at(-1) ?? ''}\n${line}`
    if (payloads.length === 0 || Buffer.byteLength(joined) > MAX_PAYLOAD_BYTES) payloads.push(line)
    else payloads[payloads.length - 1] = joined
  }
  return payloads.map((payload) => `notify ${CHANNEL}, '${payload.replaceAll("'", "''")}'`)
}

/**
 * Listens for notifications of all processes, and reconnects whenever the connection is lost.
 * @param onLine gets each line
 * @param onMissedLines called repeatedly while lines may be missed, and a last time with `true` after the reconnect
 * @returns stops listening
 * @throws Error where the first connection fails
 */
export async function listen(
  url: string,
  onLine: (line: string) => void,
  onMissedLines: (isRecovered: boolean) => void,
): Promise<() => Promise<void>> {
  let client: Client | null = await connectListener(url, onLine)
  let isClosed = false

  async function reconnectIfLost(): Promise<void> {
    if (client !== null && (await isResponsive(client))) return
    await client?.end().catch(() => {})
    client = null
    if (isClosed) return
    client = await connectListener(url, onLine).catch(() => null)
    if (client !== null) onMissedLines(true)
  }

  let pendingCheck: Promise<void> | null = null
  const heartbeat = setInterval(() => {
    if (client === null) onMissedLines(false)
    pendingCheck ??= reconnectIfLost().finally(() => {
      pendingCheck = null
    })
  }, HEARTBEAT_MS)
  return async () => {
    isClosed = true
    clearInterval(heartbeat)
    await pendingCheck
    await client?.end().catch(() => {})
  }
}

async function connectListener(url: string, onLine: (line: string) => void): Promise<Client> {
  const client = new Client(clientConfig(url))
  // The heartbeat detects a broken connection.
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => {
    for (const line of payload.split('\n')) onLine(line)
  })
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  return client
}

const isResponsive = (client: Client): Promise<boolean> =>
  Promise.race([
    client.query('select 1').then(
      () => true,
      () => false,
    ),
    Bun.sleep(HEARTBEAT_MS).then(() => false),
  ])
