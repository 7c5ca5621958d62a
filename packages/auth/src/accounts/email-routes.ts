import { requireFields, wire } from '@reeve/core'
import {
  inputField,
  NoFields,
  nullableString,
  requestObject,
  responseObject,
  stringField,
  writeErrorResponses,
} from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../context.ts'
import { tokenField } from '../factors/model.ts'
import { rejectIdempotencyKey, verifiedSessionRoute } from '../gate/portal-rules.ts'
import { readDeviceToken } from '../sessions/cookie.ts'
import { confirmEmail, emailAddress, removeEmail, startEmailChange } from './email.ts'

const EmailRequest = requestObject({ email: inputField(emailAddress) })
const EmailStartedResponse = responseObject(
  { token: stringField('Names this change in the request with the code') },
  'A code was sent to the address',
)
const EmailConfirmationRequest = requestObject({
  token: tokenField('The token of the response that announced the code'),
  code: inputField(wire.text({ min: 1, max: 100, example: '7K3M-Q9TX' }), 'The code of the mail'),
})
const EmailResponse = responseObject(
  { email: nullableString('The e-mail address of the account; null for none', 'robin@example.com') },
  'The e-mail address',
)

/** `/portal/api/account/email`: the address that mails to the signed-in account are sent to. */
export const emailRoutes = (app: AppContext) => {
  const { db, ports, settings } = app

  return new Elysia({ name: 'portal-email', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/account/email',
      async ({ actor, requestContext, body }) => {
        const { email } = requireFields(body, 'email')
        return app.commit(requestContext, (tx) => startEmailChange(tx, ports, settings, actor, email))
      },
      {
        permission: rejectIdempotencyKey(verifiedSessionRoute),
        query: NoFields,
        body: EmailRequest,
        response: { 200: EmailStartedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Send a code to a new e-mail address of the account' },
      },
    )
    .post(
      '/portal/api/account/email/confirmation',
      async ({ actor, requestContext, body, request }) => {
        const step = await confirmEmail(db, ports, actor, {
          ...requireFields(body, 'token', 'code'),
          deviceToken: readDeviceToken(request, settings.publicUrl),
        })
        return app.commit(requestContext, step)
      },
      {
        permission: rejectIdempotencyKey(verifiedSessionRoute),
        query: NoFields,
        body: EmailConfirmationRequest,
        response: { 200: EmailResponse, ...writeErrorResponses() },
        detail: { summary: 'Set the e-mail address of the account' },
      },
    )
    .delete(
      '/portal/api/account/email',
      async ({ actor, requestContext }) => app.commit(requestContext, (tx) => removeEmail(tx, ports, actor)),
      {
        permission: verifiedSessionRoute,
        query: NoFields,
        response: { 200: EmailResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Remove the e-mail address of the account' },
      },
    )
}
