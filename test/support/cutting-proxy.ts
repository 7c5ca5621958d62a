import { connect, createServer, type Socket } from 'node:net'

/** Which direction of a connection is counted. */
type Direction = 'sent' | 'received'

/** Starts a TCP proxy that can cut connections in the middle of a transfer, or let them go silent. @param target the URL of a server */
export async function startCuttingProxy(target: URL) {
  const sockets = new Set<Socket>()
  /** The sockets of a connection, by its client's one, and what that has sent last. */
  const requests = new Map<Socket, { readonly upstream: Socket; text: string }>()
  let cut: { direction: Direction; bytes: number; left: number } | null = null

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const counts = { sent: 0, received: 0 }
    const request = { upstream, text: '' }
    requests.set(client, request)
    client.on('close', () => requests.delete(client))
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    const forward = (from: Socket, to: Socket, direction: Direction) => {
      sockets.add(from)
      from.on('data', (chunk: Buffer) => {
        counts[direction] += chunk.length
        if (direction === 'sent') request.text = chunk.toString()
        if (cut && cut.left > 0 && cut.direction === direction && counts[direction] > cut.bytes) {
          cut.left -= 1
          end()
        } else if (!to.write(chunk)) {
          from.pause()
          to.once('drain', () => from.resume())
        }
      })
      from.on('error', end)
      from.on('close', () => {
        sockets.delete(from)
        end()
      })
    }
    forward(client, upstream, 'sent')
    forward(upstream, client, 'received')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    /** Cuts the next connections after so many bytes from the client (`sent`) or to it (`received`). */
    cutNext(direction: Direction, bytes: number, times = 1) {
      cut = { direction, bytes, left: times }
    },
    /** Forwards nothing more on connections whose last request contains a text, and leaves them open. */
    silence(part: string) {
      for (const [client, { upstream, text }] of requests)
        if (text.includes(part)) for (const socket of [client, upstream]) socket.pause()
    },
    /** How many of these connections were not cut yet. */
    remainingCuts: () => cut?.left ?? 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>
