import { AppError } from '@reeve/core'
import { freeBytes, yieldToEventLoop } from '@reeve/db'
import { BODY_LIMIT, EMPTY_BODY, type JsonBody, type ParseBody, parseJsonBody } from './body.ts'
import { type BodySender, CLOSE, createBudget, type ReceiveLimits } from './body-budget.ts'
import { readContentLength } from './content-length.ts'
import { decompressGzip, isGzip } from './decompress.ts'

const MIB = 1024 * 1024

/** How many large bodies are processed at the same time: text, image and rows of each take several times its size. */
const MAX_LARGE_BODIES = 2

export const receiveLimits: ReceiveLimits = {
  total: 64 * MIB,
  perSender: 16 * MIB,
  unauthenticated: 16 * MIB,
  perIp: 4 * MIB,
  timeoutMs: 30_000,
}

type Receive = (request: Request, limit: number, sender: BodySender, parse?: ParseBody) => Promise<JsonBody>

/** Receives request bodies in bounded memory and time. */
export interface BodyReceiver {
  /**
   * Receives the body of a request that has one (`hasBody`), decompresses and parses it. Its bytes count as in flight until `release`.
   * @param limit the route's limit in bytes; a larger body is rejected as soon as that is known, without keeping the rest
   * @param parse reads the bytes by their media type; JSON by default
   * @throws AppError `payload_too_large`, `unsupported_media_type`, `invalid_json`; `request_timeout`;
   *   `client_closed_request`; `unavailable` if too many bodies are in flight; the sender's `rejection`
   */
  readonly receive: Receive
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

export const payloadTooLarge = (limit: number) =>
  new AppError('payload_too_large', {
    message: `The request body exceeds the limit of ${limit} bytes for this endpoint.`,
    headers: CLOSE,
  })

const closeAfter = ({ code, message, options }: AppError) =>
  new AppError(code, { ...options, message, headers: { ...options.headers, ...CLOSE } })

/**
 * Whether a request has a body. To read the property `body` creates a stream, so it is only read where the length does not say it: the engine drops
 * the body of a GET, whatever its length.
 */
export const hasBody = (request: Request): boolean =>
  (request.method !== 'GET' && Number(readContentLength(request)) > 0) || request.body !== null

const getReader = ({ body }: Request) => (body as NonNullable<typeof body>).getReader()

export function createBodyReceiver(limits: ReceiveLimits = receiveLimits): BodyReceiver {
  const budget = createBudget(limits)
  const discarder = createDiscarder()
  const slots = createSlots(MAX_LARGE_BODIES)

  const receive: Receive = async (request, limit, sender, parse = parseJsonBody) => {
    const contentLength = readContentLength(request)
    if (contentLength === 0) return EMPTY_BODY
    const ownLimit = sender.rejection ? Math.min(limit, BODY_LIMIT) : limit
    /** @param received bytes so far, or as announced @param more those that are not reserved yet */
    const accept = (received: number, more: number) => {
      if (received > limit) throw payloadTooLarge(limit)
      if (received > ownLimit && sender.rejection) throw closeAfter(sender.rejection)
      budget.reserve(request, sender, more)
    }
    /** The limits apply to the result, which is in memory too. */
    const decompress = async (compressed: Uint8Array) => {
      const result = await decompressGzip(compressed, ownLimit, () =>
        ownLimit < limit && sender.rejection ? closeAfter(sender.rejection) : payloadTooLarge(limit),
      )
      freeBytes(compressed)
      accept(result.length, Math.max(0, result.length - compressed.length))
      return result
    }
    if (contentLength !== null) {
      try {
        accept(contentLength, contentLength)
      } catch (error) {
        if (contentLength <= MAX_DISCARDED_BYTES) await discarder.discard(getReader(request))
        throw error
      }
    }
    const received = await withTimeout(limits.timeoutMs, (expired) =>
      contentLength === null
        ? readChunks(getReader(request), expired, accept, discarder)
        : Promise.race([request.bytes(), expired]),
    )
    const isCompressed = isGzip(request.headers.get('content-encoding'))
    if (received.length > BODY_LIMIT || (isCompressed && ownLimit > BODY_LIMIT)) await slots.acquire(request)
    await yieldForLargeBody(received.length)
    const bytes = isCompressed ? await decompress(received) : received
    try {
      return parse(bytes, request.headers.get('content-type'))
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
          if (!next?.value) return
          discarded += next.value.length
          freeBytes(next.value)
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
  reader: ReturnType<typeof getReader>,
  expired: Promise<never>,
  accept: (received: number, chunk: number) => void,
  discarder: Discarder,
): Promise<Uint8Array> {
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
