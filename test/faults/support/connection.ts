import { createConnection, type Socket } from 'node:net'

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: object
}

export interface RawResponse {
  readonly status: number
  /** Header lines in lower case. */
  readonly head: string
  // Bodies of every shape are compared, not typed.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

/**
 * A request without a complete response: the connection was refused, closed before the first byte of the response, or closed
 * in the middle of it.
 */
export class NoResponse extends Error {
  readonly reason: 'refused' | 'closed' | 'truncated'
  constructor(reason: NoResponse['reason']) {
    super(`no response: ${reason}`)
    this.reason = reason
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** The first complete response in these bytes, or null. */
function parseResponse(bytes: Buffer): RawResponse | null {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase()
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)
  const bodyStart = headEnd + HEAD_END.length
  if (bytes.length < bodyStart + length) return null
  const text = bytes.toString('utf8', bodyStart, bodyStart + length)
  const isJson = head.includes('\r\ncontent-type: application/json')
  return { status: Number(head.slice(9, 12)), head, body: isJson ? JSON.parse(text) : null }
}

/**
 * A client with one keep-alive connection and one request at a time. Unlike `fetch`, it never retries, and it distinguishes
 * how a response is missing.
 */
export function openConnection(url: string) {
  const { hostname, port } = new URL(url)
  let socket: Socket | null = null

  async function connect(): Promise<Socket> {
    if (socket && !socket.destroyed && socket.writable) return socket
    const newSocket = createConnection({ host: hostname, port: Number(port), noDelay: true })
    await new Promise<void>((resolve, reject) => {
      newSocket.once('connect', resolve)
      newSocket.once('error', () => reject(new NoResponse('refused')))
    })
    newSocket.on('error', () => {})
    socket = newSocket
    return newSocket
  }

  /** @throws NoResponse */
  async function request({ method, path, headers, body }: RawRequest): Promise<RawResponse> {
    const target = await connect()
    const text = body === undefined ? '' : JSON.stringify(body)
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    return new Promise<RawResponse>((resolve, reject) => {
      let bytes = Buffer.alloc(0)
      const finish = (complete: () => void) => {
        target.off('data', onData)
        target.off('close', onClose)
        complete()
      }
      const onData = (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk])
        const response = parseResponse(bytes)
        if (!response) return
        if (response.head.includes('\r\nconnection: close')) close()
        finish(() => resolve(response))
      }
      const onClose = () => finish(() => reject(new NoResponse(bytes.length === 0 ? 'closed' : 'truncated')))
      target.on('data', onData)
      target.on('close', onClose)
      target.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
    })
  }

  function close(): void {
    socket?.destroy()
    socket = null
  }

  return { request, close }
}

export type Connection = ReturnType<typeof openConnection>
