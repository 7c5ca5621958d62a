import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, NoFields } from '@reeve/http'
import { Elysia } from 'elysia'
import { ControlsResponse } from './model.ts'
import { listControls } from './service.ts'

/** A session sends no workspace id: it gets every workspace in which it has the permission. */
const viewRule: Rule = {
  workspace: 'own',
  permission: {
    candidates: ['endpoint_controls.view'],
    select: (_, caller) => (caller.workspaceId === '' ? null : 'endpoint_controls.view'),
  },
  isReadOnly: () => true,
}

const routeDetail = {
  summary: 'List endpoint controls',
  description: 'Takes no body and no parameters. Change controls in the portal.',
}

/** `/endpoint-controls`: the endpoint controls that the caller may view. */
export const endpointControls = (app: AppContext) =>
  new Elysia({ name: 'endpoint-controls', tags: ['Endpoint controls'], normalize: false })
    .use(app.auth)
    .get('/endpoint-controls', async ({ actor }) => listControls(app.db.read, app.ports, actor), {
      permission: viewRule,
      query: NoFields,
      response: { 200: ControlsResponse, ...errorResponses() },
      detail: { ...routeDetail },
    })
    .post('/endpoint-controls', async ({ actor }) => listControls(app.db.read, app.ports, actor), {
      permission: viewRule,
      query: NoFields,
      response: {
        200: ControlsResponse,
        ...errorResponses('invalid_json', 'payload_too_large', 'unsupported_media_type'),
      },
      detail: { ...routeDetail },
    })
