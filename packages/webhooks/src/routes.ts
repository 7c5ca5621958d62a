import type { AppContext, Rule } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import { errorResponses, type RequestContext, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  DeliveriesResponse,
  DeliveryQuery,
  DeliveryResponse,
  ResendRequest,
  ResendResponse,
  TestRequest,
} from './deliveries/model.ts'
import { getDelivery, listDeliveries } from './deliveries/read.ts'
import { resendDeliveries } from './deliveries/resend.ts'
import { testWebhook } from './deliveries/test-webhook.ts'
import { listEventTypes } from './event-types.ts'
import {
  ChangedWebhookResponse,
  EventTypesQuery,
  EventTypesResponse,
  WebhookDeletion,
  WebhookPatch,
  WebhookQuery,
  WebhookRequest,
  WebhookResponse,
  WebhooksResponse,
} from './model.ts'
import { applyWebhookAction, deleteWebhook, getWebhook, listWebhooks, type WebhookChange } from './service.ts'

const permission = 'webhooks.manage'

/** A webhook sends data elsewhere, so the caller must have verified a factor to create one or to get its secret. */
const changeRule: Rule = {
  permission,
  requiresVerification: ({ body }) =>
    body.action === 'rotate' || body.url !== undefined || body.events !== undefined,
  rejectsIdempotencyKey: true,
}

/** `/webhooks`: where the events of a workspace are sent. */
export const webhooks = (app: AppContext) => {
  const apply = async (actor: Actor, context: RequestContext, input: Omit<WebhookChange, 'ifMatch'>) => {
    const { outboundAllow } = app.settings
    const { epoch } = await app.history.read(actor.workspaceId)
    return app.commit(context, (tx) =>
      applyWebhookAction(tx, app.ports, { outboundAllow, epoch }, actor, {
        ...input,
        ifMatch: context.ifMatch,
      }),
    )
  }
  const writeErrors = writeErrorResponses('missing_workspace_id', 'not_found')
  const changeErrors = writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch')

  return new Elysia({ name: 'webhooks', tags: ['Webhooks'], normalize: false })
    .use(app.auth)
    .get(
      '/webhooks',
      async ({ actor, query }) => {
        const { id } = query
        return id === undefined
          ? listWebhooks(app.db.read, app.ports, actor, query)
          : getWebhook(app.db.read, app.ports, actor, id)
      },
      {
        permission,
        query: WebhookQuery,
        response: { 200: Type.Union([WebhooksResponse, WebhookResponse]), ...errorResponses('not_found') },
        detail: { summary: 'List webhooks, or read one' },
      },
    )
    .post(
      '/webhooks',
      async ({ actor, requestContext, body }) =>
        apply(actor, requestContext, { ...body, action: body.action ?? 'create' }),
      {
        permission: changeRule,
        query: workspaceQuery,
        body: WebhookRequest,
        response: { 200: ChangedWebhookResponse, ...changeErrors },
        detail: { summary: 'Create, change, pause or resume a webhook, or rotate its secret' },
      },
    )
    .patch('/webhooks', async ({ actor, requestContext, body }) => apply(actor, requestContext, body), {
      permission: changeRule,
      query: workspaceQuery,
      body: WebhookPatch,
      response: { 200: ChangedWebhookResponse, ...changeErrors },
      detail: { summary: 'Change, pause or resume a webhook, or rotate its secret' },
    })
    .delete(
      '/webhooks',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) =>
          deleteWebhook(tx, app.ports, actor, { ...query, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission,
        query: WebhookDeletion,
        response: { 200: WebhookResponse, ...changeErrors },
        detail: { summary: 'Delete a webhook' },
      },
    )
    .get(
      '/webhooks/events',
      async ({ actor }) => listEventTypes(actor, app.ports.now(), app.settings.publicUrl),
      {
        permission,
        query: EventTypesQuery,
        response: { 200: EventTypesResponse, ...errorResponses() },
        detail: { summary: 'List the events that webhooks can receive, each with an example' },
      },
    )
    .get(
      '/webhooks/deliveries',
      async ({ actor, query }) => {
        const { id } = query
        return id === undefined
          ? listDeliveries(app.db.read, actor, query)
          : getDelivery(app.db.read, actor, id)
      },
      {
        permission,
        query: DeliveryQuery,
        response: { 200: Type.Union([DeliveriesResponse, DeliveryResponse]), ...errorResponses('not_found') },
        detail: { summary: 'List the deliveries of a webhook, or read one with its content' },
      },
    )
    .post(
      '/webhooks/test',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => testWebhook(tx, app.ports, actor, body)),
      {
        permission,
        query: workspaceQuery,
        body: TestRequest,
        response: { 200: DeliveryResponse, ...writeErrors },
        detail: { summary: 'Send a test event to a webhook' },
      },
    )
    .post(
      '/webhooks/resend',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => resendDeliveries(tx, app.ports, actor, body)),
      {
        permission,
        query: workspaceQuery,
        body: ResendRequest,
        response: { 200: ResendResponse, ...writeErrors },
        detail: { summary: 'Send a delivery again, or all failed ones since a time' },
      },
    )
}
