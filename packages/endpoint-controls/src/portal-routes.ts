import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { ControlQuery, ControlRequest, ControlResponse, ControlsWithUsernamesResponse } from './model.ts'
import { listControlsWithUsernames, setControl } from './service.ts'

/** Works over quota, because turning an endpoint off is how to stop a script that uses up the quota. */
const manageRule: Rule = { caller: 'session', permission: 'endpoint_controls.manage' }

/** `/portal/api/endpoint-controls`: the endpoint controls of a workspace, and who changed them. */
export const endpointControlPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'endpoint-controls-portal', normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/endpoint-controls',
      async ({ actor }) => listControlsWithUsernames(app.db.read, actor),
      {
        permission: { caller: 'session', permission: 'endpoint_controls.view' },
        query: ControlQuery,
        response: { 200: ControlsWithUsernamesResponse, ...errorResponses() },
        detail: { summary: 'List endpoint controls, and who changed them' },
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
        response: { 200: ControlResponse, ...writeErrorResponses('version_mismatch') },
      },
    )
