import type { AppContext } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { LinkRequest, LinkResponse, LinksQuery, LinksResponse } from './model.ts'
import { applyLinkAction, getLink, listLinks } from './service.ts'

/** `/moderation/links`: which players may be the same person. */
export const playerLinks = (app: AppContext) =>
  new Elysia({ name: 'player-links', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation/links',
      async ({ actor, query }) => {
        const { id } = query
        return id === undefined
          ? listLinks(app.db.read, actor, query)
          : getLink(app.db.read, actor, { ...query, id })
      },
      {
        permission: { permission: 'moderation.view', endpoint: 'moderation' },
        query: LinksQuery,
        response: {
          200: Type.Union([LinksResponse, LinkResponse]),
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'List the links between players, or read one' },
      },
    )
    .post(
      '/moderation/links',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          applyLinkAction(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: { permission: 'moderation.link', endpoint: 'moderation' },
        query: workspaceQuery,
        body: LinkRequest,
        response: {
          200: LinkResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: {
          summary: 'Link two players, or change or delete a link',
          description:
            'Says that two players may be the same person. Nothing is banned by it: the ban check returns linked players as `linkedTo` if it asks for them.',
        },
      },
    )
