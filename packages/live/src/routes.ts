import type { AppContext } from '@reeve/auth'
import { wire } from '@reeve/core'
import { errorResponses, inputField, requestObject } from '@reeve/http'
import { Elysia } from 'elysia'
import { createHub } from './hub.ts'

const LiveQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  lastEventId: inputField(
    wire.integer({ min: 0, max: Number.MAX_SAFE_INTEGER, example: '42' }),
    'The last `id` that was received, for readers that cannot send `Last-Event-ID`; the header goes before it',
  ),
})

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // What lies between must hand every line on as it comes.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** `/portal/api/live`: what changes in a workspace, as it changes. */
export const live = (app: AppContext) => {
  const hub = createHub(app.db, app.ports, app.shutdownSignal)

  return new Elysia({ name: 'live', tags: ['Portal'], normalize: false }).use(app.auth).get(
    '/portal/api/live',
    async ({ actor, query, request: { headers, signal } }) => {
      const header = headers.get('last-event-id')
      const after = header === null ? (query.lastEventId ?? null) : parseEventId(header)
      return new Response(await hub.open(actor, after, signal), { headers: HEADERS })
    },
    {
      permission: { caller: 'session', permission: null },
      query: LiveQuery,
      response: errorResponses('rate_limited', 'unavailable'),
      detail: {
        summary: 'Follow what changes in the workspace',
        description:
          'Server-sent events, one a change: `data: {"resource":"moderation","sequence":"12"}`. Told is what the reader may see; the resource has then to be read again. A change of what the reader may do is told as `members`.',
      },
    },
  )
}

/** What is no number of ours says nothing of what the reader knows: then everything may have changed. */
const parseEventId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)
