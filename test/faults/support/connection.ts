import { createConnection, type Socket } from 'node:net'

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: object
}

export interface Answer {
  readonly status: number
  /** Lines of the head, in lower case. */
  readonly head: string
  // Bodies of every shape are compared, not typed.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

/**
 * A request that got no whole answer: there was nobody to connect to, the connection closed before the first byte of an
 * answer, or in the middle of one.
 */
export class NoAnswer extends Error {
  readonly how: 'refused' | 'closed' | 'cut'
  constructor(how: NoAnswer['how']) {
    super(`no answer: ${how}`)
    this.how = how
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** The first whole answer in these bytes; null where it is not whole yet. */
function answerIn(bytes: Buffer): Answer | null {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end).toLowerCase()
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)
  const from = end + HEAD_END.length
  if (bytes.length < from + length) return null
  const text = bytes.toString('utf8', from, from + length)
  const isJson = head.includes('\r\ncontent-type: application/json')
  return { status: Number(head.slice(9, 12)), head, body: isJson ? JSON.parse(text) : null }
}

/**
 * A caller with one kept-alive connection and one request at a time. Unlike `fetch` it never sends a request twice by
 * itself, and tells apart how an answer failed to come.
 */
export function openConnection(url: string) {
  const { hostname, port } = new URL(url)
  let socket: Socket | null = null

  async function connected(): Promise<Socket> {
    if (socket && !socket.destroyed && socket.writable) return socket
    const made = createConnection({ host: hostname, port: Number(port), noDelay: true })
    await new Promise<void>((resolve, reject) => {
      made.once('connect', resolve)
      made.once('error', () => reject(new NoAnswer('refused')))
    })
    made.on('error', () => {})
    socket = made
    return made
  }

  /** @throws NoAnswer */
  async function call({ method, path, headers, body }: Request): Promise<Answer> {
    const to = await connected()
    const text = body === undefined ? '' : JSON.stringify(body)
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    return new Promise<Answer>((resolve, reject) => {
      let bytes = Buffer.alloc(0)
      const done = (settle: () => void) => {
        to.off('data', onData)
        to.off('close', onClose)
        settle()
      }
      const onData = (piece: Buffer) => {
        bytes = Buffer.concat([bytes, piece])
        const answer = answerIn(bytes)
        if (!answer) return
        if (answer.head.includes('\r\nconnection: close')) close()
        done(() => resolve(answer))
      }
      const onClose = () => done(() => reject(new NoAnswer(bytes.length === 0 ? 'closed' : 'cut')))
      to.on('data', onData)
      to.on('close', onClose)
      to.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
    })
  }

  function close(): void {
    socket?.destroy()
    socket = null
  }

  return { call, close }
}

export type Connection = ReturnType<typeof openConnection>
