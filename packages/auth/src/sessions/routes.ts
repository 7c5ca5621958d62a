import { requireFields } from '@reeve/core'
import { errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../context.ts'
import { rejectIdempotencyKey, sessionRoute } from '../gate/portal-rules.ts'
import { endSessionById, listSessions, signOut } from './account-sessions.ts'
import { clearSessionCookie } from './cookie.ts'
import {
  SessionEndedResponse,
  SessionQuery,
  SessionsQuery,
  SessionsResponse,
  SignedOutResponse,
} from './model.ts'

/** `/portal/api/sessions` and `/portal/api/sign-out`: the sessions of the signed-in account. */
export const sessionRoutes = (app: AppContext) => {
  const { db, ports, settings } = app

  return new Elysia({ name: 'portal-sessions', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/sign-out',
      async ({ actor, requestContext, request, set }) => {
        await app.commit(requestContext, async (tx) => {
          await signOut(tx, ports, actor)
          return {}
        })
        clearSessionCookie(set, settings.publicUrl, app.isHttps(request))
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
    .get('/portal/api/sessions', async ({ actor, query }) => listSessions(db.read, ports, actor, query), {
      permission: sessionRoute,
      query: SessionsQuery,
      response: { 200: SessionsResponse, ...errorResponses() },
      detail: { summary: 'List your sessions' },
    })
    .delete(
      '/portal/api/sessions',
      async ({ actor, requestContext, query, request, set }) => {
        const { id } = requireFields(query, 'id')
        const session = await app.commit(requestContext, (tx) => endSessionById(tx, ports, actor, id))
        if (id === actor.sessionId) clearSessionCookie(set, settings.publicUrl, app.isHttps(request))
        return session
      },
      {
        permission: rejectIdempotencyKey(sessionRoute),
        query: SessionQuery,
        response: { 200: SessionEndedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'End one of your sessions' },
      },
    )
}
