import type { WorkspaceCredentials } from '../../faults/support/populate.ts'
import { createAuthHeaders } from '../../faults/support/write-load.ts'
import { createStatusCounter, type LoadContext, repeatAction, type Scenario } from '../scenario.ts'
import { send } from '../support/requests.ts'
import { type OpenSocket, openSocket, openSockets, readStatus } from '../support/sockets.ts'

const STREAMS = 1000
const STREAMS_PER_SESSION = 8
const SLOW_BODIES = 500
/** A size that the server accepts for events with images. */
const SLOW_BODY_BYTES = 3_000_000
const IDLE_CONNECTIONS = 1000
/** Ten changes per second reach the live streams. */
const CHANGE_PAUSE_MS = 100

/** Holds connections for as long as the load lasts. @returns the counts of their states at the end */
async function hold(sockets: readonly OpenSocket[], action: () => Promise<unknown>) {
  await action()
  const statuses = createStatusCounter()
  for (const socket of sockets) statuses.add(readStatus(socket))
  for (const socket of sockets) socket.close()
  return statuses
}

const formatHead = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`

const pause = ({ seconds }: LoadContext) => Bun.sleep(seconds * 1000)

const streams: Scenario = {
  name: 'streams',
  title: '1,000 live streams',
  async run(context) {
    const { url, dataset } = context
    const { host } = new URL(url)
    const findWorkspace = (index: number) =>
      dataset.others[Math.floor(index / STREAMS_PER_SESSION) % dataset.others.length] as WorkspaceCredentials
    const sockets = await openSockets(STREAMS, (index) => {
      const workspace = findWorkspace(index)
      const headers = Object.entries({ host, ...createAuthHeaders(workspace, 'session') })
      const start = `GET /portal/api/live?workspaceId=${workspace.workspaceId} HTTP/1.1`
      return openSocket(url, formatHead([start, ...headers.map(([name, value]) => `${name}: ${value}`)]))
    })
    let changes = 0
    const statuses = await hold(sockets, () =>
      repeatAction(context, async (index) => {
        const workspace = findWorkspace(index * STREAMS_PER_SESSION)
        const body = { workspaceId: workspace.workspaceId, action: 'warn', userId: '1', reason: 'Spamming' }
        const response = await send(url, { path: '/api/moderation', body, as: { workspace, kind: 'key' } })
        changes += +(response.status === 200)
        await Bun.sleep(CHANGE_PAUSE_MS)
      }),
    )
    if (statuses.get(200) === 0) throw new Error(`no stream was opened: ${statuses.format()}`)
    return `streams ${statuses.format()}; ${changes} changes`
  },
}

const slowBodies: Scenario = {
  name: 'slow-bodies',
  title: '500 slow request bodies',
  async run(context) {
    const { url } = context
    const head = formatHead([
      'POST /api/events HTTP/1.1',
      `host: ${new URL(url).host}`,
      'content-type: application/json',
      `content-length: ${SLOW_BODY_BYTES}`,
    ])
    // All but the last byte.
    const request = Buffer.concat([Buffer.from(head), Buffer.alloc(SLOW_BODY_BYTES - 1, ' ')])
    const sockets = await openSockets(SLOW_BODIES, () => openSocket(url, request))
    return `requests ${(await hold(sockets, () => pause(context))).format()}`
  },
}

const idle: Scenario = {
  name: 'idle-connections',
  title: '1,000 idle connections',
  // The server closes a connection whose headers do not arrive within 10.
  maxSeconds: 8,
  async run(context) {
    const { url } = context
    // Half of them send nothing, and half the beginning of a request.
    const sockets = await openSockets(IDLE_CONNECTIONS, (index) =>
      openSocket(url, index % 2 === 0 ? '' : 'GET /healthz HTTP/1.1\r\nhost: '),
    )
    return `connections ${(await hold(sockets, () => pause(context))).format()}`
  },
}

/** Many connections at the same time. */
export const connectionScenarios: readonly Scenario[] = [streams, slowBodies, idle]
