import { createConnection, type Socket } from 'node:net'

/** A connection without an HTTP client, which a scenario can stop in the middle of a request. */
export interface OpenSocket {
  /** Bytes received so far. */
  readonly received: () => string
  readonly isOpen: () => boolean
  readonly close: () => void
}

/** Connects and sends these bytes. The connection stays open until the server or `close` ends it. */
export async function openSocket(url: string, bytes: string | Buffer): Promise<OpenSocket> {
  const { hostname, port } = new URL(url)
  const socket: Socket = createConnection({ host: hostname, port: Number(port), noDelay: true })
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    // Only the beginning is needed, to see the status.
    if (received.length < 200) received += chunk.toString('latin1')
  })
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('error', () => resolve())
  })
  if (bytes.length > 0) socket.write(bytes)
  return { received: () => received, isOpen: () => !socket.destroyed, close: () => socket.destroy() }
}

/** Opens many connections, some at a time. */
export async function openSockets(
  count: number,
  open: (index: number) => Promise<OpenSocket>,
): Promise<OpenSocket[]> {
  const batchSize = 50
  const sockets: OpenSocket[] = []
  for (let start = 0; start < count; start += batchSize) {
    const size = Math.min(batchSize, count - start)
    sockets.push(...(await Promise.all(Array.from({ length: size }, (_, index) => open(start + index)))))
  }
  return sockets
}

/** The status of the response that a connection has received; `open` or `closed` without one. */
export function readStatus(socket: OpenSocket): string {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(socket.received())?.[1]
  return status ?? (socket.isOpen() ? 'open' : 'closed')
}
