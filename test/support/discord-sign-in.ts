import { createOAuthServer, TEST_CLIENT } from './oauth-stand-in.ts'

/**
 * A stand-in for the OAuth 2.0 of Discord: no discovery, no ID token, the account is read with the access token.
 * Source: https://docs.discord.com/developers/topics/oauth2 and /resources/user
 */
export function startDiscordSignIn() {
  const oauth = createOAuthServer()
  /** Replaces the response to a request for this path. */
  const faults: { respond: ((path: string) => Response | null) | null } = { respond: null }

  async function respond(request: Request, url: URL): Promise<Response> {
    const { pathname } = url
    const faulty = faults.respond?.(pathname)
    if (faulty) return faulty
    if (pathname === '/oauth2/authorize') return oauth.authorize(url)
    if (pathname === '/api/oauth2/token') {
      const redeemed = await oauth.redeem(request)
      if ('response' in redeemed) return redeemed.response
      const { accessToken, issued } = redeemed
      return Response.json({
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: 604_800,
        refresh_token: crypto.randomUUID(),
        scope: issued.scope,
      })
    }
    const user = oauth.findUser(request)
    const isBot = /^DiscordBot \(\S+, \S+\)$/.test(request.headers.get('user-agent') ?? '')
    if (pathname !== '/api/users/@me' || !user || !isBot)
      return Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 })
    return Response.json({
      id: user.subject,
      username: user.username,
      avatar: null,
      discriminator: '0',
      public_flags: 0,
      flags: 0,
      global_name: user.username.toUpperCase(),
      mfa_enabled: true,
      locale: 'en-US',
    })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => respond(request, new URL(request.url)),
  })
  const issuer = `http://127.0.0.1:${server.port}/`
  return {
    oauth: oauth.state,
    issuer,
    faults,
    env: {
      REEVE_OIDC_DISCORD_ISSUER: issuer,
      REEVE_OIDC_DISCORD_CLIENT_ID: TEST_CLIENT.id,
      REEVE_OIDC_DISCORD_CLIENT_SECRET: TEST_CLIENT.secret,
    },
    stop: () => server.stop(true),
  }
}
