import type { AppContext } from '@reeve/auth'
import { wire } from '@reeve/core'
import { errorResponses, inputField, requestObject } from '@reeve/http'
import { Elysia } from 'elysia'
import type { Hub } from './hub.ts'

const LiveQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  lastEventId: inputField(
    wire.integer({ min: 0, max: Number.MAX_SAFE_INTEGER, example: '42' }),
    'The last `id` received, for clients that cannot send `Last-Event-ID`; the header takes precedence',
  ),
})

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies must not buffer or change the stream.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** `/portal/api/live`: a stream of the changes of a workspace. */
export const live = (app: AppContext, hub: Hub) =>
  new Elysia({ name: 'live', tags: ['Portal'], normalize: false }).use(app.auth).get(
    '/portal/api/live',
    async ({ actor, query, request: { headers, signal } }) => {
      const header = headers.get('last-event-id')
      const after = header === null ? (query.lastEventId ?? null) : parseEventId(header)
      return new Response(await hub.open(actor, after, signal), { headers: HEADERS })
    },
    {
      permission: { caller: 'session', permission: null, rejectsCrossSite: true },
      query: LiveQuery,
      response: errorResponses('unavailable'),
      detail: {
        summary: 'Stream the changes of the workspace',
        description:
          'Server-sent events, one per change: `data: {"resource":"moderation","sequence":"12"}`. An event says that a resource has changed and has to be read again; events are sent for resources that the reader can view. A change of the permissions of the reader is an event of `members`. An account has at most 16 open streams, and a workspace 200: one more ends the oldest of the account with most, after an event of type `evicted`.',
      },
    },
  )

/** An unknown id yields -1, for which every resource counts as changed. */
const parseEventId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)
