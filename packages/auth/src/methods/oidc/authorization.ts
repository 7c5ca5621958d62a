import { AppError, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomNonce } from 'oauth4webapi'
import { findOneTimeToken, issueOneTimeToken, takeOneTimeToken } from '../../one-time-token.ts'
import { hashToken } from '../../token.ts'
import { ProviderRequestError } from './bounded-fetch.ts'
import { FLOW_LIFETIME_MS } from './browser-cookie.ts'
import type { ProviderMetadata } from './client.ts'
import { getRedirectUrl, type OidcProvider } from './provider.ts'

const PURPOSE = 'oidc'

/** What a sign-in with a provider is for. */
export type AuthorizationIntent = 'sign_in' | 'link' | 'verify'

/** What is kept about a sign-in while the person is at the provider. */
interface PendingAuthorization {
  readonly providerId: string
  readonly intent: AuthorizationIntent
  /** SHA-256 of the secret in the cookie of the browser. */
  readonly browserHash: string
  readonly nonce: string
  readonly codeVerifier: string
  /** When it began, in epoch milliseconds. */
  readonly startedAt: number
  /** The session to verify; null unless that is the intent. */
  readonly sessionId: string | null
}

/** A sign-in that the browser has come back from. */
export interface ReturnedAuthorization extends PendingAuthorization {
  /** The account that wants to link an identity or to verify its session; null for a sign-in. */
  readonly accountId: string | null
}

/** Who begins, and what for. */
export interface AuthorizationStart {
  readonly intent: AuthorizationIntent
  /** Null for a sign-in. */
  readonly actor: { readonly id: string; readonly sessionId: string | null } | null
  /** From the cookie of the browser. */
  readonly browserSecret: string
}

/** The parts of the application that the flow uses. */
export interface AuthorizationDependencies {
  readonly db: Database
  readonly ports: Ports
  readonly settings: { readonly publicUrl: URL }
  readonly metadata: ProviderMetadata
}

/**
 * What asks a provider not to rely on an earlier sign-in. Discord has no such parameter: it asks the person to agree again.
 * Sources: https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest,
 * https://docs.discord.com/developers/topics/oauth2#authorization-code-grant
 */
const freshSignInParameters = {
  openid: { prompt: 'login', max_age: '0' },
  discord: { prompt: 'consent' },
} as const

/**
 * Begins a sign-in with a provider.
 * @returns the URL to send the browser to
 * @throws ProviderRequestError and the errors of the OAuth library, for `explainFailures`
 */
export async function startAuthorization(
  { db, ports, settings, metadata }: AuthorizationDependencies,
  provider: OidcProvider,
  { intent, actor, browserSecret }: AuthorizationStart,
): Promise<string> {
  const { authorization_endpoint: endpoint } = await metadata.read(provider)
  const url = toAuthorizationUrl(provider, endpoint)
  const nonce = generateRandomNonce()
  const codeVerifier = generateRandomCodeVerifier()
  const codeChallenge = await calculatePKCECodeChallenge(codeVerifier)
  const state = await db.write((tx) =>
    issueOneTimeToken<PendingAuthorization>(tx, ports, {
      purpose: PURPOSE,
      accountId: actor?.id ?? null,
      data: {
        providerId: provider.id,
        intent,
        browserHash: hashToken(browserSecret),
        nonce,
        codeVerifier,
        startedAt: ports.now(),
        sessionId: intent === 'verify' ? (actor?.sessionId ?? null) : null,
      },
      lifetimeMs: FLOW_LIFETIME_MS,
    }),
  )
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: getRedirectUrl(settings.publicUrl, provider.id),
    scope: provider.scopes,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(provider.protocol === 'openid' ? { nonce } : {}),
    ...(intent === 'verify' ? freshSignInParameters[provider.protocol] : {}),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** @throws ProviderRequestError unless the endpoint is a URL that a browser can be sent to */
function toAuthorizationUrl({ issuer }: OidcProvider, endpoint: string | undefined): URL {
  const url = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== issuer.protocol))
    throw new ProviderRequestError(
      'invalid_response',
      'the discovery document has no https authorization_endpoint',
    )
  return url
}

/** The error for every unusable state, so that it does not reveal the reason. */
const authorizationNotFound = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message:
      'This sign-in was already finished, took longer than ten minutes, or was started in another browser. Start again.',
  })

/**
 * Uses up the sign-in that a browser has come back from: of concurrent requests, also of several processes, only one gets it.
 * @param browserSecret from the cookie; null without one
 * @throws AppError `unauthorized`
 */
export async function takeAuthorization(
  { db, ports }: Pick<AuthorizationDependencies, 'db' | 'ports'>,
  providerId: string,
  { state, browserSecret }: { readonly state: string | null; readonly browserSecret: string | null },
): Promise<ReturnedAuthorization> {
  if (state === null || browserSecret === null) throw authorizationNotFound()
  const pending = await findOneTimeToken<PendingAuthorization>(db.read, ports, PURPOSE, state)
  // Somebody who knows only the state cannot use it up.
  if (pending?.data.providerId !== providerId || pending.data.browserHash !== hashToken(browserSecret))
    throw authorizationNotFound()
  const taken = await db.write((tx) => takeOneTimeToken<PendingAuthorization>(tx, ports, PURPOSE, state))
  if (taken === null) throw authorizationNotFound()
  return { ...taken.data, accountId: taken.accountId }
}
