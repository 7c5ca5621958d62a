import { Webhook } from 'standardwebhooks'

/** A request that the receiver got. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly text: string
  // Tests assert bodies of every shape instead of typing them.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

type Respond = (request: ReceivedRequest, count: number) => Response | Promise<Response>

interface ReceiverOptions {
  readonly hostname?: string
  /** Default: any. */
  readonly port?: number
  /** Its certificates, for https. */
  readonly tls?: Bun.TLSOptions[]
}

/** Starts a program that receives webhooks, and responds as the test says. */
export function startReceiver(
  respond: Respond = () => new Response('ok'),
  { hostname = '127.0.0.1', port = 0, tls }: ReceiverOptions = {},
) {
  const received: ReceivedRequest[] = []
  const waiting = new Set<() => void>()
  let abandoned = 0
  let current = respond
  const server = Bun.serve({
    port,
    hostname,
    ...(tls && { tls }),
    async fetch(request) {
      const text = await request.text()
      const entry = {
        method: request.method,
        path: new URL(request.url).pathname + new URL(request.url).search,
        headers: Object.fromEntries(request.headers),
        text,
        body: text === '' ? null : JSON.parse(text),
      }
      request.signal.addEventListener('abort', () => {
        abandoned += 1
      })
      received.push(entry)
      for (const check of waiting) check()
      return current(entry, received.length)
    },
  })
  // A program that takes screenshots ends while it still runs.
  server.unref()
  return {
    url: `http://${hostname}:${server.port}/hook`,
    port: server.port,
    origin: `http://${hostname}:${server.port}`,
    received,
    /** The events that were received, without tests. */
    types: () => received.map(({ body }) => body.type as string),
    /** How many requests the sender gave up before they were answered. */
    countAbandoned: () => abandoned,
    respondWith: (next: Respond) => {
      current = next
    },
    /** Resolves once this many requests were received. */
    async waitFor(count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const check = () => {
        if (received.length >= count) resolve()
      }
      waiting.add(check)
      check()
      await promise
      waiting.delete(check)
    },
    stop: () => server.stop(true),
  }
}

export type Receiver = ReturnType<typeof startReceiver>

/** The setting of a server that may send to receivers of tests. */
export const OUTBOUND_TO_TESTS = { REEVE_OUTBOUND_ALLOW: '127.0.0.0/8' } as const

/** Whether the official library accepts the signature of a request. */
export function isSignedWith(secret: string, { headers, text }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}
