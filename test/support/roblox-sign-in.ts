import { createOAuthServer, TEST_CLIENT } from './oauth-stand-in.ts'

/** What goes wrong at the stand-in. */
interface Faults {
  /** Replaces the response to a request for this path, such as `/oauth/v1/token`. */
  respond: ((path: string, request: Request) => Response | Promise<Response> | null) | null
  /** Changes the claims of ID tokens. */
  claims: Record<string, unknown>
  /** The key that signs ID tokens, if not the published one of this id. */
  signsWithUnpublishedKey: boolean
}

const encode = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url')

const createKey = async (kid: string) => ({
  kid,
  ...(await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])),
})

/**
 * A stand-in for the sign-in of Roblox, with its paths, algorithms and claims.
 * Source: https://create.roblox.com/docs/cloud/auth/oauth2-reference
 */
export async function startRobloxSignIn() {
  const oauth = createOAuthServer()
  let keyCount = 1
  let key = await createKey('key-1')
  const faults: Faults = { respond: null, claims: {}, signsWithUnpublishedKey: false }
  const requestCounts = new Map<string, number>()

  async function createIdToken(claims: object): Promise<string> {
    const signer = faults.signsWithUnpublishedKey ? await createKey(key.kid) : key
    const content = `${encode({ alg: 'ES256', kid: signer.kid, typ: 'JWT' })}.${encode(claims)}`
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      signer.privateKey,
      new TextEncoder().encode(content),
    )
    return `${content}.${encode(new Uint8Array(signature))}`
  }

  const toProfile = ({ subject, username }: { subject: string; username: string }) => ({
    sub: subject,
    name: username,
    nickname: username,
    preferred_username: username,
    created_at: 1_136_073_600,
    profile: `https://www.roblox.com/users/${subject}/profile`,
    picture: null,
  })

  async function token(request: Request): Promise<Response> {
    const redeemed = await oauth.redeem(request)
    if ('response' in redeemed) return redeemed.response
    const { issued, accessToken } = redeemed
    const now = Math.floor(oauth.state.now() / 1000)
    const idToken = await createIdToken({
      ...toProfile(issued.user),
      iss: issuer,
      aud: TEST_CLIENT.id,
      iat: now,
      exp: now + 899,
      ...(issued.nonce === null ? {} : { nonce: issued.nonce }),
      ...faults.claims,
    })
    return Response.json({
      access_token: accessToken,
      refresh_token: crypto.randomUUID(),
      token_type: 'Bearer',
      expires_in: 899,
      id_token: idToken,
      scope: issued.scope,
    })
  }

  async function respond(request: Request, url: URL): Promise<Response> {
    const { pathname } = url
    requestCounts.set(pathname, (requestCounts.get(pathname) ?? 0) + 1)
    const faulty = await faults.respond?.(pathname, request)
    if (faulty) return faulty
    if (pathname === '/oauth/.well-known/openid-configuration') return Response.json(configuration)
    if (pathname === '/oauth/v1/authorize') return oauth.authorize(url)
    if (pathname === '/oauth/v1/token') return token(request)
    if (pathname === '/oauth/v1/certs') {
      const jwk = await crypto.subtle.exportKey('jwk', key.publicKey)
      return Response.json({ keys: [{ ...jwk, alg: 'ES256', kid: key.kid, use: 'sig' }] })
    }
    const user = oauth.findUser(request)
    return user ? Response.json(toProfile(user)) : new Response(null, { status: 401 })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => respond(request, new URL(request.url)),
  })
  const origin = `http://127.0.0.1:${server.port}`
  const issuer = `${origin}/oauth/`
  const configuration = {
    issuer,
    authorization_endpoint: `${issuer}v1/authorize`,
    token_endpoint: `${issuer}v1/token`,
    introspection_endpoint: `${issuer}v1/token/introspect`,
    revocation_endpoint: `${issuer}v1/token/revoke`,
    resources_endpoint: `${issuer}v1/token/resources`,
    userinfo_endpoint: `${issuer}v1/userinfo`,
    jwks_uri: `${issuer}v1/certs`,
    registration_endpoint: 'https://create.roblox.com/dashboard/credentials',
    service_documentation: 'https://create.roblox.com/docs/reference/cloud',
    scopes_supported: [
      'openid',
      'profile',
      'email',
      'verification',
      'credentials',
      'age',
      'premium',
      'roles',
    ],
    response_types_supported: ['none', 'code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: [
      'sub',
      'type',
      'iss',
      'aud',
      'exp',
      'iat',
      'nonce',
      'name',
      'nickname',
      'preferred_username',
    ],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  }

  return {
    oauth: oauth.state,
    issuer,
    configuration,
    faults,
    /** The settings of the server. */
    env: {
      REEVE_OIDC_ROBLOX_ISSUER: issuer,
      REEVE_OIDC_ROBLOX_CLIENT_ID: TEST_CLIENT.id,
      REEVE_OIDC_ROBLOX_CLIENT_SECRET: TEST_CLIENT.secret,
    },
    countRequests: (path: string) => requestCounts.get(path) ?? 0,
    /** Replaces the key, as providers do from time to time. */
    async rotateKey() {
      keyCount += 1
      key = await createKey(`key-${keyCount}`)
    },
    /** Ends every fault. */
    mend() {
      Object.assign(faults, { respond: null, claims: {}, signsWithUnpublishedKey: false })
      oauth.state.authorizationError = null
    },
    stop: () => server.stop(true),
  }
}

export type RobloxSignIn = Awaited<ReturnType<typeof startRobloxSignIn>>
