import { Client } from 'pg'
import { connecting } from './connections.ts'

const CHANNEL = 'reeve'

/** How often it is made sure that we still hear, and how long an answer may take. */
const BEAT_MS = 300

/** The longest text that the server hands on. Source: https://www.postgresql.org/docs/current/sql-notify.html */
const MOST_BYTES = 7900

/** Tells everyone who listens of lines, once the transaction is committed, as SQL. Lines are gathered as far as they fit. */
export function notifying(lines: readonly string[]): string[] {
  const texts: string[] = []
  for (const line of lines) {
    const joined = `${texts.at(-1) ?? ''}\n${line}`
    if (texts.length === 0 || Buffer.byteLength(joined) > MOST_BYTES) texts.push(line)
    else texts[texts.length - 1] = joined
  }
  return texts.map((text) => `notify ${CHANNEL}, '${text.replaceAll("'", "''")}'`)
}

/**
 * Listens to what other processes commit, and goes on however often the connection breaks.
 * @param told is given each line
 * @param missed is told again and again while lines may go unheard, and a last time (`true`) once they are heard again
 * @returns ends the listening
 * @throws Error where the server cannot be reached at first
 */
export async function hear(
  url: string,
  told: (line: string) => void,
  missed: (isOver: boolean) => void,
): Promise<() => Promise<void>> {
  let client: Client | null = await listening(url, told)
  let isClosed = false

  async function keepUp(): Promise<void> {
    if (client !== null && (await answers(client))) return
    await client?.end().catch(() => {})
    client = null
    if (isClosed) return
    client = await listening(url, told).catch(() => null)
    if (client !== null) missed(true)
  }

  let isBusy: Promise<void> | null = null
  const beats = setInterval(() => {
    if (client === null) missed(false)
    isBusy ??= keepUp().finally(() => {
      isBusy = null
    })
  }, BEAT_MS)
  return async () => {
    isClosed = true
    clearInterval(beats)
    await isBusy
    await client?.end().catch(() => {})
  }
}

async function listening(url: string, told: (line: string) => void): Promise<Client> {
  const client = new Client(connecting(url))
  // A connection that breaks no longer answers: that is where it is met.
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => {
    for (const line of payload.split('\n')) told(line)
  })
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  return client
}

const answers = (client: Client): Promise<boolean> =>
  Promise.race([
    client.query('select 1').then(
      () => true,
      () => false,
    ),
    Bun.sleep(BEAT_MS).then(() => false),
  ])
