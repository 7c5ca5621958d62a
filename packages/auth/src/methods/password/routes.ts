import { requireFields } from '@reeve/core'
import { NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { AccountResponse, presentAccount } from '../../accounts/model.ts'
import type { AppContext } from '../../context.ts'
import { publicPageRoute, publicRoute, rejectIdempotencyKey, sessionRoute } from '../../gate/portal-rules.ts'
import { readDeviceToken } from '../../sessions/cookie.ts'
import { establishSession, startSignIn } from '../../sessions/establish.ts'
import { presentSignIn, SignInResponse } from '../../sessions/sign-in-model.ts'
import { changeOwnPassword } from './change.ts'
import { readPasswordLink, setPasswordWithLink } from './link.ts'
import {
  ChangePasswordRequest,
  PasswordLinkRequest,
  PasswordLinkResponse,
  PasswordResetRequest,
  PasswordResetResponse,
  SetPasswordRequest,
  SignInRequest,
} from './model.ts'
import { requestPasswordReset } from './reset.ts'
import { signInWithPassword } from './sign-in.ts'

/** `/portal/api/sign-in` and `/portal/api/password`: signing in with a password, and changing it. */
export const passwordRoutes = (app: AppContext) => {
  const { db, ports } = app

  return new Elysia({ name: 'portal-password', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-in',
      async ({ actor, body, request, set }) => {
        const signIn = await signInWithPassword(app, actor, {
          ...requireFields(body, 'username', 'password'),
          deviceToken: readDeviceToken(request, app.settings.publicUrl),
        })
        return presentSignIn(await startSignIn(app, { actor, request, set }, signIn))
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: SignInRequest,
        response: { 200: SignInResponse, ...writeErrorResponses() },
        detail: { summary: 'Sign in with a password' },
      },
    )
    .post(
      '/portal/api/password-reset',
      async ({ actor, body }) => {
        await requestPasswordReset(db, ports, app.settings, actor, requireFields(body, 'login').login)
        return { accepted: 'true' }
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: PasswordResetRequest,
        response: { 200: PasswordResetResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Have a link to set a new password sent by e-mail' },
      },
    )
    .post(
      '/portal/api/password-link',
      async ({ actor, body }) => readPasswordLink(db, ports, actor, requireFields(body, 'token').token),
      {
        permission: rejectIdempotencyKey(publicRoute),
        query: NoFields,
        body: PasswordLinkRequest,
        response: { 200: PasswordLinkResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Read whose password a link sets' },
      },
    )
    .post(
      '/portal/api/password-link/password',
      async ({ actor, body, request, set }) => {
        const signIn = await setPasswordWithLink(db, ports, actor, requireFields(body, 'token', 'password'))
        return presentSignIn(await startSignIn(app, { actor, request, set }, signIn))
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: SetPasswordRequest,
        response: { 200: SignInResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Set the password with a link, and sign in' },
      },
    )
    .post(
      '/portal/api/password',
      async ({ actor, body, request, set }) => {
        const signIn = await changeOwnPassword(db, ports, actor, {
          ...requireFields(body, 'currentPassword', 'newPassword'),
          deviceToken: readDeviceToken(request, app.settings.publicUrl),
        })
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
