import { type ErrorCode, errorCodes, type FieldProblem, formatRetryAfter, reasonMessages } from '@reeve/core'

/** The body of an error response. */
interface ErrorResponseBody {
  readonly error?: string
  readonly code?: ErrorCode
  readonly reason?: string
  readonly details?: readonly FieldProblem[]
  readonly requestId?: string
}

/** `offline` and `unreachable`: there was no response. `invalid_response`: the response is not Reeve's, for example a proxy's error page. `updated`: a newer version has replaced code that the page needs. */
export type ApiErrorCode = ErrorCode | 'offline' | 'unreachable' | 'invalid_response' | 'updated'

/** Reasons of a 401 that mean that the session is over. */
const sessionEndReasons = ['missing_credentials', 'invalid_session', 'session_expired'] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** An error whose message is written for users. */
export class UserError extends Error {}

/** Every failed request throws this. */
export class ApiError extends UserError {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: ApiErrorCode
  readonly reason: string | null
  readonly details: readonly FieldProblem[]
  /** For support requests; empty if there was no response. */
  readonly requestId: string
  /** Whether the write may have been done: the same one again is a retry. */
  isOutcomeUnknown: boolean

  constructor(status: number, code: ApiErrorCode, message: string, body: ErrorResponseBody = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.reason = body.reason ?? null
    this.details = body.details ?? []
    this.requestId = body.requestId ?? ''
    this.isOutcomeUnknown = status === 0
  }

  /** Whether the session is over. */
  get isSessionExpired(): boolean {
    return isSessionEndReason(this)
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** Whether a request failed with a code. */
export const hasErrorCode = (error: unknown, code: ApiErrorCode): error is ApiError =>
  error instanceof ApiError && error.code === code

/** Whether a write was rejected because someone else had changed its target. */
export const isVersionMismatch = (error: unknown): error is ApiError =>
  hasErrorCode(error, 'version_mismatch')

/** Whether what the path of a screen names does not exist, or is not even an ID. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

/** Whether an error means that the session is over, and why. */
export const isSessionEndReason = (
  error: ApiError,
): error is ApiError & { readonly reason: SessionEndReason } =>
  error.status === 401 && sessionEndReasons.some((reason) => reason === error.reason)

/** The error for a request without a response: offline, or the server cannot be reached. */
export const createNetworkError = (): ApiError =>
  navigator.onLine
    ? new ApiError(0, 'unreachable', 'Reeve cannot be reached. Try again in a moment.')
    : new ApiError(0, 'offline', 'You are offline. Try again once you are connected.')

/** The error for code of the page that a newer version has replaced. */
export const createUpdatedError = (): ApiError =>
  new ApiError(0, 'updated', 'Reeve was updated. Reload the page to continue.')

/** The error for a write without a response. The client sends it again with the same idempotency key. */
export const createTimeoutError = (): ApiError =>
  new ApiError(0, 'unreachable', 'Reeve has not responded for a minute. Try again: nothing is done twice.')

/** Default messages that advise programs to retry with the same key, which the portal's client does itself. */
const portalMessages: Partial<Record<ErrorCode, string>> = {
  internal_error: 'Internal error. The change may or may not have been saved. Try again.',
  request_timeout: 'Sending took too long. Try again, or choose a smaller image.',
  unavailable: 'Reeve is temporarily unavailable. Try again in a moment.',
}

/** A write that is sent again with the same key while the server still works on the first attempt. */
const STILL_IN_PROGRESS =
  'Reeve still works on your first attempt. Try again in a moment: nothing is done twice.'

/** Stays in a form after signing in again. */
const SESSION_OVER = 'Your session had ended, so nothing was saved. Sign in, then try again.'

/** A read changes nothing. */
type RequestKind = 'read' | 'write'

/** The message of an internal error of a read. */
const READ_FAILED = 'Internal error. Try again in a moment.'

function toPortalMessage(code: ErrorCode, message: string, kind: RequestKind): string {
  if (message !== errorCodes[code]?.defaultMessage) return message
  return code === 'internal_error' && kind === 'read' ? READ_FAILED : (portalMessages[code] ?? message)
}

/** Reads the error from the response to a request. */
export async function parseErrorResponse(response: Response, kind: RequestKind): Promise<ApiError> {
  const error = await toApiError(response, kind)
  error.isOutcomeUnknown = isOutcomeUnknown(response)
  return error
}

/** Whether a response leaves open what became of the write, or of an earlier attempt: a retry must have the same key. */
export const isOutcomeUnknown = ({ status, headers }: Response): boolean =>
  status >= 500 ||
  // The gate has refused this attempt, or an earlier one is still in progress.
  status === 401 ||
  status === 429 ||
  (status === 409 && headers.has('retry-after'))

async function toApiError(response: Response, kind: RequestKind): Promise<ApiError> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as ErrorResponseBody | null
  if (body?.error === undefined || body.code === undefined) {
    return new ApiError(
      status,
      'invalid_response',
      `Unexpected response from the server (${status}). Try again in a moment.`,
    )
  }
  if (body.code === 'rate_limited') {
    const message = toRateLimitMessage(body.error, Number(response.headers.get('retry-after')))
    return new ApiError(status, body.code, message, body)
  }
  if (status === 409 && response.headers.has('retry-after'))
    return new ApiError(status, body.code, STILL_IN_PROGRESS, body)
  const error = new ApiError(status, body.code, toPortalMessage(body.code, body.error, kind), body)
  // A wrong password or code has the same reason, but a message of its own.
  const isSessionOver = isSessionEndReason(error) && body.error === reasonMessages[error.reason]
  return isSessionOver ? new ApiError(status, body.code, SESSION_OVER, body) : error
}

/** The message with the time to wait in the largest unit that fits. @param seconds from `Retry-After` */
function toRateLimitMessage(message: string, seconds: number): string {
  const wait = `Try again ${seconds > 0 ? `in ${formatWait(seconds)}` : 'later'}.`
  return message === errorCodes.rate_limited.defaultMessage
    ? `Too many attempts. ${wait}`
    : message.replace(formatRetryAfter(seconds), wait)
}

const MAX_OF_UNIT = 100

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const [count, unit] =
    seconds < MAX_OF_UNIT
      ? [seconds, 'second']
      : minutes < MAX_OF_UNIT
        ? [minutes, 'minute']
        : [Math.ceil(minutes / 60), 'hour']
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** The message to show for any thrown value. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof UserError ? error.message : 'Something went wrong on this page. Reload it.'
