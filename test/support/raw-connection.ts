import { connect } from 'node:net'

/** A connection whose bytes a test writes itself. */
export interface RawConnection {
  readonly write: (text: string | Uint8Array) => void
  /** Everything received so far. */
  readonly received: () => string
  /** Waits until what was received matches. @throws Error if the server closes the connection before */
  readonly waitFor: (pattern: RegExp) => Promise<string>
  /** Resolves with everything received when the server has closed the connection. */
  readonly closed: Promise<string>
  /** Closes the connection. */
  readonly close: () => void
}

/** Opens a connection to a server. @param url of the server, such as `http://127.0.0.1:3000` */
export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  const checks = new Set<() => void>()
  const runChecks = () => {
    for (const check of checks) check()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    runChecks()
  })
  // A server that closes the connection while the client sends may reset it.
  socket.on('error', () => {})
  let isClosed = false
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      resolve(text)
      runChecks()
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    write: (data) => {
      socket.write(data)
    },
    received: () => text,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(text) && !isClosed) return
          checks.delete(check)
          if (pattern.test(text)) resolve(text)
          else reject(new Error(`the connection was closed after: ${text}`))
        }
        checks.add(check)
        check()
      }),
    closed,
    close: () => {
      socket.destroy()
    },
  }
}

/** The text of an HTTP/1.1 request, with `Host` and, if there is a body, its length and type. */
export function formatRequest(
  method: string,
  path: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): string {
  const { headers, body = '' } = options
  const all: Record<string, string> = {
    host: 'reeve.test',
    ...(body === ''
      ? {}
      : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
