import { Client } from 'pg'
import { clientConfig } from './connections.ts'

const CHANNEL = 'reeve'

/** How often it is made sure that we still hear, and how long an answer may take. */
const HEARTBEAT_MS = 300

/** The longest text that the server hands on. Source: https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_PAYLOAD_BYTES = 7900

/** Tells everyone who listens of lines, once the transaction is committed, as SQL. Lines are gathered as far as they fit. */
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
 * Listens to what other processes commit, and goes on however often the connection breaks.
 * @param told is given each line
 * @param missed is told again and again while lines may go unheard, and a last time (`true`) once they are heard again
 * @returns ends the listening
 * @throws Error where the server cannot be reached at first
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
  // A connection that breaks no longer answers: that is where it is met.
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
