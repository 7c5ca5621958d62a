import type { Socket } from 'node:net'
import type { ClientBase } from 'pg'

/** The part of the driver's connection to a server that its types lack. */
interface Connected {
  readonly connection: { readonly stream: Socket }
}

/** The socket of a client that is connected. */
export const getStream = (client: ClientBase): Socket => (client as unknown as Connected).connection.stream

/**
 * Makes a client send all queries of a step of the event loop at once: each write to a socket is a system call, and wakes the
 * process of the server that waits for it.
 */
export function corkQueries(client: ClientBase): void {
  const stream = getStream(client)
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  let isCorked = false
  client.query = ((...args: unknown[]) => {
    if (!isCorked) {
      isCorked = true
      stream.cork()
      process.nextTick(() => {
        isCorked = false
        stream.uncork()
      })
    }
    return query(...args)
  }) as ClientBase['query']
}
