import { AppError, requireFields } from '@reeve/core'
import { errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { presentAccount } from '../../accounts/model.ts'
import type { AppContext } from '../../context.ts'
import { publicPageRoute, rejectIdempotencyKey, sessionRoute } from '../../gate/portal-rules.ts'
import type { Rule } from '../../gate/rule.ts'
import { establishSession } from '../../sessions/establish.ts'
import { createProviderFlow } from './flow.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
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
import type { OidcProvider } from './provider.ts'
import { type AcceptInvitation, signUpWithIdentity } from './sign-up.ts'
import { assertCanVerifyWith } from './verify-session.ts'

/** A linked identity can sign in from then on. */
const manageRule: Rule = rejectIdempotencyKey({ ...sessionRoute, requiresVerification: true })

/**
 * `/portal/api/sign-in/provider`, `/callback` and `/sign-up`: signing in with an identity provider; `/portal/api/identities`: the identities
 * of the signed-in account; `/portal/api/verification/provider`: confirming who is using a session.
 */
export const oidcRoutes = (app: AppContext, acceptInvitation: AcceptInvitation) => {
  const { db, ports, settings } = app
  const { oidcProviders: providers } = settings
  const { start, finish } = createProviderFlow(app)
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
        const { provider, parameters } = requireFields(body, 'provider', 'parameters')
        return finish({ actor, request, set }, requireProvider(provider), {
          parameters: new URLSearchParams(parameters),
          isInvited: body.invitation !== undefined,
        })
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
