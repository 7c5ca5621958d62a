import { requireFields } from '@reeve/core'
import { NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../../context.ts'
import { VerificationResponse } from '../../factors/model.ts'
import { rejectIdempotencyKey, sessionRoute, verifiedSessionRoute } from '../../gate/portal-rules.ts'
import {
  AssertionRequest,
  OptionsResponse,
  PasskeyAddedResponse,
  PasskeyQuery,
  PasskeyRemovedResponse,
  PasskeyResponse,
  RegistrationRequest,
  RenameRequest,
} from './model.ts'
import { removePasskey, renamePasskey } from './passkeys.ts'
import { registerPasskey, startRegistration } from './register.ts'
import { getRelyingParty } from './relying-party.ts'
import { startVerification, verifySessionWithPasskey } from './verify-session.ts'

/** `/portal/api/passkeys` and `/portal/api/verification/passkey`: the passkeys of the signed-in account. */
export const passkeyRoutes = (app: AppContext) => {
  const { db, ports, settings } = app
  const relyingParty = getRelyingParty(settings.publicUrl)

  return new Elysia({ name: 'portal-passkeys', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/passkeys/options',
      async ({ actor, requestContext }) =>
        app.commit(requestContext, (tx) => startRegistration(tx, ports, relyingParty, actor)),
      {
        permission: rejectIdempotencyKey(verifiedSessionRoute),
        query: NoFields,
        body: NoFields,
        response: { 200: OptionsResponse, ...writeErrorResponses() },
        detail: { summary: 'Start adding a passkey' },
      },
    )
    .post(
      '/portal/api/passkeys',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, await registerPasskey(ports, relyingParty, actor, body)),
      {
        permission: rejectIdempotencyKey(verifiedSessionRoute),
        query: NoFields,
        body: RegistrationRequest,
        response: { 200: PasskeyAddedResponse, ...writeErrorResponses() },
        detail: { summary: 'Add a passkey' },
      },
    )
    .patch(
      '/portal/api/passkeys',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => renamePasskey(tx, ports, relyingParty, actor, body)),
      {
        permission: sessionRoute,
        query: NoFields,
        body: RenameRequest,
        response: { 200: PasskeyResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Rename one of your passkeys' },
      },
    )
    .delete(
      '/portal/api/passkeys',
      async ({ actor, requestContext, query }) => {
        const { id } = requireFields(query, 'id')
        return app.commit(requestContext, (tx) => removePasskey(tx, ports, settings, actor, id))
      },
      {
        permission: verifiedSessionRoute,
        query: PasskeyQuery,
        response: { 200: PasskeyRemovedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Remove one of your passkeys' },
      },
    )
    .post(
      '/portal/api/verification/passkey/options',
      async ({ actor, requestContext }) =>
        app.commit(requestContext, (tx) => startVerification(tx, ports, relyingParty, actor)),
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: NoFields,
        body: NoFields,
        response: { 200: OptionsResponse, ...writeErrorResponses() },
        detail: { summary: 'Start confirming who you are with a passkey' },
      },
    )
    .post(
      '/portal/api/verification/passkey',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, await verifySessionWithPasskey(db, ports, relyingParty, actor, body)),
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: NoFields,
        body: AssertionRequest,
        response: { 200: VerificationResponse, ...writeErrorResponses() },
        detail: { summary: 'Confirm who you are with a passkey' },
      },
    )
}
