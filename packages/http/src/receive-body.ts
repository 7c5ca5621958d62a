import { AppError } from '@reeve/core'
import { freeBytes, yieldToEventLoop } from '@reeve/db'
import { BODY_LIMIT, EMPTY_BODY, type JsonBody, parseJsonBody } from './body.ts'

/** Limits of the bodies that one process receives. */
export interface ReceiveLimits {
  /** Bytes of all bodies that are being received or processed. */
  readonly total: number
  /** Bytes of those from one sender: an account, or the API keys of one workspace. */
  readonly perSender: number
  /** Bytes of those from all senders without valid credentials. */
  readonly unauthenticated: number
  /** Bytes of those without valid credentials from one IP address. */
  readonly perIp: number
  /** How long a body may take to arrive, in milliseconds. */
  readonly timeoutMs: number
}

const MIB = 1024 * 1024

/** How many large bodies are processed at the same time: text, image and rows of each take several times its size. */
const MAX_LARGE_BODIES = 4

export const receiveLimits: ReceiveLimits = {
  total: 64 * MIB,
  perSender: 16 * MIB,
  unauthenticated: 16 * MIB,
  perIp: 4 * MIB,
  timeoutMs: 30_000,
}

/** Who sends a body. */
export interface BodySender {
  /** Identifies the account, the workspace of the API key, or the network of the client. */
  readonly id: string
  readonly isAuthenticated: boolean
  /** The error of invalid credentials. It is the response if the body is too large for a sender without valid ones. */
  readonly rejection: AppError | null
}

/** Receives request bodies in bounded memory and time. */
export interface BodyReceiver {
  /**
   * Receives the body of a request and parses it. Its bytes count as in flight until `release`.
   * @param limit the route's limit in bytes; a larger body is rejected as soon as that is known, without keeping the rest
   * @throws AppError `payload_too_large`, `unsupported_media_type`, `invalid_json`; `request_timeout`;
   *   `client_closed_request`; `unavailable` if too many bodies are in flight; the sender's `rejection`
   */
  readonly receive: (request: Request, limit: number, sender: BodySender) => Promise<JsonBody>
  /** Releases the memory of a request that has been answered. */
  readonly release: (request: Request) => void
}

/**
 * How much of a rejected body is read and dropped before the response, for how long, and of how many bodies at once.
 * Closing a connection while the client sends resets it, and the client may lose the response: nginx reports a 502 then.
 */
const MAX_DISCARDED_BYTES = 4 * MIB
const DISCARD_MS = 1000
const MAX_DISCARDING = 8

/** The connection is closed after the response: no more of the body is read. */
const CLOSE = { connection: 'close' }

const payloadTooLarge = (limit: number) =>
  new AppError('payload_too_large', {
    message: `The request body exceeds the limit of ${limit} bytes for this endpoint.`,
    headers: CLOSE,
  })

const closeAfter = ({ code, message, options }: AppError) =>
  new AppError(code, { ...options, message, headers: { ...options.headers, ...CLOSE } })

export function createBodyReceiver(limits: ReceiveLimits = receiveLimits): BodyReceiver {
  const budget = createBudget(limits)
  const discarder = createDiscarder()
  const slots = createSlots(MAX_LARGE_BODIES)

  async function receive(request: Request, limit: number, sender: BodySender): Promise<JsonBody> {
    const header = request.headers.get('content-length')
    const contentLength = header === null ? null : Number(header)
    const { body } = request
    if (body === null || contentLength === 0) return EMPTY_BODY
    const ownLimit = sender.rejection ? Math.min(limit, BODY_LIMIT) : limit
    /** @param received bytes so far, or as announced @param more those that are not reserved yet */
    const accept = (received: number, more: number) => {
      if (received > limit) throw payloadTooLarge(limit)
      if (received > ownLimit && sender.rejection) throw closeAfter(sender.rejection)
      budget.reserve(request, sender, more)
    }
    if (contentLength !== null) {
      try {
        accept(contentLength, contentLength)
      } catch (error) {
        if (contentLength <= MAX_DISCARDED_BYTES) await discarder.discard(body.getReader())
        throw error
      }
    }
    const bytes = await withTimeout(limits.timeoutMs, (expired) =>
      contentLength === null
        ? readChunks(body, expired, accept, discarder)
        : Promise.race([request.bytes(), expired]),
    )
    if (bytes.length > BODY_LIMIT) await slots.acquire(request)
    await yieldForLargeBody(bytes.length)
    try {
      return parseJsonBody(bytes, request.headers.get('content-type'))
    } finally {
      freeBytes(bytes)
    }
  }

  return {
    receive,
    release(request) {
      slots.release(request)
      budget.release(request)
    },
  }
}

