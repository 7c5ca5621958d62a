import type { Instance } from './instance.ts'

/** An event of a live stream. */
export interface StreamEvent {
  readonly resource: string
  readonly sequence: string
  readonly id: string
}

/** A client of `/portal/api/live`. */
export interface LiveStream {
  readonly status: number
  readonly headers: Headers
  /** Every event so far. */
  readonly events: readonly StreamEvent[]
  /** Whether the server ended the stream in favor of another one. */
  readonly isEvicted: () => boolean
  /** The last `id`, with or without an event. */
  readonly lastId: () => string
  /** Waits until the condition is true. It is checked after every event. */
  readonly waitUntil: (condition: () => boolean) => Promise<void>
  /** Waits for the next event of a resource, and drops it and those before it. */
  readonly next: (resource: string) => Promise<StreamEvent>
  /** Resolves when the server closes the stream. */
  readonly closed: Promise<void>
  readonly close: () => Promise<void>
}

/** Reads the events of a response. */
export function readLiveStream(response: Response): LiveStream {
  const events: StreamEvent[] = []
  const waiters = new Set<() => void>()
  let lastId = ''
  let isEvicted = false
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()

  const parseBlock = (block: string): void => {
    if (block.includes('event: evicted')) {
      isEvicted = true
      return
    }
    if (block.includes('event: heartbeat')) return
    for (const line of block.split('\n')) {
      const [, name, value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
      if (name === 'id') lastId = value
      if (name === 'data') events.push({ ...JSON.parse(value), id: lastId })
    }
  }
  const checkWaiters = () => {
    for (const waiter of waiters) waiter()
  }
  const closed = (async () => {
    const decoder = new TextDecoder()
    let buffer = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const blocks = (buffer + decoder.decode(value, { stream: true })).split('\n\n')
      buffer = blocks.pop() ?? ''
      for (const block of blocks) parseBlock(block)
      checkWaiters()
    }
  })().catch(() => undefined)

  const waitUntil = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const waiter = () => {
        if (!condition()) return
        waiters.delete(waiter)
        resolve()
      }
      waiters.add(waiter)
      waiter()
    })

  return {
    status: response.status,
    headers: response.headers,
    events,
    isEvicted: () => isEvicted,
    lastId: () => lastId,
    waitUntil,
    async next(resource) {
      await waitUntil(() => events.some((waiter) => waiter.resource === resource))
      const index = events.findIndex((waiter) => waiter.resource === resource)
      return events.splice(0, index + 1).at(-1) as StreamEvent
    },
    closed,
    close: () => reader.cancel(),
  }
}

/** Serves an instance on a real port, with clients for its live streams. */
export function startStreamServer(instance: Instance) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 120,
    fetch: (request) => instance.fetch(request),
  })
  const streams: LiveStream[] = []
  const request = (workspaceId: string, session: string, query = '', headers: Record<string, string> = {}) =>
    fetch(`${server.url.origin}/portal/api/live?workspaceId=${workspaceId}${query}`, {
      headers: { cookie: `reeve_session=${session}`, ...headers },
    })
  return {
    origin: server.url.origin,
    request,
    /** Opens a stream; resolves once the server has sent the first `id`. */
    async openStream(workspaceId: string, session: string, query = '', headers: Record<string, string> = {}) {
      const response = await request(workspaceId, session, query, headers)
      if (response.status !== 200) throw new Error(await response.text())
      const stream = readLiveStream(response)
      streams.push(stream)
      await stream.waitUntil(() => stream.lastId() !== '')
      return stream
    },
    async close() {
      await Promise.all(streams.map((waiter) => waiter.close()))
      await server.stop(true)
    },
  }
}
