import { NoFields, writeErrorResponses } from '@reeve/http'
import { RateLimiter } from '@reeve/metering'
import { Elysia } from 'elysia'
import type { AppContext } from '../../context.ts'
import { publicPageRoute } from '../../gate/portal-rules.ts'
import { toIpNetwork } from '../../ip-address.ts'
import { startSignIn } from '../../sessions/establish.ts'
import { presentSignIn, SignInResponse } from '../../sessions/sign-in-model.ts'
import { OptionsResponse, PasskeySignInRequest, SignInOptionsRequest } from './model.ts'
import { getRelyingParty } from './relying-party.ts'
import { signInWithPasskey, startPasskeySignIn } from './sign-in.ts'

/** How many challenges an IP address gets without signing in. Every visit of the sign-in screen asks for one, which is stored. */
const CHALLENGES_PER_MINUTE = 180

/** `/portal/api/sign-in/passkey`: signing in with a passkey, alone or as the second factor. */
export const passkeySignInRoutes = (app: AppContext) => {
  const { db, ports, settings } = app
  const relyingParty = getRelyingParty(settings.publicUrl)
  const limiter = new RateLimiter(null)

  return new Elysia({ name: 'portal-passkey-sign-in', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-in/passkey/options',
      async ({ actor, body }) => {
        limiter.consume(toIpNetwork(actor.ip), 'challenges', CHALLENGES_PER_MINUTE, ports.now())
        return startPasskeySignIn(db, ports, relyingParty, body.token)
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: SignInOptionsRequest,
        response: { 200: OptionsResponse, ...writeErrorResponses() },
        detail: { summary: 'Start signing in with a passkey' },
      },
    )
    .post(
      '/portal/api/sign-in/passkey',
      async ({ actor, body, request, set }) => {
        const signIn = await signInWithPasskey(app, relyingParty, actor, body)
        return presentSignIn(await startSignIn(app, { actor, request, set }, signIn))
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: PasskeySignInRequest,
        response: { 200: SignInResponse, ...writeErrorResponses() },
        detail: { summary: 'Sign in with a passkey' },
      },
    )
}
