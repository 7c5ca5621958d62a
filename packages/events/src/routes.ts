import type { AppContext, Rule } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import { freeBytes } from '@reeve/db'
import { errorResponses, type RequestContext, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createEvent, deleteEvent, updateEvent } from './change.ts'
import { createImageUrlCodec, hasImage, storeImage } from './images/event-image.ts'
import {
  EventIdQuery,
  type EventInput,
  type EventPorts,
  EventQuery,
  EventResponse,
  EventsResponse,
  eventRequest,
} from './model.ts'
import { getEvent, listEvents } from './read.ts'

/** In bytes: an image of the maximum size in base64, and the texts. */
const EVENT_BODY_LIMIT = 3 * 1024 * 1024

const writeRule: Rule = {
  permission: 'events.manage',
  bodyLimit: EVENT_BODY_LIMIT,
  storage: ({ body }) => (hasImage(body) ? 'optional' : 'essential'),
}

/** `/events`: the scheduled events of a workspace. */
export const events = (app: AppContext) => {
  const ports: EventPorts = { ...app.ports, imageUrlCodec: createImageUrlCodec(app.settings.publicUrl) }
  const EventRequest = eventRequest(ports.imageUrlCodec)

  const saveEvent = async (
    service: typeof createEvent,
    actor: Actor,
    context: RequestContext,
    body: EventInput,
  ): ReturnType<typeof createEvent> => {
    // Before the bytes are sent to an image store.
    if (body.imageDataUrl)
      await app.storage
        .assertAvailable(app.db.read, actor.workspaceId, 'optional')
        // A retry of a request that has used up the storage gets its response.
        .catch((error) => app.commit(context, () => Promise.reject(error)))
    const image = body.imageDataUrl ? await storeImage(app.db.read, app.images, body.imageDataUrl) : null
    try {
      return await app.commit(context, (tx) =>
        service(tx, ports, actor, { ...body, image, ifMatch: context.ifMatch }),
      )
    } finally {
      if (image?.bytes) freeBytes(image.bytes)
    }
  }

  return new Elysia({ name: 'events', tags: ['Events'], normalize: false })
    .use(app.auth)
    .get(
      '/events',
      async ({ actor, query }) => {
        const { id } = query
        return id === undefined
          ? listEvents(app.db.read, ports, actor, query)
          : getEvent(app.db.read, ports, actor, { ...query, id })
      },
      {
        permission: 'events.view',
        query: EventQuery,
        response: { 200: Type.Union([EventsResponse, EventResponse]), ...errorResponses('not_found') },
        detail: {
          summary: 'List events, or read one',
          description: 'Drafts (events that are not published) require the permission `events.manage`.',
        },
      },
    )
    .post(
      '/events',
      async ({ actor, requestContext, body }) =>
        saveEvent(body.id === undefined ? createEvent : updateEvent, actor, requestContext, body),
      {
        permission: writeRule,
        query: workspaceQuery,
        body: EventRequest,
        response: {
          200: EventResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: {
          summary: 'Create an event, or update one by id',
          description:
            'A new event requires `title` and `scheduledFor`. With `id`, the request is the same as PATCH. Training times that are not set follow `scheduledFor`; set times stay until they are changed, or cleared with `null`.',
        },
      },
    )
    .patch(
      '/events',
      async ({ actor, requestContext, body }) => saveEvent(updateEvent, actor, requestContext, body),
      {
        permission: writeRule,
        query: workspaceQuery,
        body: EventRequest,
        response: {
          200: EventResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Update an event' },
      },
    )
    .delete(
      '/events',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) =>
          deleteEvent(tx, ports, actor, { ...query, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: 'events.manage',
        query: EventIdQuery,
        response: {
          200: EventResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Delete an event permanently', description: 'Returns the deleted event.' },
      },
    )
}
