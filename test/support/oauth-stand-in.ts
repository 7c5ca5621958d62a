import { createHash } from 'node:crypto'

/** An OAuth client that is registered with a stand-in. */
export interface RegisteredClient {
  readonly id: string
  readonly secret: string
}

export const TEST_CLIENT: RegisteredClient = { id: '4242424242', secret: 'RBX-s3cret_~with.signs' }

/** Who signs in at a stand-in. */
export interface StandInUser {
  readonly subject: string
  readonly username: string
}

interface IssuedCode {
  readonly user: StandInUser
  readonly redirectUri: string
  readonly challenge: string
  readonly nonce: string | null
  readonly scope: string
}

const json = (body: object, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

/** The error of a token endpoint. Source: RFC 6749, section 5.2. */
export const oauthError = (error: string, status = 400, description?: string) =>
  json({ error, ...(description === undefined ? {} : { error_description: description }) }, status)

/** The part of an OAuth 2.0 server that Roblox and Discord have in common: codes that work once, with PKCE. */
export function createOAuthServer() {
  const codes = new Map<string, IssuedCode>()
  const tokens = new Map<string, StandInUser>()
  const state = {
    user: { subject: '261', username: 'Shedletsky' } as StandInUser,
    /** Answers the next authorization requests with this error. */
    authorizationError: null as string | null,
    /** The clock of the server. */
    now: Date.now,
  }

  /** The authorization endpoint. The person agrees at once. */
  function authorize(url: URL): Response {
    const { searchParams: query } = url
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== TEST_CLIENT.id || query.get('response_type') !== 'code')
      return new Response('unknown client', { status: 400 })
    const target = new URL(redirectUri)
    if (query.get('state') !== null) target.searchParams.set('state', query.get('state') ?? '')
    if (state.authorizationError !== null) {
      target.searchParams.set('error', state.authorizationError)
      target.searchParams.set('error_description', 'as the test wants it')
      return Response.redirect(target.href, 302)
    }
    if (query.get('code_challenge_method') !== 'S256') return oauthError('invalid_request')
    const code = crypto.randomUUID()
    codes.set(code, {
      user: state.user,
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce'),
      scope: query.get('scope') ?? '',
    })
    target.searchParams.set('code', code)
    return Response.redirect(target.href, 302)
  }

  /** Exchanges a code: null with the response of an error. */
  async function redeem(
    request: Request,
  ): Promise<{ issued: IssuedCode; accessToken: string } | { response: Response }> {
    const body = new URLSearchParams(await request.text())
    const isAuthenticated =
      body.get('client_id') === TEST_CLIENT.id && body.get('client_secret') === TEST_CLIENT.secret
    if (!isAuthenticated) return { response: oauthError('invalid_client', 401) }
    const code = body.get('code') ?? ''
    const issued = codes.get(code)
    codes.delete(code)
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (issued?.challenge !== verifier || issued.redirectUri !== body.get('redirect_uri'))
      return { response: oauthError('invalid_grant', 400, 'the code is not valid') }
    const accessToken = crypto.randomUUID()
    tokens.set(accessToken, issued.user)
    return { issued, accessToken }
  }

  /** The user of a bearer token. */
  const findUser = (request: Request): StandInUser | undefined =>
    tokens.get((request.headers.get('authorization') ?? '').replace(/^Bearer /i, ''))

  return { state, authorize, redeem, findUser }
}

/**
 * Sends a browser to a provider that agrees at once.
 * @returns the URL that the provider sends it back to
 */
export async function agreeAt(authorizationUrl: string): Promise<URL> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
  return new URL(location)
}
