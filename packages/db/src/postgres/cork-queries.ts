import type { ClientBase } from 'pg'

/** The part of the driver's connection to a server that its types lack. */
interface Corkable {
  readonly connection: { readonly stream: { readonly cork: () => void; readonly uncork: () => void } }
}

/**
 * Makes a client send all queries of a step of the event loop at once: each write to a socket is a system call, and wakes the
 * process of the server that waits for it.
 */
export function corkQueries(client: ClientBase): void {
  const { stream } = (client as unknown as Corkable).connection
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