/** Lets other requests run before a step on a large body: several that are complete at the same time take a turn each. */
export async function yieldForLargeBody(size: number): Promise<void> {
  if (size > BODY_LIMIT) await yieldToEventLoop()
}

interface Discarder {
  /** Reads and drops what arrives of a rejected body, unless too many others are being dropped. */
  readonly discard: (reader: BodyStreamReader) => Promise<void>
}

/** What a discarder needs of a reader, whose types in Bun and in the DOM differ. */
interface BodyStreamReader {
  readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
}

function createDiscarder(): Discarder {
  let running = 0
  return {
    async discard(reader) {
      if (running === MAX_DISCARDING) return
      running += 1
      let timer: Timer | undefined
      const expired = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), DISCARD_MS)
      })
      try {
        for (let discarded = 0; discarded <= MAX_DISCARDED_BYTES; ) {
          const next = await Promise.race([reader.read(), expired])
          if (next === null || next.done) return
          discarded += next.value?.length ?? 0
        }
      } catch {
        // The client has disconnected.
      } finally {
        clearTimeout(timer)
        running -= 1
      }
    },
  }
}

/**
 * Reads a body without `Content-Length` in chunks.
 * @param accept receives the bytes so far and those of the new chunk; throws if they are too many
 */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  expired: Promise<never>,
  accept: (received: number, chunk: number) => void,
  discarder: Discarder,
): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let received = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), expired])
      if (done) return Buffer.concat(chunks)
      received += value.length
      try {
        accept(received, value.length)
      } catch (error) {
        await discarder.discard(reader)
        throw error
      }
      chunks.push(value)
    }
  } finally {
    // After a complete body this does nothing. The connection of an incomplete one is closed anyway.
    reader.cancel().catch(() => {})
  }
}

/** @param read reads the body until the promise rejects @throws AppError `request_timeout`, `client_closed_request` */
async function withTimeout(
  timeoutMs: number,
  read: (expired: Promise<never>) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let timer: Timer | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('request_timeout', { headers: CLOSE })), timeoutMs)
  })
  try {
    return await read(expired)
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('client_closed_request')
  } finally {
    clearTimeout(timer)
  }
}

/** Counts the bytes of bodies in flight, in total and by sender, so that no sender can use up the memory of the others. */
function createBudget(limits: ReceiveLimits) {
  const used = new Map<string, number>()
  const reservations = new WeakMap<Request, { readonly pools: readonly Pool[]; bytes: number }>()

  const add = (pools: readonly Pool[], bytes: number) => {
    for (const [name] of pools) {
      const sum = (used.get(name) ?? 0) + bytes
      if (sum > 0) used.set(name, sum)
      else used.delete(name)
    }
  }

  return {
    /** @throws AppError `unavailable` with `Retry-After` */
    reserve(request: Request, sender: BodySender, bytes: number): void {
      const { pools } = reservations.get(request) ?? { pools: listPools(limits, sender) }
      if (pools.some(([name, max]) => (used.get(name) ?? 0) + bytes > max)) {
        throw new AppError('unavailable', {
          message: 'Too many request bodies are being received. Retry in a few seconds.',
          headers: { 'retry-after': '5', ...CLOSE },
        })
      }
      add(pools, bytes)
      reservations.set(request, { pools, bytes: (reservations.get(request)?.bytes ?? 0) + bytes })
    },
    release(request: Request): void {
      const reservation = reservations.get(request)
      if (!reservation) return
      reservations.delete(request)
      add(reservation.pools, -reservation.bytes)
    },
  }
}

/** Limits how many requests are in a step at the same time. The others wait in the order of their arrival. */
function createSlots(max: number) {
  const holders = new WeakSet<Request>()
  const waiting: (() => void)[] = []
  let free = max

  return {
    async acquire(request: Request): Promise<void> {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      holders.add(request)
    },
    /** Does nothing for a request without a slot. */
    release(request: Request): void {
      if (!holders.delete(request)) return
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}

/** A name and the maximum of its bytes. */
type Pool = readonly [name: string, max: number]

const listPools = (limits: ReceiveLimits, { id, isAuthenticated }: BodySender): readonly Pool[] => [
  ['total', limits.total],
  ...(isAuthenticated
    ? [[`sender ${id}`, limits.perSender] as const]
    : ([
        ['unauthenticated', limits.unauthenticated],
        [`ip ${id}`, limits.perIp],
      ] as const)),
]
