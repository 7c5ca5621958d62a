import { requireFields } from '@reeve/core'
import { NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { AccountResponse, presentAccount } from '../../accounts/model.ts'
import type { AppContext } from '../../context.ts'
import { publicRoute, rejectIdempotencyKey, sessionRoute } from '../../gate/portal-rules.ts'
import { assertNotCrossSite } from '../../gate/same-origin.ts'
import { establishSession } from '../../sessions/establish.ts'
import { changeOwnPassword } from './change.ts'
import { ChangePasswordRequest, SignInRequest } from './model.ts'
import { signInWithPassword } from './sign-in.ts'

/** `/portal/api/sign-in` and `/portal/api/password`: signing in with a password, and changing it. */
export const passwordRoutes = (app: AppContext) => {
  const { db, ports } = app

  return new Elysia({ name: 'portal-password', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-in',
      async ({ actor, body, request, set }) => {
        assertNotCrossSite(request.headers, app.settings.publicUrl)
        const signIn = await signInWithPassword(db, ports, actor, requireFields(body, 'username', 'password'))
        const { account } = await establishSession(app, { actor, request, set }, signIn)
        return { account: presentAccount({ ...account, isOperator: account.is_operator === 1 }) }
      },
      {
        permission: publicRoute,
        query: NoFields,
        body: SignInRequest,
        response: { 200: AccountResponse, ...writeErrorResponses() },
        detail: { summary: 'Sign in' },
      },
    )
    .post(
      '/portal/api/password',
      async ({ actor, body, request, set }) => {
        const fields = requireFields(body, 'currentPassword', 'newPassword')
        const signIn = await changeOwnPassword(db, ports, actor, fields)
        const { account } = await establishSession(app, { actor, request, set }, signIn)
        return { account: presentAccount({ ...account, isOperator: account.is_operator === 1 }) }
      },
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: NoFields,
        body: ChangePasswordRequest,
        response: { 200: AccountResponse, ...writeErrorResponses() },
        detail: { summary: 'Change your password and end your other sessions' },
      },
    )
}
