import { requireFields } from '@reeve/core'
import { errorResponses, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { getCurrentAccount } from '../accounts/me.ts'
import {
  AccountResponse,
  MeResponse,
  NoFields,
  PageQuery,
  PasswordRequest,
  presentAccount,
  SessionEndedResponse,
  SessionQuery,
  SessionsResponse,
  SignedOutResponse,
  SignInRequest,
} from '../accounts/model.ts'
import type { AppContext } from '../context.ts'
import { assertNotCrossSite } from '../gate/authenticate.ts'
import { getUserAgent, publicRoute, rejectIdempotencyKey, sessionRoute } from '../gate/portal-rules.ts'
import { changeOwnPassword } from '../methods/change-password.ts'
import { signIn, signOut } from '../methods/password.ts'
import { getSessionCookie } from './cookie.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'

/** `/portal/api/{sign-in,sign-out,me,sessions,password}`: who signs in, and with what. */
export const signInRoutes = (app: AppContext) => {
  const { db, ports } = app
  const { publicUrl } = app.settings
  const { name: cookieName, setOptions, clearOptions } = getSessionCookie(publicUrl)

  return new Elysia({ name: 'portal-sign-in', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-in',
      async ({ actor, body, request, cookie, setCookie }) => {
        assertNotCrossSite(request.headers, publicUrl)
        const { account, token } = await signIn(db, ports, actor, {
          ...requireFields(body, 'username', 'password'),
          previousSessionToken: String(cookie[cookieName] ?? ''),
          userAgent: getUserAgent(request),
        })
        setCookie(cookieName, token, setOptions)
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
      '/portal/api/sign-out',
      async ({ actor, requestContext, setCookie }) => {
        await app.commit(requestContext, async (tx) => {
          await signOut(tx, ports, actor)
          return {}
        })
        setCookie(cookieName, '', clearOptions)
        return { signedOut: 'true' }
      },
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: NoFields,
        body: NoFields,
        response: { 200: SignedOutResponse, ...writeErrorResponses() },
        detail: { summary: 'Sign out' },
      },
    )
    .get('/portal/api/me', async ({ actor }) => getCurrentAccount(db.read, actor), {
      permission: sessionRoute,
      query: NoFields,
      response: { 200: MeResponse, ...errorResponses() },
      detail: { summary: 'Read who is signed in, and the workspaces they belong to' },
    })
    .get('/portal/api/sessions', async ({ actor, query }) => listOwnSessions(db.read, ports, actor, query), {
      permission: sessionRoute,
      query: PageQuery,
      response: { 200: SessionsResponse, ...errorResponses() },
      detail: { summary: 'List your own sessions' },
    })
    .delete(
      '/portal/api/sessions',
      async ({ actor, requestContext, query, setCookie }) => {
        const { id } = requireFields(query, 'id')
        const session = await app.commit(requestContext, (tx) => endOwnSession(tx, ports, actor, id))
        if (id === actor.sessionId) setCookie(cookieName, '', clearOptions)
        return session
      },
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: SessionQuery,
        response: { 200: SessionEndedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'End one of your own sessions' },
      },
    )
    .post(
      '/portal/api/password',
      async ({ actor, body, request, setCookie }) => {
        const token = await changeOwnPassword(db, ports, actor, {
          ...requireFields(body, 'currentPassword', 'newPassword'),
          userAgent: getUserAgent(request),
        })
        setCookie(cookieName, token, setOptions)
        const { id, name: username, isOperator } = actor
        return { account: presentAccount({ id, username, isOperator }) }
      },
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: NoFields,
        body: PasswordRequest,
        response: { 200: AccountResponse, ...writeErrorResponses() },
        detail: { summary: 'Change your password; your other sessions end' },
      },
    )
}
