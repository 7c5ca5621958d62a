import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MAX_WAITING_OF_WORKSPACE } from '@reeve/moderation'
import { openSocket, openSockets, readStatus } from '../load/support/sockets.ts'
import { type Deployment, openPostgresDeployment } from './deployment.ts'

const TIMEOUT_MS = 120_000
/** Enough that a path that is slow once in a hundred times is likely to be among them. */
const BANS = 120
/** How long a ban may take to reach a follower of another process. */
const MAX_ARRIVAL_MS = 1000

let deployment: Deployment
beforeAll(async () => {
  deployment = await openPostgresDeployment()
}, TIMEOUT_MS)
afterAll(() => deployment.close(), TIMEOUT_MS)

const getHeaders = () => ({
  authorization: `Bearer ${deployment.apiKey}`,
  'content-type': 'application/json',
})

const getUrl = (index: number): string =>
  deployment.listUrls()[index % deployment.listUrls().length] as string

/** Sends a request to one of the processes. @returns the body of its response */
async function send(index: number, path: string, body?: object) {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await fetch(`${getUrl(index)}${path}`, { ...init, headers: getHeaders() })
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
  const result = (await response.json()) as any
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(result)}`)
  return result
}

const ban = (index: number, userId: string) =>
  send(index, '/api/moderation', {
    ...{ workspaceId: deployment.workspaceId, action: 'ban', userId },
    reason: 'Exploiting',
  })

/** The path of a request that waits for the next ban. */
async function readWaitingPath(index: number, wait: string): Promise<string> {
  const query = `workspaceId=${deployment.workspaceId}&kinds=ban`
  const { sequence, epoch } = await send(index, `/api/changes/snapshot?${query}&limit=1`)
  return `/api/changes?${query}&since=${sequence}&epoch=${epoch}&wait=${wait}`
}

test(
  'a waiting follower has each of 120 bans of another process within a second',
  async () => {
    const times: number[] = []
    for (let index = 0; index < BANS; index++) {
      const path = await readWaitingPath(index, '25')
      const waiting = send(index, path)
      // The process receives the request that waits before this one.
      await readWaitingPath(index, '25')
      await ban(index + 1, `far${index}`)
      const bannedAt = performance.now()
      const { changes } = await waiting
      times.push(performance.now() - bannedAt)
      expect(changes.map(({ userId }: { userId: string }) => userId)).toEqual([`far${index}`])
    }
    expect(Math.max(...times), times.join()).toBeLessThan(MAX_ARRIVAL_MS)
  },
  TIMEOUT_MS,
)

test(
  'a follower that disconnects leaves its place to another one',
  async () => {
    const path = await readWaitingPath(0, '25')
    const headers = Object.entries({ ...getHeaders(), host: new URL(getUrl(0)).host })
    const lines = [`GET ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', '']
    const openFollower = () => openSocket(getUrl(0), lines.join('\r\n'))
    const sockets = await openSockets(MAX_WAITING_OF_WORKSPACE, openFollower)
    /** What the server says of a further request: `0` after its wait, and otherwise when to ask again. */
    const waitOnce = async () => (await send(0, path.replace('wait=25', 'wait=1'))).pollAfter
    try {
      // A further request may take the place of a follower that arrives later, which is then answered at once and asks again.
      while ((await waitOnce()) === '0')
        for (const [index, socket] of sockets.entries())
          if (readStatus(socket) !== 'open') sockets[index] = await openFollower()
      expect(await waitOnce()).toBe('5')
      sockets[0]?.close()
      while ((await waitOnce()) !== '0');
      // It was not the place of a request whose time is over.
      expect(sockets.slice(1).filter((socket) => readStatus(socket) !== 'open')).toEqual([])
    } finally {
      for (const socket of sockets) socket.close()
    }
  },
  TIMEOUT_MS,
)
