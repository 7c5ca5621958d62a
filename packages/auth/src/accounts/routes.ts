import { requireFields, wire } from '@reeve/core'
import { errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../context.ts'
import { publicPageRoute, publicRoute, sessionRoute } from '../gate/portal-rules.ts'
import { establishSession } from '../sessions/establish.ts'
import { hasAccounts } from './account.ts'
import { type FirstRunOptions, setUpInstance } from './first-run.ts'
import { getCurrentAccount } from './me.ts'
import { FirstRunRequest, FirstRunResponse, MeResponse, presentAccount, SetUpResponse } from './model.ts'

/** `/portal/api/first-run`, which creates the first operator, and `/portal/api/me`, the signed-in account. */
export const accountRoutes = (app: AppContext, options: FirstRunOptions) => {
  const { db, ports } = app

  return new Elysia({ name: 'portal-accounts', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/first-run',
      async () => ({ needed: wire.boolean.write(!(await hasAccounts(db.read))) }),
      {
        permission: publicRoute,
        query: NoFields,
        response: { 200: FirstRunResponse, ...errorResponses() },
        detail: { summary: 'Check whether this instance still has to be set up' },
      },
    )
    .post(
      '/portal/api/first-run',
      async ({ actor, body, request, set }) => {
        const fields = requireFields(body, 'code', 'username', 'password', 'groupName')
        const { account, workspaceId } = await establishSession(
          app,
          { actor, request, set },
          await setUpInstance(db, ports, actor, options, fields),
        )
        return { account: presentAccount({ ...account, isOperator: true }), workspaceId }
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: FirstRunRequest,
        response: { 200: SetUpResponse, ...writeErrorResponses() },
        detail: { summary: 'Set up the instance: create its first operator and workspace' },
      },
    )
    .get('/portal/api/me', async ({ actor }) => getCurrentAccount(db.read, ports, app.settings, actor), {
      permission: sessionRoute,
      query: NoFields,
      response: { 200: MeResponse, ...errorResponses() },
      detail: { summary: 'Get the signed-in account and its workspaces' },
    })
}
