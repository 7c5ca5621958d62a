import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { ControlAnswer, ControlQuery, ControlRequest, NamedControlsAnswer } from './model.ts'
import { listNamedControls, setControl } from './service.ts'

/** Switching an endpoint off is how a script that used up the quota is stopped. */
const manage: Rule = { who: 'session', permission: 'endpoint_controls.manage', beyondQuota: true }

/** `/portal/api/endpoint-controls`: the switches themselves, and who switched them. */
export const endpointSwitches = (app: AppContext) =>
  new Elysia({ name: 'endpoint-switches', normalize: false })
    .use(app.auth)
    .get('/portal/api/endpoint-controls', async ({ actor }) => listNamedControls(app.db.read, actor), {
      permission: { who: 'session', permission: 'endpoint_controls.view' },
      query: ControlQuery,
      response: { 200: NamedControlsAnswer, ...errorResponses() },
      detail: { summary: 'List which endpoints are switched off, and by whom' },
    })
    .post(
      '/portal/api/endpoint-controls',
      async ({ actor, call, body }) => app.commit(call, (tx) => setControl(tx, app.ports, actor, body)),
      {
        permission: manage,
        query: workspaceQuery,
        body: ControlRequest,
        response: { 200: ControlAnswer, ...writeErrorResponses() },
      },
    )
