import { type Ports, SECOND_MS } from '@reeve/core'
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  type Client,
  getValidatedIdTokenClaims,
  type IDToken,
  KEY_SELECTION,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  protectedResourceRequest,
  type UserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import { ProviderRequestError } from './bounded-fetch.ts'
import { CLOCK_TOLERANCE_S, type ProviderMetadata, requestOptions, toClient, toClientAuth } from './client.ts'
import type { OidcProvider } from './provider.ts'

/** Who somebody is at a provider. */
export interface ProviderIdentity {
  /** The issuer as a URL in its normal form. */
  readonly issuer: string
  readonly subject: string
  /** What the provider calls the account, for people to read; null if it does not say. */
  readonly name: string | null
}

/** An identity, and when the person has signed in there, in epoch milliseconds; null if the provider does not say. */
export interface ReturnedIdentity {
  readonly identity: ProviderIdentity
  readonly signedInAt: number | null
}

/** What the browser brought back, and what only this instance knows about the sign-in. */
export interface CallbackInput {
  /** The query string of the redirect URL. */
  readonly parameters: URLSearchParams
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUrl: string
  /** After when the person must have signed in at the provider, in epoch milliseconds; null if an earlier sign-in is enough. */
  readonly signedInAfter: number | null
}

interface Exchange {
  readonly provider: OidcProvider
  readonly server: AuthorizationServer
  readonly client: Client
}

/**
 * Verifies the response of a provider, exchanges its code, and reads who signed in.
 * @throws ProviderRequestError and the errors of the OAuth library, for `explainFailures`
 */
export async function readProviderIdentity(
  metadata: ProviderMetadata,
  ports: Pick<Ports, 'now'>,
  provider: OidcProvider,
  input: CallbackInput,
): Promise<ReturnedIdentity> {
  const server = await metadata.read(provider)
  const client = toClient(provider, ports)
  const parameters = validateAuthResponse(server, client, input.parameters, input.state)
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    toClientAuth(provider, server),
    parameters,
    input.redirectUrl,
    input.codeVerifier,
    requestOptions(provider),
  )
  const exchange = { provider, server, client }
  return provider.protocol === 'discord'
    ? {
        identity: await readDiscordIdentity(exchange, response, new URL(input.redirectUrl).origin),
        signedInAt: null,
      }
    : readOpenIdIdentity(exchange, response, input)
}

async function readOpenIdIdentity(
  { provider, server, client }: Exchange,
  response: Response,
  { nonce: expectedNonce, signedInAfter }: CallbackInput,
): Promise<ReturnedIdentity> {
  const tokens = await processAuthorizationCodeResponse(server, client, response, {
    expectedNonce,
    requireIdToken: true,
  })
  await verifySignature(provider, server, response)
  const claims = getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw new ProviderRequestError('invalid_response', 'there is no ID token')
  if (signedInAfter !== null) assertSignedInAfter(claims, signedInAfter)
  const name =
    findName(claims) ?? (await readNameFromUserInfo(provider, server, client, tokens.access_token, claims))
  return {
    identity: toIdentity(provider, claims.sub, name),
    signedInAt: claims.auth_time === undefined ? null : Math.floor(claims.auth_time * SECOND_MS),
  }
}

/**
 * Some providers do not say when the person signed in; then it is up to them that they asked.
 * @throws ProviderRequestError if the person had signed in before
 */
function assertSignedInAfter({ auth_time: signedInAt }: IDToken, after: number): void {
  if (signedInAt === undefined || signedInAt >= after / 1000 - CLOCK_TOLERANCE_S) return
  throw new ProviderRequestError('old_sign_in', 'auth_time is before the request')
}

/** A key that is not among the cached ones may be new: they are read once more. */
async function verifySignature(
  provider: OidcProvider,
  server: AuthorizationServer,
  response: Response,
): Promise<void> {
  const options = requestOptions(provider)
  try {
    await validateApplicationLevelSignature(server, response, options)
  } catch (error) {
    if (!(error instanceof OperationProcessingError) || error.code !== KEY_SELECTION) throw error
    // The library caches keys by this object.
    await validateApplicationLevelSignature({ ...server }, response, options)
  }
}

/** Many providers send the profile only here. */
async function readNameFromUserInfo(
  provider: OidcProvider,
  server: AuthorizationServer,
  client: Client,
  accessToken: string,
  { sub }: IDToken,
): Promise<string | null> {
  if (server.userinfo_endpoint === undefined) return null
  const response = await userInfoRequest(server, client, accessToken, requestOptions(provider))
  return findName(await processUserInfoResponse(server, client, sub, response))
}

/** The claims that can name an account, those that people chose first. */
const NAME_CLAIMS = ['preferred_username', 'nickname', 'name', 'email'] as const

function findName(claims: IDToken | UserInfoResponse): string | null {
  const name = NAME_CLAIMS.map((claim) => claims[claim]).find(
    (value) => typeof value === 'string' && value.trim() !== '',
  )
  return typeof name === 'string' ? name : null
}

/** Source: https://docs.discord.com/developers/resources/user#user-object */
interface DiscordUser {
  readonly id?: unknown
  readonly username?: unknown
}

async function readDiscordIdentity(
  { provider, server, client }: Exchange,
  response: Response,
  ownOrigin: string,
): Promise<ProviderIdentity> {
  const { access_token: accessToken } = await processAuthorizationCodeResponse(server, client, response)
  const user = await protectedResourceRequest(
    accessToken,
    'GET',
    new URL(String(server.userinfo_endpoint)),
    // Discord requires a user agent in this form: https://docs.discord.com/developers/reference#user-agent
    new Headers({ accept: 'application/json', 'user-agent': `DiscordBot (${ownOrigin}, 1.0)` }),
    null,
    requestOptions(provider),
  )
  if (user.status !== 200)
    throw new ProviderRequestError('invalid_response', `the user was answered with status ${user.status}`)
  const { id, username } = (await user.json().catch(() => ({}))) as DiscordUser
  if (typeof id !== 'string' || id === '')
    throw new ProviderRequestError('invalid_response', 'the user has no id')
  return toIdentity(provider, id, typeof username === 'string' ? username : null)
}

/** Source: https://openid.net/specs/openid-connect-core-1_0.html#IDToken: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
const MAX_NAME_LENGTH = 100

function toIdentity({ issuer }: OidcProvider, subject: string, name: string | null): ProviderIdentity {
  if (!SUBJECT.test(subject))
    throw new ProviderRequestError('invalid_response', 'the subject is not 1 to 255 ASCII characters')
  return { issuer: issuer.href, subject, name: name === null ? null : cleanName(name) }
}

/** A name without characters that are invisible or change how the text around it is shown; null if nothing is left. */
function cleanName(name: string): string | null {
  const visible = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  return [...visible].slice(0, MAX_NAME_LENGTH).join('').trim() || null
}
