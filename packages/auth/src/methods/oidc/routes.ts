import { type Actor, AppError, hasErrorCode, requireFields, unauthorized } from '@reeve/core'
import { errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { actorForAccount } from '../../accounts/account.ts'
import { presentAccount } from '../../accounts/model.ts'
import type { AppContext } from '../../context.ts'
import { publicPageRoute, rejectIdempotencyKey, sessionRoute } from '../../gate/portal-rules.ts'
import type { Rule } from '../../gate/rule.ts'
import { assertSameOrigin } from '../../gate/same-origin.ts'
import { readSessionToken } from '../../sessions/cookie.ts'
import { establishSession, type SignInContext, startSignIn } from '../../sessions/establish.ts'
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
import { linkIdentity, listIdentities, unlinkIdentity } from './identities.ts'
import {
  CallbackRequest,
  CallbackResponse,
  IdentitiesResponse,
  IdentityResponse,
  IdentitySignUpRequest,
  IdentitySignUpResponse,
  ProviderRequest,
  presentIdentity,
  StartedResponse,
  UnlinkQuery,
} from './model.ts'
import { getRedirectUrl, type OidcProvider } from './provider.ts'
import { notLinked, offerSignUp, signInWithIdentity } from './sign-in.ts'
import { type AcceptInvitation, signUpWithIdentity } from './sign-up.ts'
import { assertCanVerifyWith, verifySessionWithIdentity } from './verify-session.ts'

/** What a return from a provider did not lead to. */
const NOTHING_ELSE = {
  account: null,
  secondFactor: null,
  signUp: null,
  linkedProvider: null,
  verifiedUntil: null,
} as const

/** A linked identity can sign in from then on. */
const manageRule: Rule = rejectIdempotencyKey({ ...sessionRoute, requiresVerification: true })

/**
 * `/portal/api/sign-in/provider`, `/callback` and `/sign-up`: signing in with an identity provider; `/portal/api/identities`: the identities
 * of the signed-in account; `/portal/api/verification/provider`: confirming who is using a session.
 */
export const oidcRoutes = (app: AppContext, acceptInvitation: AcceptInvitation) => {
  const { db, ports, settings } = app
  const { oidcProviders: providers, publicUrl } = settings
  const flow = { db, ports, settings, metadata: new ProviderMetadata(ports) }
  const findProvider = (id: string) => providers.find((provider) => provider.id === id)

  /** @throws AppError `not_found` */
  function requireProvider(id: string): OidcProvider {
    const provider = findProvider(id)
    if (provider === undefined)
      throw new AppError('not_found', {
        message: 'Signing in with this provider is not set up on this instance.',
      })
    return provider
  }

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
      startAuthorization(flow, provider, {
        intent,
        actor: intent === 'sign_in' ? null : actor,
        browserSecret,
      }),
    )
    return { url }
  }

  /** Who has come back from a provider. A response that is not that of a sign-in of this browser is reported as a failed sign-in. */
  async function readReturn(
    { actor, request }: Pick<SignInContext, 'actor' | 'request'>,
    provider: OidcProvider,
    parameters: URLSearchParams,
  ) {
    const state = parameters.get('state')
    try {
      const browserSecret = readBrowserSecret(request, publicUrl)
      const pending = await takeAuthorization(flow, provider.id, { state, browserSecret })
      const returned = await explainFailures(provider, reportFailure(actor), () =>
        readProviderIdentity(flow.metadata, ports, provider, {
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
  async function verify(
    actor: Actor,
    provider: OidcProvider,
    { pending, identity }: { readonly pending: ReturnedAuthorization; readonly identity: ProviderIdentity },
  ) {
    if (pending.sessionId !== actor.sessionId) throw unauthorized('invalid_session')
    return { ...NOTHING_ELSE, ...(await verifySessionWithIdentity(app, actor, provider, identity)) }
  }

  return new Elysia({ name: 'portal-oidc', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-in/provider',
      async ({ actor, body, request, set }) =>
        start({ actor, request, set }, requireProvider(requireFields(body, 'provider').provider), 'sign_in'),
      {
        permission: publicPageRoute,
        query: NoFields,
        body: ProviderRequest,
        response: { 200: StartedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Begin a sign-in with an identity provider' },
      },
    )
    .post(
      '/portal/api/sign-in/callback',
      async ({ actor, body, request, set }) => {
        const fields = requireFields(body, 'provider', 'parameters')
        const provider = requireProvider(fields.provider)
        const parameters = new URLSearchParams(fields.parameters)
        const returned = await readReturn({ actor, request }, provider, parameters)
        const { pending, identity } = returned
        if (pending.intent !== 'sign_in') {
          const account = await requireSameAccount({ actor, request, set }, pending.accountId, provider)
          return pending.intent === 'link'
            ? link(account, provider, identity)
            : verify(account, provider, returned)
        }
        const signIn = await signInWithIdentity(app, actor, provider, returned)
        if (signIn !== null) {
          const outcome = await startSignIn(app, { actor, request, set }, signIn)
          return { ...NOTHING_ELSE, ...presentSignIn(outcome) }
        }
        if (!provider.createsAccounts && body.invitation === undefined) throw notLinked(provider, identity)
        const { name } = identity
        const offer = await offerSignUp(db, ports, provider, identity)
        const signUp = { ...offer, name, providerName: provider.name }
        return { ...NOTHING_ELSE, signUp }
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: CallbackRequest,
        response: { 200: CallbackResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Finish a sign-in with an identity provider' },
      },
    )
    .post(
      '/portal/api/sign-in/sign-up',
      async ({ actor, body, request, set }) => {
        const fields = requireFields(body, 'token', 'username')
        const signUp = await signUpWithIdentity(
          db,
          ports,
          actor,
          { findProvider, acceptInvitation },
          { ...fields, invitation: body.invitation ?? null },
        )
        const { account, workspace } = await establishSession(app, { actor, request, set }, signUp)
        return { account: presentAccount({ ...account, isOperator: false }), workspace }
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: IdentitySignUpRequest,
        response: { 200: IdentitySignUpResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Create an account for an identity that is not linked' },
      },
    )
    .get(
      '/portal/api/identities',
      async ({ actor }) => ({
        identities: (await listIdentities(db.read, actor.id)).map((row) => presentIdentity(row, providers)),
      }),
      {
        permission: sessionRoute,
        query: NoFields,
        response: { 200: IdentitiesResponse, ...errorResponses() },
        detail: { summary: 'List the accounts of identity providers that are linked to yours' },
      },
    )
    .post(
      '/portal/api/identities',
      async ({ actor, body, request, set }) =>
        start({ actor, request, set }, requireProvider(requireFields(body, 'provider').provider), 'link'),
      {
        permission: manageRule,
        query: NoFields,
        body: ProviderRequest,
        response: { 200: StartedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Begin to link an account of an identity provider' },
      },
    )
    .post(
      '/portal/api/verification/provider',
      async ({ actor, body, request, set }) => {
        const provider = requireProvider(requireFields(body, 'provider').provider)
        await assertCanVerifyWith(db.read, actor.id, provider)
        return start({ actor, request, set }, provider, 'verify')
      },
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: NoFields,
        body: ProviderRequest,
        response: { 200: StartedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Begin to confirm who you are with an identity provider' },
      },
    )
    .delete(
      '/portal/api/identities',
      async ({ actor, requestContext, query }) => {
        const { issuer } = requireFields(query, 'issuer')
        const row = await app.commit(requestContext, (tx) =>
          unlinkIdentity(tx, ports, actor, settings, issuer),
        )
        return { identity: presentIdentity(row, providers) }
      },
      {
        permission: manageRule,
        query: UnlinkQuery,
        response: { 200: IdentityResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Unlink an account of an identity provider' },
      },
    )
}
