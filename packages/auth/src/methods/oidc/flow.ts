import { type Actor, AppError, hasErrorCode, unauthorized } from '@reeve/core'
import { actorForAccount } from '../../accounts/account.ts'
import type { AppContext } from '../../context.ts'
import { assertSameOrigin } from '../../gate/same-origin.ts'
import { readSessionToken } from '../../sessions/cookie.ts'
import { type SignInContext, startSignIn } from '../../sessions/establish.ts'
import { authenticateSession } from '../../sessions/session.ts'
import { presentSignIn } from '../../sessions/sign-in-model.ts'
import { reportSignInFailure } from '../../sign-in-failure.ts'
import { countAnonymousStart } from '../../throttle/attempts.ts'
import {
  type AuthorizationIntent,
  type ReturnedAuthorization,
  startAuthorization,
  takeAuthorization,
} from './authorization.ts'
import { issueBrowserSecret, readBrowserSecret } from './browser-cookie.ts'
import { ProviderMetadata } from './client.ts'
import { type ProviderIdentity, readProviderIdentity } from './exchange.ts'
import { explainFailures, type ProviderFailure } from './failure.ts'
import { linkIdentity } from './identities.ts'
import { getRedirectUrl, type OidcProvider } from './provider.ts'
import { notLinked, offerSignUp, signInWithIdentity } from './sign-in.ts'
import { verifySessionWithIdentity } from './verify-session.ts'

/** What a return from a provider did not lead to. */
const NOTHING_ELSE = {
  account: null,
  secondFactor: null,
  signUp: null,
  linkedProvider: null,
  verifiedUntil: null,
} as const

/** What the provider has sent back with the browser. */
interface AuthorizationResponse {
  readonly parameters: URLSearchParams
  /** Whether the browser has an invitation, with which any identity can sign up. */
  readonly isInvited: boolean
}

/** An identity that a provider has confirmed, and what was asked for. */
type ReturnedIdentity = Awaited<ReturnType<typeof readProviderIdentity>> & {
  readonly pending: ReturnedAuthorization
}

/** The way of a browser to an identity provider and back, for signing in, linking an identity and verifying a session. */
export function createProviderFlow(app: AppContext) {
  const { db, ports, settings } = app
  const { publicUrl } = settings
  const dependencies = { db, ports, settings, metadata: new ProviderMetadata(ports) }

  const reportFailure =
    ({ requestId }: Actor) =>
    (failure: Omit<ProviderFailure, 'requestId'>) =>
      app.onProviderFailure({ requestId, ...failure })

  /** Sends the browser to a provider, for the signed-in account unless it signs in. */
  async function start(
    { actor, request, set }: SignInContext,
    provider: OidcProvider,
    intent: AuthorizationIntent,
  ) {
    await countAnonymousStart(db, ports, actor.ip)
    const browserSecret = issueBrowserSecret({ request, set }, app)
    const url = await explainFailures(provider, reportFailure(actor), () =>
      startAuthorization(dependencies, provider, {
        intent,
        actor: intent === 'sign_in' ? null : actor,
        browserSecret,
      }),
    )
    return { url }
  }

  /** Who has come back from a provider. A response that is not that of a sign-in of this browser is reported as a failed sign-in. */
  async function readReturn(
    { actor, request }: SignInContext,
    provider: OidcProvider,
    parameters: URLSearchParams,
  ): Promise<ReturnedIdentity> {
    const state = parameters.get('state')
    try {
      const browserSecret = readBrowserSecret(request, publicUrl)
      const pending = await takeAuthorization(dependencies, provider.id, { state, browserSecret })
      const returned = await explainFailures(provider, reportFailure(actor), () =>
        readProviderIdentity(dependencies.metadata, ports, provider, {
          parameters,
          state: state ?? '',
          nonce: pending.nonce,
          codeVerifier: pending.codeVerifier,
          redirectUrl: getRedirectUrl(publicUrl, provider.id),
          signedInAfter: pending.intent === 'verify' ? pending.startedAt : null,
        }),
      )
      return { pending, ...returned }
    } catch (error) {
      const isRejected = hasErrorCode(error, 'unauthorized')
      // Whether the provider says that the person declined, for example.
      const isAborted = parameters.has('error')
      if (isRejected && !isAborted)
        await reportSignInFailure(app, actor, {
          reason: 'identity_rejected',
          username: null,
          account: undefined,
        })
      throw error
    }
  }

  /** The account that went to the provider, which must still be signed in. */
  async function requireSameAccount(
    { actor, request }: SignInContext,
    accountId: string | null,
    provider: OidcProvider,
  ): Promise<Actor> {
    assertSameOrigin(request.headers, settings)
    const token = readSessionToken(request, publicUrl)
    const session = await authenticateSession(db, ports, token ?? '')
    if (session.accountId !== accountId) {
      throw new AppError('conflict', {
        message: `Somebody else is signed in now. Sign in as yourself, then start again with ${provider.name}.`,
      })
    }
    const account = { id: session.accountId, username: session.username }
    return { ...actorForAccount(actor, account), sessionId: session.id }
  }

  /** Links an identity to the account that asked for it. */
  async function link(actor: Actor, provider: OidcProvider, identity: ProviderIdentity) {
    await db.write((tx) => linkIdentity(tx, ports, actor, provider, identity))
    return { ...NOTHING_ELSE, linkedProvider: provider.name }
  }

  /** Verifies the session that asked for it. */
  async function verify(actor: Actor, provider: OidcProvider, { pending, identity }: ReturnedIdentity) {
    if (pending.sessionId !== actor.sessionId) throw unauthorized('invalid_session')
    return { ...NOTHING_ELSE, ...(await verifySessionWithIdentity(app, actor, provider, identity)) }
  }

  /** Signs in with an identity, or offers to create an account for one that is not linked. */
  async function signIn(
    context: SignInContext,
    provider: OidcProvider,
    returned: ReturnedIdentity,
    isInvited: boolean,
  ) {
    const { identity } = returned
    const signedIn = await signInWithIdentity(app, context.actor, provider, returned)
    if (signedIn !== null)
      return { ...NOTHING_ELSE, ...presentSignIn(await startSignIn(app, context, signedIn)) }
    if (!provider.createsAccounts && !isInvited) throw notLinked(provider, identity)
    const offer = await offerSignUp(db, ports, provider, identity)
    return {
      ...NOTHING_ELSE,
      signUp: { ...offer, name: identity.name, providerName: provider.name },
    }
  }

  /** Does what the browser was sent to the provider for. */
  async function finish(
    context: SignInContext,
    provider: OidcProvider,
    { parameters, isInvited }: AuthorizationResponse,
  ) {
    const returned = await readReturn(context, provider, parameters)
    const { pending, identity } = returned
    if (pending.intent === 'sign_in') return signIn(context, provider, returned, isInvited)
    const account = await requireSameAccount(context, pending.accountId, provider)
    return pending.intent === 'link' ? link(account, provider, identity) : verify(account, provider, returned)
  }

  return { start, finish }
}
