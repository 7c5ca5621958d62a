import { requireFields, wire } from '@reeve/core'
import { errorResponses, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../context.ts'
import { assertNotCrossSite } from '../gate/authenticate.ts'
import { getUserAgent, publicRoute } from '../gate/portal-rules.ts'
import { getSessionCookie } from '../sessions/cookie.ts'
import { hasAccounts } from './account.ts'
import { type FirstRunOptions, setUpInstance } from './first-run.ts'
import { FirstRunRequest, FirstRunResponse, NoFields, presentAccount, SetUpResponse } from './model.ts'

/** `/portal/api/first-run`: how an instance gets its first operator. */
export const firstRunRoutes = (app: AppContext, options: FirstRunOptions) => {
  const { db, ports } = app
  const { publicUrl } = app.settings
  const cookie = getSessionCookie(publicUrl)

  return new Elysia({ name: 'portal-first-run', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/first-run',
      async () => ({ needed: wire.boolean.write(!(await hasAccounts(db.read))) }),
      {
        permission: publicRoute,
        query: NoFields,
        response: { 200: FirstRunResponse, ...errorResponses() },
        detail: { summary: 'Read whether this instance has still to be set up' },
      },
    )
    .post(
      '/portal/api/first-run',
      async ({ actor, body, request, setCookie }) => {
        assertNotCrossSite(request.headers, publicUrl)
        const { account, workspaceId, token } = await setUpInstance(db, ports, actor, options, {
          ...requireFields(body, 'code', 'username', 'password', 'groupName'),
          userAgent: getUserAgent(request),
        })
        setCookie(cookie.name, token, cookie.setOptions)
        return { account: presentAccount({ ...account, isOperator: true }), workspaceId }
      },
      {
        permission: publicRoute,
        query: NoFields,
        body: FirstRunRequest,
        response: { 200: SetUpResponse, ...writeErrorResponses() },
        detail: { summary: 'Set the instance up: its first operator and a first workspace' },
      },
    )
}
