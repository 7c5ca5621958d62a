import {
  ConnectionError,
  type ErrorDetails,
  errorClasses,
  InvalidResponseError,
  ReeveError,
  TimeoutError,
} from './errors.ts'
import type { RequestOptions, Settings } from './options.ts'
import { parseRetryAfter, waitBeforeRetry } from './retry.ts'

/** How to send a request, and what it returns. */
export interface SendOptions extends RequestOptions {
  readonly retries: number
  /** The body of a success has one of these fields. */
  readonly firstFields?: readonly string[] | undefined
}

/**
 * Frameworks that replace `fetch` can cache responses unless this option says otherwise. Workers with an older compatibility date reject
 * the option, and do without it what the server says: responses have `Cache-Control: no-store`.
 */
const CACHE_OPTION: Pick<RequestInit, 'cache'> = acceptsCacheOption() ? { cache: 'no-store' } : {}

function acceptsCacheOption(): boolean {
  try {
    new Request('https://reeve.example.com', { cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

/**
 * Sends a request until it succeeds, its error is final, or its retries are used up. All attempts are the same request, with the same
 * idempotency key.
 * @returns a response whose body has arrived: a success of Reeve, or 304 to a request with `If-None-Match`
 * @throws ReeveError, or the reason of the signal
 */
export async function send(request: Request, settings: Settings, options: SendOptions): Promise<Response> {
  const body = request.body === null ? null : await request.text()
  for (let attempt = 0; ; attempt++) {
    options.signal?.throwIfAborted()
    try {
      return await sendOnce(request, body, settings, options)
    } catch (error) {
      if (attempt >= options.retries || !(error instanceof ReeveError)) throw error
      await waitBeforeRetry(error, attempt, settings.maxRetryDelay, options.signal)
    }
  }
}

async function sendOnce(
  request: Request,
  body: string | null,
  settings: Settings,
  { signal, timeout = settings.timeout, firstFields }: SendOptions,
): Promise<Response> {
  const timer = AbortSignal.timeout(timeout)
  try {
    const response = await settings.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body,
      // Following a redirect would turn a write into a read.
      redirect: 'manual',
      ...CACHE_OPTION,
      signal: signal ? AbortSignal.any([signal, timer]) : timer,
    })
    // Within the attempt: a body that does not arrive is a failed attempt.
    return checkResponse(request, response, await response.text(), firstFields)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof ReeveError) throw error
    const { origin } = new URL(request.url)
    if (timer.aborted)
      throw new TimeoutError(
        `No response from ${origin} within ${timeout} ms.`,
        'timeout',
        0,
        {},
        { cause: error },
      )
    throw new ConnectionError(`Cannot reach ${origin}.`, 'connection_failed', 0, {}, { cause: error })
  }
}

interface ErrorBody {
  readonly error?: unknown
  readonly code?: unknown
}

/** @throws ReeveError if the response is not a success of Reeve */
function checkResponse(
  request: Request,
  response: Response,
  text: string,
  firstFields: readonly string[] | undefined,
): Response {
  const { status, headers } = response
  if (status === 304 && request.headers.has('if-none-match')) return new Response(null, { status, headers })
  const body = parseJson(text)
  // Other programs respond with JSON, too: proxies and maintenance pages, for example.
  const isExpected = body !== null && (firstFields?.some((field) => Object.hasOwn(body, field)) ?? true)
  if (response.ok && isExpected) return new Response(text, { status, headers })
  const retryAfter = parseRetryAfter(headers.get('retry-after'))
  const { error, code } = (body ?? {}) as ErrorBody
  if (!response.ok && typeof error === 'string' && typeof code === 'string')
    throw createError(code, error, status, { ...body, retryAfter })
  const requestId = headers.get('x-request-id')
  throw new InvalidResponseError(describeInvalid(request, response), 'invalid_response', status, {
    requestId,
    retryAfter,
  })
}

function describeInvalid({ url }: Request, { status, type, headers }: Response): string {
  const { origin } = new URL(url)
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
    const location = headers.get('location')
    return `${origin} redirects${location ? ` to ${location}` : ''}: set \`url\` to the URL of the instance itself.`
  }
  return `The response of ${origin} is not one of Reeve (status ${status}).`
}

/** @returns an object; null if the text is something else */
function parseJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Creates the error of the class that belongs to a code. */
function createError(code: string, message: string, status: number, body: ErrorDetails): ReeveError {
  const ErrorClass = Object.hasOwn(errorClasses, code)
    ? errorClasses[code as keyof typeof errorClasses]
    : ReeveError
  return new ErrorClass(message, code, status, body)
}
