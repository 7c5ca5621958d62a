import { Client } from 'pg'
import { clientConfig, type LimitHandlers } from './connections.ts'
import { isConnectionDenied } from './errors.ts'
import { CHANNEL } from './notifications.ts'

/** The interval of the heartbeat, and its timeout. */
const HEARTBEAT_MS = 300

/** The connection that receives notifications. */
export interface Listener {
  /** Whether it was connected at the last heartbeat. */
  readonly isConnected: () => boolean
  readonly stop: () => Promise<void>
}

/**
 * Listens for notifications of all processes, and reconnects whenever the connection is lost.
 * @param onPayload gets the payload of each notification
 * @param onMissed called repeatedly while notifications may be missed, and a last time with `true` after the reconnect
 * @throws Error where the first connection fails
 */
export async function listen(
  url: string,
  onPayload: (payload: string) => void,
  onMissed: (isRecovered: boolean) => void,
  { onDenied }: LimitHandlers,
): Promise<Listener> {
  let client: Client | null = await connectListener(url, onPayload)
  let isClosed = false

  async function reconnectIfLost(): Promise<void> {
    if (client !== null && (await isResponsive(client))) return
    await client?.end().catch(() => {})
    client = null
    if (isClosed) return
    client = await connectListener(url, onPayload).catch((error) => {
      if (isConnectionDenied(error)) onDenied(true)
      return null
    })
    if (client !== null) onMissed(true)
  }

  let pendingCheck: Promise<void> | null = null
  const heartbeat = setInterval(() => {
    if (client === null) onMissed(false)
    pendingCheck ??= reconnectIfLost().finally(() => {
      pendingCheck = null
    })
  }, HEARTBEAT_MS)
  return {
    isConnected: () => client !== null,
    async stop() {
      isClosed = true
      clearInterval(heartbeat)
      await pendingCheck
      await client?.end().catch(() => {})
    },
  }
}

async function connectListener(url: string, onPayload: (payload: string) => void): Promise<Client> {
  const client = new Client(clientConfig(url))
  // The heartbeat detects a broken connection.
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => onPayload(payload))
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    return client
  } catch (error) {
    // A server in recovery accepts connections, but none that listens: each attempt would leave one open.
    await client.end().catch(() => {})
    throw error
  }
}

const isResponsive = (client: Client): Promise<boolean> =>
  Promise.race([
    client.query('select 1').then(
      () => true,
      () => false,
    ),
    Bun.sleep(HEARTBEAT_MS).then(() => false),
  ])
