/** Every error code: stable for clients, with its HTTP status and default message. */
export const errorCodes = {
  missing_workspace_id: { status: 400, defaultMessage: 'Missing workspaceId' },
  invalid_json: { status: 400, defaultMessage: 'The request body is not a valid JSON object.' },
  invalid_request: { status: 400, defaultMessage: 'The request has invalid fields.' },
  unauthorized: { status: 401, defaultMessage: 'The request has no valid credentials.' },
  forbidden: { status: 403, defaultMessage: 'You are not allowed to do this.' },
  not_found: { status: 404, defaultMessage: 'Not found.' },
  method_not_allowed: {
    status: 405,
    defaultMessage: 'Method not allowed; the Allow header lists the supported methods.',
  },
  request_timeout: { status: 408, defaultMessage: 'The request body did not arrive in time.' },
  conflict: { status: 409, defaultMessage: 'The current state of the resource does not allow this.' },
  not_appealable: { status: 409, defaultMessage: 'This ban cannot be appealed.' },
  already_appealed: { status: 409, defaultMessage: 'There is already an open appeal of this ban.' },
  appeal_window_closed: { status: 409, defaultMessage: 'This ban cannot be appealed at this time.' },
  cursor_gone: {
    status: 410,
    defaultMessage:
      'The changes since this sequence are not available. Read the snapshot, and continue from its sequence.',
  },
  storage_quota_exceeded: {
    status: 409,
    defaultMessage: 'The workspace has used up its storage quota.',
  },
  version_mismatch: {
    status: 412,
    defaultMessage: 'The resource has changed since the version in If-Match; read it again and retry.',
  },
  payload_too_large: { status: 413, defaultMessage: 'The request body is too large for this endpoint.' },
  unsupported_media_type: {
    status: 415,
    defaultMessage: 'Send the request body with Content-Type: application/json.',
  },
  misdirected_request: {
    status: 421,
    defaultMessage:
      'This is not the host name of this server. Use its public URL; operators can list more names in REEVE_HOSTS.',
  },
  idempotency_mismatch: {
    status: 422,
    defaultMessage: 'This Idempotency-Key was already used for a different request; use a new key.',
  },
  rate_limited: {
    status: 429,
    defaultMessage: 'Rate limit exceeded; retry after the number of seconds in Retry-After.',
  },
  quota_exceeded: {
    status: 429,
    defaultMessage:
      'The workspace has used up its monthly quota; writes with API keys are accepted again after the number of seconds in Retry-After, or once an operator raises the quota.',
  },
  /** For the log and the metrics, with the status that nginx uses: there is nobody left to send it to. */
  client_closed_request: {
    status: 499,
    defaultMessage: 'The client closed the connection before its request was complete.',
  },
  internal_error: {
    status: 500,
    defaultMessage:
      'Internal error. The change may or may not have been applied; retry with the same Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    defaultMessage: 'Service temporarily unavailable; retry with the same Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; defaultMessage: string }>

export type ErrorCode = keyof typeof errorCodes

/** How long to wait, in the message of an error with `Retry-After`. The portal writes it in hours or minutes. */
export const formatRetryAfter = (seconds: number): string => `Try again in ${seconds} seconds.`

/** Which authorization check failed, with a message that says what to do. */
export const reasonMessages = {
  missing_credentials: 'Send an API key as a bearer token, or sign in to the portal.',
  invalid_key: 'Unknown API key; check that you copied all of it.',
  key_revoked: 'This API key has been revoked; request a new one.',
  key_expired: 'This API key has expired; request a new one.',
  invalid_session: 'Unknown session; sign in again.',
  session_expired: 'Your session has expired; sign in again.',
  wrong_workspace: 'This API key belongs to another workspace.',
  not_a_member: 'The workspace does not exist, or you are not a member of it.',
  missing_permission: 'You lack the required permission.',
  insufficient_rank: 'This requires a higher rank than yours.',
  over_limit: 'This exceeds a limit of your roles.',
  needs_approval: 'This needs the approval of another person.',
  endpoint_disabled: 'This endpoint is disabled in this workspace.',
  endpoint_read_only: 'This endpoint is currently read-only in this workspace.',
  workspace_archived: 'This workspace is archived: you can read or restore it, but not change it.',
  cross_site_request:
    'Cross-site request blocked: a signed-in browser can only make changes and start downloads from the portal.',
  address_not_allowed: 'This API key is not allowed from your IP address.',
  verification_required:
    'Confirm who you are first: enter your password or second factor again, then repeat the request.',
  second_factor_required:
    'This instance or workspace requires a second factor. Add one to your account, or verify it in this session, to continue.',
  own_decision:
    'You imposed this ban, so somebody else has to decide the appeal. A setting of the workspace allows otherwise.',
  session_required: 'This requires a session in the portal; API keys are not accepted.',
} as const

export type AuthorizationReason = keyof typeof reasonMessages

/** An invalid field: its name in the request, and a message that follows the name. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** `reason: is required`: clients that show only the message still see what to change. */
const formatFirstProblem = (details: readonly FieldProblem[] = []): string | null =>
  details[0] ? `${details[0].field}: ${details[0].message}` : null

/** A limit that an action exceeds. */
export interface ExceededLimit {
  /** The name of the limit, as roles have it. */
  readonly name: string
  /** Its value, as roles have it. */
  readonly value: string
  /** When the action is possible again, in epoch milliseconds; null if only other limits allow it. */
  readonly resetsAt: number | null
}

export interface AppErrorOptions {
  /** Replaces the default message, which names the first of `details`. Sent to the client: never include a secret or a library's error text. */
  readonly message?: string
  readonly reason?: AuthorizationReason
  readonly permission?: string
  readonly details?: readonly FieldProblem[]
  readonly limit?: ExceededLimit
  /** Extra response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The only error that services throw; `apps/api` maps it to a response. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly options: AppErrorOptions

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(
      options.message ??
        (options.reason ? reasonMessages[options.reason] : null) ??
        formatFirstProblem(options.details) ??
        errorCodes[code].defaultMessage,
    )
    this.name = 'AppError'
    this.code = code
    this.options = options
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** The message of work that failed with another error than an `AppError`. */
export const UNEXPECTED_ERROR = 'An unexpected error occurred. It is in the log of the server.'

/** Whether an error is an `AppError` with this code. */
export const hasErrorCode = (error: unknown, code: ErrorCode): error is AppError =>
  error instanceof AppError && error.code === code

/** A 400 with one entry per invalid field. @example throw invalidRequest({ field: 'name', message: 'is required' }) */
export const invalidRequest = (...details: FieldProblem[]): AppError =>
  new AppError('invalid_request', { details })

/** @throws AppError `invalid_request` with the problems, if there are any */
export function assertNoProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalidRequest(...problems)
}

/** Returns a problem for each field that is set but not allowed. */
export const findUnusedFields = (
  fields: object,
  allowed: ReadonlySet<string>,
  message: string,
): FieldProblem[] =>
  Object.entries(fields)
    .filter(([field, value]) => value !== undefined && !allowed.has(field))
    .map(([field]) => ({ field, message }))

/** What a write has besides the fields of its action: `ifMatch` is a header. */
const COMMON_FIELDS = ['workspaceId', 'action', 'ifMatch']

/** @throws AppError `invalid_request` naming every field that a write sets although its action does not use it */
export const assertUsedFields = (action: string, input: object, used: readonly string[]): void =>
  assertNoProblems(findUnusedFields(input, new Set([...COMMON_FIELDS, ...used]), `is not used by ${action}`))

/** A 400 for required fields that are missing. */
export const missingFields = (...fields: string[]): AppError =>
  invalidRequest(...fields.map((field) => ({ field, message: 'is required' })))

/**
 * Asserts that the input has these fields.
 * @returns the input, typed with the fields present
 * @throws AppError `invalid_request`, naming every missing field
 * @example const { name } = requireFields(input, 'name')
 */
export function requireFields<Input extends object, const Name extends keyof Input & string>(
  input: Input,
  ...names: Name[]
): { [Key in Name]-?: Exclude<Input[Key], undefined> } {
  const absent = names.filter((name) => input[name] === undefined)
  if (absent.length > 0) throw missingFields(...absent)
  return input as { [Key in Name]-?: Exclude<Input[Key], undefined> }
}

/** @throws AppError `invalid_request` if a change sets none of these fields */
export function assertSetsField(input: object, fields: readonly string[]): void {
  if (fields.some((field) => (input as Readonly<Record<string, unknown>>)[field] !== undefined)) return
  throw invalidRequest({
    field: 'body',
    message: `must contain at least one field to change: ${fields.join(', ')}`,
  })
}

/** A 401 with the reason. */
export const unauthorized = (reason: AuthorizationReason): AppError =>
  new AppError('unauthorized', { reason })

/** A 403 with the reason, and its default message unless another one is given. */
export const forbidden = (reason: AuthorizationReason, message?: string): AppError =>
  new AppError('forbidden', message ? { reason, message } : { reason })
