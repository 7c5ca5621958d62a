import { type AddressInfo, connect, createServer } from 'node:net'

/** A proxy for a PostgreSQL server that injects faults: it cuts or stalls connections. */
export function createFaultProxy(url: string) {
  let trigger: string | null = null
  let state: 'open' | 'cut' | 'stalled' = 'open'
  const connections = new Set<{ cut: () => void; pause: () => void; resume: () => void }>()
  const target = new URL(url)
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const sockets = [client, upstream]
    const connection = {
      cut() {
        connections.delete(connection)
        client.destroy()
        upstream.end()
      },
      pause() {
        for (const socket of sockets) socket.pause()
      },
      resume() {
        for (const socket of sockets) socket.resume()
      },
    }
    connections.add(connection)
    client.on('data', (data) => {
      upstream.write(data)
      if (trigger !== null && data.includes(trigger)) connection.cut()
    })
    upstream.on('data', (data) => client.write(data))
    for (const socket of sockets) socket.on('error', connection.cut).on('close', connection.cut)
    if (state === 'cut') connection.cut()
    if (state === 'stalled') connection.pause()
  })
  server.listen(0, '127.0.0.1').unref()
  const proxied = new URL(url)
  proxied.port = String((server.address() as AddressInfo).port)
  return {
    url: proxied.href,
    /** Cuts a connection after it has sent this text; null cuts none. */
    cutAfter: (nextTrigger: string | null) => {
      trigger = nextTrigger
    },
    /** Cuts all connections, or stalls them without an error. Applies to new ones too. */
    block: (mode: 'cut' | 'stalled') => {
      state = mode
      for (const connection of connections) connection[mode === 'cut' ? 'cut' : 'pause']()
    },
    /** Stalls the connections that are open without an error, as a router that has dropped them. New ones pass. */
    stallOpen: () => {
      for (const connection of connections) connection.pause()
    },
    /** Lets stalled connections through. */
    resumeOpen: () => {
      for (const connection of connections) connection.resume()
    },
    /** Cuts new connections, and leaves those that are open. */
    cutNew: () => {
      state = 'cut'
    },
    /** Lets stalled and new connections through. */
    unblock: () => {
      state = 'open'
      for (const connection of connections) connection.resume()
    },
  }
}
