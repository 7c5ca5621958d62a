import { type Connection, openConnection } from '../../faults/support/connection.ts'
import type { WorkspaceCredentials } from '../../faults/support/populate.ts'
import { createAuthHeaders } from '../../faults/support/write-load.ts'
import { createStatusCounter, type LoadContext, repeatAction, type Scenario } from '../scenario.ts'
import { openSocket, openSockets, readStatus } from '../support/sockets.ts'

const FOLLOWERS = 2000
/** Bans per second: this measures requests that wait, and `writers` those that write. */
const BANS_PER_SECOND = 10
/** How long a request waits for a change, in seconds: the most that a client may ask for. */
const WAIT_SECONDS = 25
/** How long to wait for the responses to all followers after the last ban. */
const MAX_ANSWER_MS = 10_000

const ban = (connection: Connection, workspace: WorkspaceCredentials, userId: string) =>
  connection.request({
    method: 'POST',
    path: '/api/moderation',
    headers: createAuthHeaders(workspace, 'key'),
    body: { workspaceId: workspace.workspaceId, action: 'ban', userId, reason: 'Exploiting' },
  })

/** The path of a request that waits for the next ban of a workspace. */
async function createWaitingPath(connection: Connection, workspace: WorkspaceCredentials): Promise<string> {
  const headers = createAuthHeaders(workspace, 'key')
  const query = `workspaceId=${workspace.workspaceId}&kinds=ban`
  const snapshot = await connection.request({
    method: 'GET',
    path: `/api/changes/snapshot?${query}&limit=1`,
    headers,
  })
  const { sequence, epoch } = snapshot.body
  return `/api/changes?${query}&since=${sequence}&epoch=${epoch}&wait=${WAIT_SECONDS}`
}

/** Bans players one after the other, and measures how long each ban takes to reach a follower. @returns milliseconds, sorted */
async function measureArrival(context: LoadContext, workspace: WorkspaceCredentials): Promise<number[]> {
  const [staff, follower] = [openConnection(context.url), openConnection(context.url)]
  const headers = createAuthHeaders(workspace, 'key')
  const times: number[] = []
  await repeatAction(context, async (index) => {
    const path = await createWaitingPath(follower, workspace)
    const arrival = follower.request({ method: 'GET', path, headers })
    const bannedAt = performance.now()
    const { status } = await ban(staff, workspace, `follower${index}`)
    const { changes } = (await arrival).body
    if (status !== 200 || changes.length !== 1) throw new Error(`the ban ${status} did not arrive`)
    times.push(performance.now() - bannedAt)
    await Bun.sleep(Math.max(0, bannedAt + 1000 / BANS_PER_SECOND - performance.now()))
  })
  for (const connection of [staff, follower]) connection.close()
  return times.sort((one, other) => one - other)
}

/** Programs that wait for changes. */
export const followers: Scenario = {
  name: 'followers',
  title: '2,000 waiting followers of the change feed',
  maxRatio: 2,
  // It ends before the requests that wait from its beginning.
  maxSeconds: WAIT_SECONDS - 5,
  maxConnectionMemory: 100 * 1024 * 1024,
  async connect({ url, dataset: { large } }) {
    const connection = openConnection(url)
    const path = await createWaitingPath(connection, large)
    const lines = Object.entries({ host: new URL(url).host, ...createAuthHeaders(large, 'key') })
    const head = [`GET ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
      '\r\n',
    )
    const sockets = await openSockets(FOLLOWERS, () => openSocket(url, head))
    // The requests before this one are waiting when it is answered.
    await createWaitingPath(connection, large)
    connection.close()
    return sockets
  },
  async run(context, _, sockets) {
    const { large, others, texts } = context.dataset
    const connection = openConnection(context.url)
    const times = await measureArrival(context, others[0] ?? texts)
    const statuses = createStatusCounter()
    await ban(connection, large, 'everybody')
    const bannedAt = performance.now()
    const isAnswered = () => sockets.every((socket) => readStatus(socket) !== 'open')
    while (!isAnswered() && performance.now() - bannedAt < MAX_ANSWER_MS) await Bun.sleep(5)
    const lastMs = performance.now() - bannedAt
    for (const socket of sockets) {
      statuses.add(readStatus(socket))
      socket.close()
    }
    connection.close()
    if (statuses.get(200) < FOLLOWERS) throw new Error(`not every follower got the ban: ${statuses.format()}`)
    const quantile = (share: number) => times[Math.floor(times.length * share)] as number
    const [p50, wakeUpP99] = [quantile(0.5), quantile(0.99)]
    const work = `${times.length} bans arrived: p50 ${p50.toFixed(1)} ms, p99 ${wakeUpP99.toFixed(1)} ms; one for all after ${Math.round(lastMs)} ms`
    return { work, wakeUpP99 }
  },
}
