import { requireFields } from '@reeve/core'
import { errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../context.ts'
import {
  publicPageRoute,
  rejectIdempotencyKey,
  sessionRoute,
  verifiedSessionRoute,
} from '../gate/portal-rules.ts'
import { getRelyingParty } from '../methods/passkey/relying-party.ts'
import { readDeviceToken } from '../sessions/cookie.ts'
import { presentSignIn, SignInResponse } from '../sessions/sign-in-model.ts'
import { FactorsResponse, listFactors } from './list.ts'
import {
  RecoveryCodesResponse,
  SecondFactorRequest,
  VerificationRequest,
  VerificationResponse,
  VerifiedResponse,
} from './model.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { signInWithSecondFactor } from './sign-in.ts'
import { verifySession } from './verify-session.ts'

/**
 * `/portal/api/sign-in/second-factor`, the second step of a sign-in; `/portal/api/verification`, which confirms who is using a session;
 * `/portal/api/factors`, the passkeys and second factors of the signed-in account.
 */
export const factorRoutes = (app: AppContext) => {
  const { db, ports } = app
  const relyingParty = getRelyingParty(app.settings.publicUrl)

  return new Elysia({ name: 'portal-factors', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-in/second-factor',
      async ({ actor, body, request, set }) => {
        const { token } = requireFields(body, 'token')
        const result = await signInWithSecondFactor(
          app,
          { actor, request, set },
          { ...body, token, deviceToken: readDeviceToken(request, app.settings.publicUrl) },
        )
        return presentSignIn({ result, pending: null })
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: SecondFactorRequest,
        response: { 200: SignInResponse, ...writeErrorResponses() },
        detail: { summary: 'Sign in with a second factor, after the first one' },
      },
    )
    .get('/portal/api/verification', async () => ({ verified: 'true' }), {
      permission: verifiedSessionRoute,
      query: NoFields,
      response: { 200: VerifiedResponse, ...errorResponses() },
      detail: { summary: 'Check whether the session is verified, before following a download link' },
    })
    .post(
      '/portal/api/verification',
      async ({ actor, requestContext, body, request }) => {
        const deviceToken = readDeviceToken(request, app.settings.publicUrl)
        const verify = await verifySession(app, actor, { ...body, deviceToken })
        return app.commit(requestContext, verify)
      },
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: NoFields,
        body: VerificationRequest,
        response: { 200: VerificationResponse, ...writeErrorResponses() },
        detail: { summary: 'Verify a factor again, before a sensitive action' },
      },
    )
    .get('/portal/api/factors', async ({ actor }) => listFactors(db.read, relyingParty, actor), {
      permission: sessionRoute,
      query: NoFields,
      response: { 200: FactorsResponse, ...errorResponses() },
      detail: { summary: 'List your passkeys and second factors' },
    })
    .post(
      '/portal/api/factors/recovery-codes',
      async ({ actor, requestContext }) =>
        app.commit(requestContext, (tx) => replaceRecoveryCodes(tx, ports, actor)),
      {
        permission: rejectIdempotencyKey(verifiedSessionRoute),
        query: NoFields,
        body: NoFields,
        response: { 200: RecoveryCodesResponse, ...writeErrorResponses() },
        detail: { summary: 'Replace your recovery codes' },
      },
    )
}
