import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { ControlQuery, ControlRequest, ControlResponse, ControlsWithUsernamesResponse } from './model.ts'
import { listControlsWithUsernames, setControl } from './service.ts'

/** Switching an endpoint off is how a script that used up the quota is stopped. */
const manageRule: Rule = { caller: 'session', permission: 'endpoint_controls.manage', allowOverQuota: true }

/** `/portal/api/endpoint-controls`: the switches themselves, and who switched them. */
export const endpointControlPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'endpoint-switches', normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/endpoint-controls',
      async ({ actor }) => listControlsWithUsernames(app.db.read, actor),
      {
        permission: { caller: 'session', permission: 'endpoint_controls.view' },
        query: ControlQuery,
        response: { 200: ControlsWithUsernamesResponse, ...errorResponses() },
        detail: { summary: 'List which endpoints are switched off, and by whom' },
      },
    )
    .post(
      '/portal/api/endpoint-controls',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => setControl(tx, app.ports, actor, body)),
      {
        permission: manageRule,
        query: workspaceQuery,
        body: ControlRequest,
        response: { 200: ControlResponse, ...writeErrorResponses() },
      },
    )
