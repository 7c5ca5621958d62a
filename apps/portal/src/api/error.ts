import type { ErrorCode, FieldProblem } from '@reeve/core'

/** The body of an error response. */
interface ErrorResponseBody {
  readonly error?: string
  readonly code?: ErrorCode
  readonly reason?: string
  readonly details?: readonly FieldProblem[]
  readonly requestId?: string
}

/** `offline` and `unreachable`: there was no response. `invalid_response`: the response is not Reeve's, for example a proxy's error page. */
export type ApiErrorCode = ErrorCode | 'offline' | 'unreachable' | 'invalid_response'

/** Reasons of a 401 that mean that the session is over. */
const SESSION_REASONS = new Set(['missing_credentials', 'invalid_session', 'session_expired'])

/** Every failed request throws this. The message is written for users. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: ApiErrorCode
  readonly reason: string | null
  readonly details: readonly FieldProblem[]
  /** For support requests; empty if there was no response. */
  readonly requestId: string

  constructor(status: number, code: ApiErrorCode, message: string, body: ErrorResponseBody = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.reason = body.reason ?? null
    this.details = body.details ?? []
    this.requestId = body.requestId ?? ''
  }

  /** Whether the session is over. */
  get isSessionExpired(): boolean {
    return this.status === 401 && this.reason !== null && SESSION_REASONS.has(this.reason)
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** The error for a request without a response: offline, or the server cannot be reached. */
export const createNetworkError = (): ApiError =>
  navigator.onLine
    ? new ApiError(0, 'unreachable', 'Reeve cannot be reached. Try again in a moment.')
    : new ApiError(0, 'offline', 'You are offline. Try again once you are connected.')

/** Reads the error from a response. */
export async function parseErrorResponse(response: Response): Promise<ApiError> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as ErrorResponseBody | null
  if (body?.error === undefined || body.code === undefined) {
    return new ApiError(
      status,
      'invalid_response',
      `Unexpected response from the server (${status}). Try again in a moment.`,
    )
  }
  const message =
    body.code === 'rate_limited'
      ? `Too many attempts. Try again ${formatRetryAfter(response.headers.get('retry-after'))}.`
      : body.error
  return new ApiError(status, body.code, message, body)
}

/** @param retryAfter whole seconds */
function formatRetryAfter(retryAfter: string | null): string {
  const seconds = Number(retryAfter)
  if (!(seconds > 0)) return 'later'
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `in ${new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)}`
}

/** The message to show for any thrown value. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong on this page. Reload it.'
