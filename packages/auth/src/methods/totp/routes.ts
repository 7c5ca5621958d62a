import { requireFields } from '@reeve/core'
import { NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../../context.ts'
import { FactorAddedResponse } from '../../factors/model.ts'
import { addVerifiedFactor } from '../../factors/verify-session.ts'
import { rejectIdempotencyKey, verifiedSessionRoute } from '../../gate/portal-rules.ts'
import { TotpConfirmationRequest, TotpEnrolmentResponse, TotpRemovedResponse } from './model.ts'
import { confirmTotpEnrolment, removeTotp, startTotpEnrolment } from './service.ts'

/** `/portal/api/factors/totp`: the authenticator app of the signed-in account. */
export const totpRoutes = (app: AppContext) => {
  const { ports, settings } = app
  const issuer = `Reeve (${settings.publicUrl.hostname})`

  return new Elysia({ name: 'portal-totp', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/factors/totp',
      async ({ actor, requestContext }) =>
        app.commit(requestContext, (tx) => startTotpEnrolment(tx, ports, actor, issuer)),
      {
        permission: rejectIdempotencyKey(verifiedSessionRoute),
        query: NoFields,
        body: NoFields,
        response: { 200: TotpEnrolmentResponse, ...writeErrorResponses() },
        detail: { summary: 'Generate a secret for an authenticator app' },
      },
    )
    .post(
      '/portal/api/factors/totp/confirm',
      async ({ actor, requestContext, body }) => {
        const fields = requireFields(body, 'token', 'code')
        return app.commit(requestContext, async (tx) => {
          const added = await confirmTotpEnrolment(tx, ports, actor, fields)
          await addVerifiedFactor(tx, ports, actor, 'totp')
          return added
        })
      },
      {
        permission: rejectIdempotencyKey(verifiedSessionRoute),
        query: NoFields,
        body: TotpConfirmationRequest,
        response: { 200: FactorAddedResponse, ...writeErrorResponses() },
        detail: { summary: 'Add the authenticator app, with its first code' },
      },
    )
    .delete(
      '/portal/api/factors/totp',
      async ({ actor, requestContext }) =>
        app.commit(requestContext, async (tx) => {
          await removeTotp(tx, ports, actor)
          return { removed: 'true' }
        }),
      {
        permission: verifiedSessionRoute,
        query: NoFields,
        response: { 200: TotpRemovedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Remove your authenticator app' },
      },
    )
}
