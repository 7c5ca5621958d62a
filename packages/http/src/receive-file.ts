import { AppError } from '@reeve/core'
import { type BodySender, CLOSE, createBudget, type ReceiveLimits } from './body-budget.ts'
import { readContentLength } from './content-length.ts'
import { payloadTooLarge } from './receive-body.ts'

/** Limits of the files that one process receives. A file is in memory until it is stored. */
export interface FileLimits extends ReceiveLimits {
  /** How long a sender may send nothing, in milliseconds. */
  readonly idleMs: number
}

const MIB = 1024 * 1024

export const fileLimits: FileLimits = {
  total: 128 * MIB,
  perSender: 52 * MIB,
  unauthenticated: 26 * MIB,
  perIp: 26 * MIB,
  // 25 MB at 42 kB/s.
  timeoutMs: 600_000,
  idleMs: 30_000,
}

/** Receives files in bounded memory, however slowly they arrive. */
export interface FileReceiver {
  /**
   * Receives the body of a request as a file.
   * @param limit its maximum size in bytes
   * @param use gets the bytes, which count as in flight until its promise settles
   * @throws AppError `payload_too_large`, `request_timeout`, `client_closed_request`; `unavailable` if too many files are in
   *   flight; what `use` throws
   */
  readonly receive: <Result>(
    request: Request,
    limit: number,
    sender: BodySender,
    use: (bytes: Uint8Array) => Promise<Result>,
  ) => Promise<Result>
}

export function createFileReceiver(limits: FileLimits = fileLimits): FileReceiver {
  const budget = createBudget(limits)
  return {
    async receive(request, limit, sender, use) {
      const announced = readContentLength(request)
      if (announced !== null && announced > limit) throw payloadTooLarge(limit)
      try {
        if (announced !== null) budget.reserve(request, sender, announced)
        return await use(
          await readFile(request, announced, limits, (received, more) => {
            if (received > limit) throw payloadTooLarge(limit)
            if (announced === null) budget.reserve(request, sender, more)
          }),
        )
      } finally {
        budget.release(request)
      }
    },
  }
}

/** @param accept receives the bytes so far and those of the new chunk; throws if they are too many */
async function readFile(
  { body }: Request,
  announced: number | null,
  limits: FileLimits,
  accept: (received: number, more: number) => void,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const bytes = announced === null ? null : new Uint8Array(announced)
  const chunks: Uint8Array[] = []
  const deadline = performance.now() + limits.timeoutMs
  let received = 0
  try {
    for (;;) {
      const chunk = await readInTime(reader, Math.min(limits.idleMs, deadline - performance.now()))
      if (chunk === null) return bytes ?? Buffer.concat(chunks)
      accept(received + chunk.length, chunk.length)
      if (bytes === null) chunks.push(chunk)
      else bytes.set(chunk, received)
      received += chunk.length
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('client_closed_request')
  } finally {
    // After a complete body this does nothing. The connection of an incomplete one is closed anyway.
    reader.cancel().catch(() => {})
  }
}

/** The next chunk; null at the end. @throws AppError `request_timeout` */
async function readInTime(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>,
  timeoutMs: number,
): Promise<Uint8Array | null> {
  let timer: Timer | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('request_timeout', { headers: CLOSE })), timeoutMs)
  })
  try {
    const { done, value } = await Promise.race([reader.read(), expired])
    return done ? null : value
  } finally {
    clearTimeout(timer)
  }
}
