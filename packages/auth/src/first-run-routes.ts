import { requireFields, wire } from '@reeve/core'
import { errorResponses, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { hasAccounts } from './account.ts'
import type { AppContext } from './context.ts'
import { sessionCookie } from './cookie.ts'
import { needNoOtherSite } from './credentials.ts'
import { type FirstRunParts, setUp } from './first-run.ts'
import { FirstRunAnswer, FirstRunRequest, NoFields, SetUpAnswer, shownAccount } from './portal-model.ts'
import { anyone, userAgentOf } from './portal-rules.ts'

/** `/portal/api/first-run`: how an instance gets its first operator. */
export const firstRun = (app: AppContext, parts: FirstRunParts) => {
  const { db, ports } = app
  const { publicUrl } = app.settings
  const cookie = sessionCookie(publicUrl)

  return new Elysia({ name: 'portal-first-run', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/first-run',
      async () => ({ needed: wire.boolean.write(!(await hasAccounts(db.read))) }),
      {
        permission: anyone,
        query: NoFields,
        response: { 200: FirstRunAnswer, ...errorResponses() },
        detail: { summary: 'Read whether this instance has still to be set up' },
      },
    )
    .post(
      '/portal/api/first-run',
      async ({ actor, body, request, setCookie }) => {
        needNoOtherSite(request.headers, publicUrl)
        const { account, workspaceId, token } = await setUp(db, ports, actor, parts, {
          ...requireFields(body, 'code', 'username', 'password', 'groupName'),
          userAgent: userAgentOf(request),
        })
        setCookie(cookie.name, token, cookie.keeping)
        return { account: shownAccount({ ...account, isOperator: true }), workspaceId }
      },
      {
        permission: anyone,
        query: NoFields,
        body: FirstRunRequest,
        response: { 200: SetUpAnswer, ...writeErrorResponses() },
        detail: { summary: 'Set the instance up: its first operator and a first workspace' },
      },
    )
}
