/** The one table of failures: stable code → HTTP status and the sentence a person reads by default. */
export const errorCodes = {
  missing_workspace_id: { status: 400, defaultMessage: 'Missing workspaceId' },
  invalid_json: { status: 400, defaultMessage: 'The body is not one well-formed JSON object.' },
  invalid_request: {
    status: 400,
    defaultMessage: 'The request has fields that cannot be accepted; details names them.',
  },
  unauthorized: { status: 401, defaultMessage: 'The call carries no valid credentials.' },
  forbidden: { status: 403, defaultMessage: 'The caller may not do this.' },
  not_found: { status: 404, defaultMessage: 'There is no such record.' },
  method_not_allowed: {
    status: 405,
    defaultMessage: 'This address does not answer this method; Allow lists those it does.',
  },
  conflict: { status: 409, defaultMessage: 'The current state does not allow this.' },
  version_mismatch: {
    status: 412,
    defaultMessage: 'The record has changed since the version in If-Match; read it again before changing it.',
  },
  payload_too_large: { status: 413, defaultMessage: 'The body is larger than this endpoint accepts.' },
  unsupported_media_type: {
    status: 415,
    defaultMessage: 'Send the body with Content-Type: application/json.',
  },
  idempotency_mismatch: {
    status: 422,
    defaultMessage: 'This Idempotency-Key was used for another request; use a new key for a new request.',
  },
  rate_limited: { status: 429, defaultMessage: 'Too many calls; wait as long as Retry-After says.' },
  quota_exceeded: {
    status: 429,
    defaultMessage: 'The workspace has used up its monthly quota; writes resume when Retry-After has passed.',
  },
  internal_error: { status: 500, defaultMessage: 'Something went wrong on our side; nothing was changed.' },
  unavailable: {
    status: 503,
    defaultMessage: 'The service cannot do this right now; nothing was changed. Try again.',
  },
} as const satisfies Record<string, { status: number; defaultMessage: string }>

export type ErrorCode = keyof typeof errorCodes

/** Which authorisation check failed, and the sentence that says the way out. */
export const reasonMessages = {
  missing_credentials: 'Send an API key as a bearer token, or sign in to the portal.',
  invalid_key: 'This is not an API key of this instance; check that it was copied whole.',
  key_revoked: 'This API key was revoked; ask for a new one.',
  key_expired: 'This API key has expired; ask for a new one.',
  invalid_session: 'This session is not known; sign in again.',
  session_expired: 'This session has expired; sign in again.',
  wrong_workspace: 'This API key belongs to another workspace.',
  not_a_member: 'You are not a member of such a workspace.',
  missing_permission: 'The caller lacks the permission that this needs.',
  insufficient_rank: 'This needs a higher rank than the caller has.',
  endpoint_disabled: 'This endpoint is switched off in this workspace.',
  endpoint_read_only: 'This endpoint only answers reads in this workspace at present.',
  workspace_archived: 'This workspace is archived: it can be read, and restored, but not changed.',
  cross_site_request: 'A signed-in browser may only change things from the portal itself.',
  address_not_allowed: 'This API key may not be used from this network address.',
  session_required: 'This is for people signed in to the portal, not for API keys.',
} as const

export type AuthorizationReason = keyof typeof reasonMessages

/** One refused field: its name on the wire, and what would be accepted. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export interface AppErrorOptions {
  /** Replaces the table's sentence. Shown to the caller: never put a secret or library text here. */
  readonly message?: string
  readonly reason?: AuthorizationReason
  readonly permission?: string
  readonly details?: readonly FieldProblem[]
  /** Extra response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The only error the domain throws; `apps/api` turns it into an answer. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly options: AppErrorOptions

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(
      options.message ?? (options.reason ? reasonMessages[options.reason] : errorCodes[code].defaultMessage),
    )
    this.name = 'AppError'
    this.code = code
    this.options = options
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** A 400 that names the fields. @example throw invalid({ field: 'name', message: 'is required' }) */
export const invalidRequest = (...details: FieldProblem[]): AppError =>
  new AppError('invalid_request', { details })

/** A 400 for fields that this request needs and does not carry. */
export const missingFields = (...fields: string[]): AppError =>
  invalidRequest(...fields.map((field) => ({ field, message: 'is required' })))

/**
 * The input with these fields present.
 * @throws AppError `invalid_request` that names every one it does not carry
 * @example const { name } = needed(input, 'name')
 */
export function requireFields<Input extends object, const Name extends keyof Input & string>(
  input: Input,
  ...names: Name[]
): { [Key in Name]-?: Exclude<Input[Key], undefined> } {
  const absent = names.filter((name) => input[name] === undefined)
  if (absent.length > 0) throw missingFields(...absent)
  return input as { [Key in Name]-?: Exclude<Input[Key], undefined> }
}

/** A 401 with the check that failed. */
export const unauthorized = (reason: AuthorizationReason): AppError =>
  new AppError('unauthorized', { reason })

/** A 403 with the check that failed. */
export const forbidden = (reason: AuthorizationReason, message?: string): AppError =>
  new AppError('forbidden', message ? { reason, message } : { reason })
