import { type AddressInfo, connect, createServer } from 'node:net'

/** Stands between a process and its database, and cuts the line: behind a word, or altogether. */
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
        for (const side of sockets) side.pause()
      },
      resume() {
        for (const side of sockets) side.resume()
      },
    }
    connections.add(connection)
    client.on('data', (data) => {
      upstream.write(data)
      if (trigger !== null && data.includes(trigger)) connection.cut()
    })
    upstream.on('data', (data) => client.write(data))
    for (const side of sockets) side.on('error', connection.cut).on('close', connection.cut)
    if (state === 'cut') connection.cut()
    if (state === 'stalled') connection.pause()
  })
  server.listen(0, '127.0.0.1').unref()
  const proxied = new URL(url)
  proxied.port = String((server.address() as AddressInfo).port)
  return {
    url: proxied.href,
    /** The connection over which this word is sent breaks right behind it; null lets all be. */
    cutAfter: (nextTrigger: string | null) => {
      trigger = nextTrigger
    },
    /** Nobody gets through any more: connections are cut, or nothing is heard on them and nobody is told so. */
    block: (mode: 'cut' | 'stalled') => {
      state = mode
      for (const connection of connections) connection[mode === 'cut' ? 'cut' : 'pause']()
    },
    unblock: () => {
      state = 'open'
      for (const connection of connections) connection.resume()
    },
  }
}
