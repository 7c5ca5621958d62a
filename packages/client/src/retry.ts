import type { ReeveError } from './errors.ts'

/** The first wait before a retry; every further one is twice as long. */
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 8000

/** Statuses after which the same request may succeed, besides those of servers and proxies that fail. */
const RETRYABLE_STATUSES = [408, 429]

/** Whether the same request may succeed later. A conflict with `Retry-After` is with another attempt of the same request. */
export const isRetryable = ({ code, status, retryAfter }: ReeveError): boolean =>
  code === 'connection_failed' ||
  code === 'timeout' ||
  status >= 500 ||
  RETRYABLE_STATUSES.includes(status) ||
  (status === 409 && retryAfter !== null)

/**
 * Waits as long as the server asks, or else longer after each attempt. A random part keeps clients that failed together from
 * coming back together.
 * @param attempt the number of attempts before the last one
 * @throws the error, if a retry would not help or the server asks for a longer wait than `maxDelay`
 */
export async function waitBeforeRetry(
  error: ReeveError,
  attempt: number,
  maxDelay: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const requested = (error.retryAfter ?? 0) * 1000
  if (!isRetryable(error) || requested > maxDelay) throw error
  await sleep(Math.min(requested + chooseDelay(attempt), Math.max(requested, maxDelay)), signal)
}

/** @returns milliseconds: half of it is random */
export const chooseDelay = (attempt: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (0.5 + Math.random() / 2)

/** Waits. @throws the reason of the signal once it is aborted */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Seconds until the time in `Retry-After`, which is a number of seconds or a date; null if it is neither. */
export function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000))
}
