/** An invalid field of a request. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** A limit that an action exceeds. */
export interface ExceededLimit {
  /** The limit, as roles have it: `bansPerHour`, for example. */
  readonly name: string
  readonly value: string
  /** When the action is possible again; absent if only another person can do it. */
  readonly resetsAt?: string
}

/** What a response says about an error. */
export interface ErrorDetails {
  readonly reason?: string | null
  readonly permission?: string | null
  readonly details?: readonly FieldProblem[]
  readonly limit?: ExceededLimit | null
  readonly requestId?: string | null
  readonly retryAfter?: number | null
}

/**
 * Any failure of a request. Every `code` has a class of its own, so both work: `error instanceof NotFoundError` and
 * `error.code === 'not_found'`. A code that this version does not know is a `ReeveError`.
 */
export class ReeveError extends Error {
  override readonly name: string = 'ReeveError'
  /** Stable name of the error. */
  readonly code: string
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Which authorization check failed, for status 401 and 403. */
  readonly reason: string | null
  /** The permission that is missing, if `reason` is `missing_permission`. */
  readonly permission: string | null
  /** Every invalid field. */
  readonly details: readonly FieldProblem[]
  /** The limit, if `reason` is `over_limit` or `needs_approval`. */
  readonly limit: ExceededLimit | null
  /** The ID of the request, which is also in the log of the server; null if there was no response. */
  readonly requestId: string | null
  /** After how many seconds the server asks to send the request again; null if it does not. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    code: string,
    status: number,
    body: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.status = status
    this.reason = body.reason ?? null
    this.permission = body.permission ?? null
    this.details = body.details ?? []
    this.limit = body.limit ?? null
    this.requestId = body.requestId ?? null
    this.retryAfter = body.retryAfter ?? null
  }
}

/** 400: set `workspaceId` in the options of the client or of the request. */
export class MissingWorkspaceIdError extends ReeveError {
  override readonly name = 'MissingWorkspaceIdError'
  declare readonly code: 'missing_workspace_id'
}

/** 400: the body is not a valid JSON object. */
export class InvalidJsonError extends ReeveError {
  override readonly name = 'InvalidJsonError'
  declare readonly code: 'invalid_json'
}

/** 400: `details` names the invalid fields. */
export class InvalidRequestError extends ReeveError {
  override readonly name = 'InvalidRequestError'
  declare readonly code: 'invalid_request'
}

/** 401: the API key is unknown, revoked or expired; see `reason`. */
export class UnauthorizedError extends ReeveError {
  override readonly name = 'UnauthorizedError'
  declare readonly code: 'unauthorized'
}

/** 403: see `reason` and `permission`. */
export class ForbiddenError extends ReeveError {
  override readonly name = 'ForbiddenError'
  declare readonly code: 'forbidden'
}

/** 404: does not exist, or is not in this workspace. */
export class NotFoundError extends ReeveError {
  override readonly name = 'NotFoundError'
  declare readonly code: 'not_found'
}

/** 405: the server does not support this method at this path. */
export class MethodNotAllowedError extends ReeveError {
  override readonly name = 'MethodNotAllowedError'
  declare readonly code: 'method_not_allowed'
}

/** 408: the body of the request did not arrive in time. */
export class RequestTimeoutError extends ReeveError {
  override readonly name = 'RequestTimeoutError'
  declare readonly code: 'request_timeout'
}

/** 409: the current state does not allow this; the message names the conflict. */
export class ConflictError extends ReeveError {
  override readonly name = 'ConflictError'
  declare readonly code: 'conflict'
}

/** 409: the ban cannot be appealed; the message says why. */
export class NotAppealableError extends ReeveError {
  override readonly name = 'NotAppealableError'
  declare readonly code: 'not_appealable'
}

/** 409: the ban has an open appeal. */
export class AlreadyAppealedError extends ReeveError {
  override readonly name = 'AlreadyAppealedError'
  declare readonly code: 'already_appealed'
}

/** 409: it is too early or too late to appeal the ban; the message says when. */
export class AppealWindowClosedError extends ReeveError {
  override readonly name = 'AppealWindowClosedError'
  declare readonly code: 'appeal_window_closed'
}

/** 410: the changes since this position are not available; read the snapshot again. */
export class CursorGoneError extends ReeveError {
  override readonly name = 'CursorGoneError'
  declare readonly code: 'cursor_gone'
}

/** 409: the workspace has used up its storage quota; waiting does not help. */
export class StorageQuotaExceededError extends ReeveError {
  override readonly name = 'StorageQuotaExceededError'
  declare readonly code: 'storage_quota_exceeded'
}

/** 412: the record has changed since the version in `ifMatch`. */
export class VersionMismatchError extends ReeveError {
  override readonly name = 'VersionMismatchError'
  declare readonly code: 'version_mismatch'
}

/** 413: the body is too large. */
export class PayloadTooLargeError extends ReeveError {
  override readonly name = 'PayloadTooLargeError'
  declare readonly code: 'payload_too_large'
}

/** 415: the body is not JSON. */
export class UnsupportedMediaTypeError extends ReeveError {
  override readonly name = 'UnsupportedMediaTypeError'
  declare readonly code: 'unsupported_media_type'
}

/** 421: use the public URL of the server. */
export class MisdirectedRequestError extends ReeveError {
  override readonly name = 'MisdirectedRequestError'
  declare readonly code: 'misdirected_request'
}

/** 422: this idempotency key was used for a different request. */
export class IdempotencyMismatchError extends ReeveError {
  override readonly name = 'IdempotencyMismatchError'
  declare readonly code: 'idempotency_mismatch'
}

/** 429: too many requests, also after all retries; see `retryAfter`. */
export class RateLimitedError extends ReeveError {
  override readonly name = 'RateLimitedError'
  declare readonly code: 'rate_limited'
}

/** 429: the workspace has used up its monthly quota. */
export class QuotaExceededError extends ReeveError {
  override readonly name = 'QuotaExceededError'
  declare readonly code: 'quota_exceeded'
}

/** 499: the connection was closed before the request was complete. */
export class ClientClosedRequestError extends ReeveError {
  override readonly name = 'ClientClosedRequestError'
  declare readonly code: 'client_closed_request'
}

/** 500: a write may have taken effect. A retry with the same idempotency key is safe. */
export class InternalError extends ReeveError {
  override readonly name = 'InternalError'
  declare readonly code: 'internal_error'
}

/** 503: the server is temporarily unavailable, also after all retries. */
export class UnavailableError extends ReeveError {
  override readonly name = 'UnavailableError'
  declare readonly code: 'unavailable'
}

/** There was no response: the server cannot be reached, or the connection was lost. `cause` says why. */
export class ConnectionError extends ReeveError {
  override readonly name = 'ConnectionError'
  declare readonly code: 'connection_failed'
}

/** There was no complete response within `timeout`. */
export class TimeoutError extends ReeveError {
  override readonly name = 'TimeoutError'
  declare readonly code: 'timeout'
}

/** The response is not one of Reeve, for example the page of a proxy, the JSON of another program, or a redirect. */
export class InvalidResponseError extends ReeveError {
  override readonly name = 'InvalidResponseError'
  declare readonly code: 'invalid_response'
}

/** The class of each code that a server returns. */
export const errorClasses = {
  missing_workspace_id: MissingWorkspaceIdError,
  invalid_json: InvalidJsonError,
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  request_timeout: RequestTimeoutError,
  conflict: ConflictError,
  not_appealable: NotAppealableError,
  already_appealed: AlreadyAppealedError,
  appeal_window_closed: AppealWindowClosedError,
  cursor_gone: CursorGoneError,
  storage_quota_exceeded: StorageQuotaExceededError,
  version_mismatch: VersionMismatchError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  misdirected_request: MisdirectedRequestError,
  idempotency_mismatch: IdempotencyMismatchError,
  rate_limited: RateLimitedError,
  quota_exceeded: QuotaExceededError,
  client_closed_request: ClientClosedRequestError,
  internal_error: InternalError,
  unavailable: UnavailableError,
} as const satisfies Readonly<Record<string, typeof ReeveError>>
