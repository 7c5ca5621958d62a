import { requireFields } from '@reeve/core'
import { errorResponses, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { changeOwnPassword } from './change-password.ts'
import type { AppContext } from './context.ts'
import { sessionCookie } from './cookie.ts'
import { needNoOtherSite } from './credentials.ts'
import { whoAmI } from './me.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'
import {
  AccountAnswer,
  MeAnswer,
  NoFields,
  PageQuery,
  PasswordRequest,
  SessionEndedAnswer,
  SessionQuery,
  SessionsAnswer,
  SignedOutAnswer,
  SignInRequest,
  shownAccount,
} from './portal-model.ts'
import { anyone, signedIn, userAgentOf, withoutReplay } from './portal-rules.ts'
import { signIn, signOut } from './sign-in.ts'

/** `/portal/api/{sign-in,sign-out,me,sessions,password}`: who signs in, and with what. */
export const signInRoutes = (app: AppContext) => {
  const { db, ports } = app
  const { publicUrl } = app.settings
  const { name: cookieName, keeping, clearing } = sessionCookie(publicUrl)

  return new Elysia({ name: 'portal-sign-in', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-in',
      async ({ actor, body, request, cookie, setCookie }) => {
        needNoOtherSite(request.headers, publicUrl)
        const { account, token } = await signIn(db, ports, actor, {
          ...requireFields(body, 'username', 'password'),
          presented: String(cookie[cookieName] ?? ''),
          userAgent: userAgentOf(request),
        })
        setCookie(cookieName, token, keeping)
        return { account: shownAccount({ ...account, isOperator: account.is_operator === 1 }) }
      },
      {
        permission: anyone,
        query: NoFields,
        body: SignInRequest,
        response: { 200: AccountAnswer, ...writeErrorResponses() },
        detail: { summary: 'Sign in' },
      },
    )
    .post(
      '/portal/api/sign-out',
      async ({ actor, call, setCookie }) => {
        await app.commit(withoutReplay(call), async (tx) => {
          await signOut(tx, ports, actor)
          return {}
        })
        setCookie(cookieName, '', clearing)
        return { signedOut: 'true' }
      },
      {
        permission: signedIn,
        query: NoFields,
        body: NoFields,
        response: { 200: SignedOutAnswer, ...writeErrorResponses() },
        detail: { summary: 'Sign out' },
      },
    )
    .get('/portal/api/me', async ({ actor }) => whoAmI(db.read, actor), {
      permission: signedIn,
      query: NoFields,
      response: { 200: MeAnswer, ...errorResponses() },
      detail: { summary: 'Read who is signed in, and the workspaces they belong to' },
    })
    .get('/portal/api/sessions', async ({ actor, query }) => listOwnSessions(db.read, ports, actor, query), {
      permission: signedIn,
      query: PageQuery,
      response: { 200: SessionsAnswer, ...errorResponses() },
      detail: { summary: 'List your own sessions' },
    })
    .delete(
      '/portal/api/sessions',
      async ({ actor, call, query, setCookie }) => {
        const { id } = requireFields(query, 'id')
        const ended = await app.commit(withoutReplay(call), (tx) => endOwnSession(tx, ports, actor, id))
        if (id === actor.sessionId) setCookie(cookieName, '', clearing)
        return ended
      },
      {
        permission: signedIn,
        query: SessionQuery,
        response: { 200: SessionEndedAnswer, ...writeErrorResponses('not_found') },
        detail: { summary: 'End one of your own sessions' },
      },
    )
    .post(
      '/portal/api/password',
      async ({ actor, call, body, request, setCookie }) => {
        withoutReplay(call)
        const token = await changeOwnPassword(db, ports, actor, {
          ...requireFields(body, 'currentPassword', 'newPassword'),
          userAgent: userAgentOf(request),
        })
        setCookie(cookieName, token, keeping)
        const { id, name: username, isOperator } = actor
        return { account: shownAccount({ id, username, isOperator }) }
      },
      {
        permission: signedIn,
        query: NoFields,
        body: PasswordRequest,
        response: { 200: AccountAnswer, ...writeErrorResponses() },
        detail: { summary: 'Change your password; your other sessions end' },
      },
    )
}
