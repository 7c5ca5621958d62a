import type { AppContext, PermissionChoice } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import {
  InboxCountsQuery,
  InboxCountsResponse,
  InboxQuery,
  type InboxQueryInput,
  InboxResponse,
  MarkMentionsRequest,
} from './model.ts'
import { countInbox, listInbox, markOwnMentions } from './service.ts'
import { inboxSourceNames, inboxSources } from './sources.ts'

const bySource: PermissionChoice = {
  candidates: [...new Set(inboxSourceNames.map((name) => inboxSources[name].permission))],
  select: ({ query }) => {
    const { source } = query as InboxQueryInput
    return source === undefined ? null : inboxSources[source].permission
  },
}

/** `/portal/api/inbox`: what waits for a person. */
export const inboxPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'inbox-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/inbox/counts', async ({ actor }) => countInbox(app.db.read, app.ports, actor), {
      permission: { caller: 'session', permission: null },
      query: InboxCountsQuery,
      response: { 200: InboxCountsResponse, ...errorResponses() },
      detail: { summary: 'Count what waits for the user' },
    })
    .get('/portal/api/inbox', async ({ actor, query }) => listInbox(app.db.read, app.ports, actor, query), {
      permission: { caller: 'session', permission: bySource },
      query: InboxQuery,
      response: { 200: InboxResponse, ...errorResponses() },
      detail: { summary: 'List what waits for the user' },
    })
    .post(
      '/portal/api/inbox/mentions',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => markOwnMentions(tx, app.ports, actor, body)),
      {
        permission: { caller: 'session', permission: 'moderation.view', allowWhenArchived: true },
        query: workspaceQuery,
        body: MarkMentionsRequest,
        response: { 200: InboxCountsResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Mark mentions of the user as read or unread' },
      },
    )
