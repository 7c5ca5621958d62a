import { AppError, type ErrorCode } from '@reeve/core'
import {
  AuthorizationResponseError,
  JSON_ATTRIBUTE_COMPARISON,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  KEY_SELECTION,
  OperationProcessingError,
  RESPONSE_IS_NOT_CONFORM,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import { ProviderRequestError } from './bounded-fetch.ts'
import type { OidcProvider } from './provider.ts'

/** What went wrong with a provider, for the log. */
export interface ProviderFailure {
  readonly requestId: string
  /** The id of the provider. */
  readonly provider: string
  readonly problem: ProviderProblem
  /** What the provider or the verification said. Contains no code, token or secret. */
  readonly detail: string
}

/** What a person is told, in groups of problems with the same way out. */
const explanations = {
  denied: [
    'unauthorized',
    (name) => `You did not allow the sign-in at ${name}. Start again, or sign in another way.`,
  ],
  unavailable: [
    'unavailable',
    (name) => `${name} did not respond as expected. Try again in a minute, or sign in another way.`,
  ],
  repeated: [
    'unauthorized',
    (name) => `${name} did not accept the sign-in, because it took too long or was used before. Start again.`,
  ],
  misconfigured: [
    'unavailable',
    (name) =>
      `Sign-in with ${name} is not set up correctly. Contact the operator of this instance: the server log has the cause.`,
  ],
  not_repeated: [
    'unauthorized',
    (name) => `${name} did not ask you to sign in again, so it is not confirmed that it is you. Start again.`,
  ],
  unverified: [
    'unauthorized',
    (name) =>
      `The response of ${name} could not be verified, so you are not signed in. Start again. If it happens again, contact the ` +
      'operator of this instance: the server log has the cause.',
  ],
} as const satisfies Record<string, readonly [ErrorCode, (name: string) => string]>

/** Every problem with a provider, and how it is explained. */
const problems = {
  access_denied: 'denied',
  authorization_refused: 'misconfigured',
  code_rejected: 'repeated',
  client_rejected: 'misconfigured',
  token_refused: 'misconfigured',
  unreachable: 'unavailable',
  timeout: 'unavailable',
  server_error: 'unavailable',
  invalid_response: 'unavailable',
  unsupported: 'misconfigured',
  wrong_issuer: 'unverified',
  wrong_nonce: 'unverified',
  wrong_audience: 'unverified',
  wrong_time: 'unverified',
  old_sign_in: 'not_repeated',
  wrong_subject: 'unverified',
  unknown_key: 'unverified',
  wrong_signature: 'unverified',
} as const satisfies Record<string, keyof typeof explanations>

export type ProviderProblem = keyof typeof problems

/** A problem, and what the provider or the verification said. */
interface DescribedFailure {
  readonly problem: ProviderProblem
  readonly detail: string
}

/** Texts of providers can have any length. */
const MAX_DETAIL = 300

/** Problems by the claim or attribute that is not as expected. */
const problemsByClaim: Readonly<Record<string, ProviderProblem>> = {
  iss: 'wrong_issuer',
  issuer: 'wrong_issuer',
  nonce: 'wrong_nonce',
  aud: 'wrong_audience',
  azp: 'wrong_audience',
  sub: 'wrong_subject',
}

/** The error and description that a provider sent. */
const describeOAuthError = ({ error, error_description: description }: OAuthError): string =>
  description === undefined ? error : `${error}: ${description}`

interface OAuthError {
  readonly error: string
  readonly error_description?: string | undefined
}

/** What went wrong with a provider. @returns null for an error that no provider caused */
export function describeFailure(error: unknown): DescribedFailure | null {
  if (error instanceof ProviderRequestError) return { problem: error.problem, detail: error.message }
  if (error instanceof AuthorizationResponseError) {
    const problem = error.error === 'access_denied' ? 'access_denied' : 'authorization_refused'
    return { problem, detail: describeOAuthError(error) }
  }
  if (error instanceof ResponseBodyError) {
    const detail = describeOAuthError(error)
    if (error.error === 'invalid_grant') return { problem: 'code_rejected', detail }
    const isClientRejected = error.error === 'invalid_client' || error.error === 'unauthorized_client'
    return { problem: isClientRejected ? 'client_rejected' : 'token_refused', detail }
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return { problem: 'client_rejected', detail: `status ${error.status}: ${error.message}` }
  if (error instanceof UnsupportedOperationError) return { problem: 'unsupported', detail: error.message }
  return error instanceof OperationProcessingError ? describeProcessingError(error) : null
}

function describeProcessingError({ code, message, cause }: OperationProcessingError): DescribedFailure {
  if (code === KEY_SELECTION) return { problem: 'unknown_key', detail: message }
  if (code === JWT_TIMESTAMP_CHECK) return { problem: 'wrong_time', detail: message }
  if (code === JWT_CLAIM_COMPARISON || code === JSON_ATTRIBUTE_COMPARISON) {
    const { claim, attribute } = (cause ?? {}) as { claim?: string; attribute?: string }
    return { problem: problemsByClaim[claim ?? attribute ?? ''] ?? 'invalid_response', detail: message }
  }
  if (code === RESPONSE_IS_NOT_CONFORM && cause instanceof Response) {
    const problem = cause.status >= 500 ? 'server_error' : 'invalid_response'
    return { problem, detail: `${message}: ${cause.status}` }
  }
  // The library has no code of its own for these two.
  if (/signature verification failed/.test(message)) return { problem: 'wrong_signature', detail: message }
  if (/"iss" \(issuer\) response parameter/.test(message)) return { problem: 'wrong_issuer', detail: message }
  return { problem: 'invalid_response', detail: message }
}

/**
 * Runs a step of a sign-in with a provider. A failure that the provider or its response caused is logged with its cause, and becomes an
 * error that says what the person can do.
 * @throws AppError `unauthorized` or `unavailable`; any other error is thrown unchanged
 */
export async function explainFailures<Result>(
  { id, name }: Pick<OidcProvider, 'id' | 'name'>,
  report: (failure: Omit<ProviderFailure, 'requestId'>) => void,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    const described = describeFailure(error)
    if (described === null) throw error
    const { problem, detail } = described
    report({ provider: id, problem, detail: detail.slice(0, MAX_DETAIL) })
    const [code, explain] = explanations[problems[problem]]
    throw new AppError(code, {
      message: explain(name),
      ...(code === 'unauthorized' ? { reason: 'missing_credentials' } : {}),
    })
  }
}
