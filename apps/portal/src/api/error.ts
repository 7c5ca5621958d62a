import { type ErrorCode, errorCodes, type FieldProblem } from '@reeve/core'

/** What the server says of a call that it refused. */
interface ErrorResponseBody {
  readonly error?: string
  readonly code?: ErrorCode
  readonly reason?: string
  readonly details?: readonly FieldProblem[]
  readonly requestId?: string
}

/** `offline` and `unreachable`: no answer came. `bad_answer`: something in between answered in its own words. */
export type ApiErrorCode = ErrorCode | 'offline' | 'unreachable' | 'bad_answer'

/** Reasons of a 401 that mean: nobody is signed in here any more. */
const SESSION_REASONS = new Set(['missing_credentials', 'invalid_session', 'session_expired'])

/** The one way in which a call to the server fails. Its message is a sentence for a person. */
export class ApiError extends Error {
  /** 0 where no answer came. */
  readonly status: number
  readonly code: ApiErrorCode
  readonly reason: string | null
  readonly details: readonly FieldProblem[]
  /** Quoted when asking for help; empty where no answer came. */
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

  /** Whether the session that made the call is over. */
  get isSessionExpired(): boolean {
    return this.status === 401 && this.reason !== null && SESSION_REASONS.has(this.reason)
  }

  /** Whether the same call may go better in a moment, through no change of the caller's. */
  get isRetryable(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** Where no answer came: the reader's own connection is told apart from a server that cannot be reached. */
export const createNetworkError = (): ApiError =>
  navigator.onLine
    ? new ApiError(0, 'unreachable', 'Reeve cannot be reached. Try again in a moment.')
    : new ApiError(0, 'offline', 'You are offline. Try again once you are connected.')

/** Default messages that advise programs to retry with the same key, which the portal's client does itself. */
const portalMessages: Partial<Record<ErrorCode, string>> = {
  internal_error: 'Internal error. The change may or may not have been saved. Try again.',
  unavailable: 'Reeve is temporarily unavailable. Try again in a moment.',
}

const toPortalMessage = (code: ErrorCode, message: string): string =>
  message === errorCodes[code]?.defaultMessage ? (portalMessages[code] ?? message) : message

/** Where an answer came that is a refusal, or none of Reeve's. */
export async function parseErrorResponse(response: Response): Promise<ApiError> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as ErrorResponseBody | null
  if (body?.error === undefined || body.code === undefined) {
    return new ApiError(
      status,
      'bad_answer',
      `Reeve did not answer properly (${status}). Try again in a moment.`,
    )
  }
  const message =
    body.code === 'rate_limited'
      ? `Too many attempts. Try again ${formatRetryAfter(response.headers.get('retry-after'))}.`
      : toPortalMessage(body.code, body.error)
  return new ApiError(status, body.code, message, body)
}

/** @param retryAfter whole seconds */
function formatRetryAfter(retryAfter: string | null): string {
  const seconds = Number(retryAfter)
  if (!(seconds > 0)) return 'later'
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `in ${new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)}`
}

/** What to tell of whatever went wrong. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong on this page. Load it again.'
