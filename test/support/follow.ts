import type { Instance } from './instance.ts'

/** What was told on a stream of changes. */
export interface Told {
  readonly resource: string
  readonly sequence: string
  readonly id: string
}

/** A reader of `/portal/api/live`. */
export interface Follower {
  readonly status: number
  readonly headers: Headers
  /** Everything that was told so far. */
  readonly told: readonly Told[]
  /** The last `id` that came, with or without an event. */
  readonly lastId: () => string
  /** Waits until something fits. */
  readonly until: (fits: () => boolean) => Promise<void>
  /** Waits for the next telling of a resource, and forgets those before it. */
  readonly next: (resource: string) => Promise<Told>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  readonly close: () => Promise<void>
}

/** Reads a stream of changes off an answer. */
export function followerOf(response: Response): Follower {
  const told: Told[] = []
  const waiting = new Set<() => void>()
  let lastId = ''
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()

  const take = (block: string): void => {
    for (const line of block.split('\n')) {
      const [, name, value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
      if (name === 'id') lastId = value
      if (name === 'data') told.push({ ...JSON.parse(value), id: lastId })
    }
  }
  const look = () => {
    for (const one of waiting) one()
  }
  const ended = (async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) take(block)
      look()
    }
  })().catch(() => undefined)

  const until = (fits: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const one = () => {
        if (!fits()) return
        waiting.delete(one)
        resolve()
      }
      waiting.add(one)
      one()
    })

  return {
    status: response.status,
    headers: response.headers,
    told,
    lastId: () => lastId,
    until,
    async next(resource) {
      await until(() => told.some((one) => one.resource === resource))
      const at = told.findIndex((one) => one.resource === resource)
      return told.splice(0, at + 1).at(-1) as Told
    },
    ended,
    close: () => reader.cancel(),
  }
}

/** A fresh server on a real port for an instance, and readers of its streams. */
export function listening(instance: Instance) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 120,
    fetch: (request) => instance.fetch(request),
  })
  const followers: Follower[] = []
  const ask = (workspaceId: string, session: string, query = '', headers: Record<string, string> = {}) =>
    fetch(`${server.url.origin}/portal/api/live?workspaceId=${workspaceId}${query}`, {
      headers: { cookie: `reeve_session=${session}`, ...headers },
    })
  return {
    origin: server.url.origin,
    ask,
    /** Follows the changes of a workspace; resolves when the server has said where they begin. */
    async follow(workspaceId: string, session: string, query = '', headers: Record<string, string> = {}) {
      const response = await ask(workspaceId, session, query, headers)
      if (response.status !== 200) throw new Error(await response.text())
      const follower = followerOf(response)
      followers.push(follower)
      await follower.until(() => follower.lastId() !== '')
      return follower
    },
    async close() {
      await Promise.all(followers.map((one) => one.close()))
      await server.stop(true)
    },
  }
}
