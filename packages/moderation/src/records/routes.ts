import type { AppContext } from '@reeve/auth'
import { parseIfNoneMatch } from '@reeve/core'
import { errorResponses, notModifiedResponse, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { actionPermissions } from './actions.ts'
import { applyChange } from './apply.ts'
import { createEtag, findFreshEtag } from './ban-list-etag.ts'
import {
  ListResponse,
  ModerationQuery,
  ModerationReadQuery,
  ModerationRequest,
  RecordResponse,
  RecordWithVersionsResponse,
} from './model.ts'
import { parseChange } from './parse-change.ts'
import {
  findRequiredPermission,
  isReadRequest,
  isSingleRead,
  parseListQuery,
  selectStorageUse,
} from './parse-request.ts'
import { findRecordPage, getRecord, listRecords } from './read.ts'

/** `/moderation`: the moderation records of a workspace, and the ban check. */
export const moderation = (app: AppContext) =>
  new Elysia({ name: 'moderation', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation',
      async ({ actor, query, request, set }) => {
        if (isSingleRead(query)) return getRecord(app.db.read, app.ports, actor, query)
        const listQuery = parseListQuery(query)
        if (listQuery.list !== 'bans') return listRecords(app.db.read, app.ports, actor, listQuery)
        // The sequence is read before the list, so that a change in between is returned twice rather than missed.
        const sequence = await app.getSequence(actor.workspaceId)
        set.headers['cache-control'] = 'private, no-cache'
        const fresh = findFreshEtag(request, sequence, app.ports.now())
        if (fresh !== null) {
          set.headers.etag = fresh
          return sendNotModified(set)
        }
        const { records: bans, ...page } = await findRecordPage(app.db.read, app.ports, actor, listQuery)
        // A ban beyond the page may expire and change the cursor, so only a complete list gets a tag.
        if (page.nextCursor === null) set.headers.etag = createEtag(request.url, sequence, bans)
        if (parseIfNoneMatch(request.headers.get('if-none-match')) === '*') return sendNotModified(set)
        return { bans, ...page }
      },
      {
        permission: 'moderation.view',
        query: ModerationReadQuery,
        response: {
          200: Type.Union([...ListResponse.anyOf, RecordWithVersionsResponse], {
            description: 'The requested list or record',
          }),
          304: notModifiedResponse,
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'Check bans, list records, or read one with its earlier versions' },
      },
    )
    .post(
      '/moderation',
      async ({ actor, requestContext, query, body }) => {
        if (isReadRequest({ query, body })) {
          return listRecords(app.db.read, app.ports, actor, parseListQuery(query, body))
        }
        const change = parseChange(actor, query, body, requestContext.ifMatch)
        return app.commit(requestContext, (tx) => applyChange(tx, app.ports, actor, change))
      },
      {
        permission: {
          permission: {
            candidates: ['moderation.view', ...actionPermissions],
            select: findRequiredPermission,
          },
          isReadOnly: isReadRequest,
          storage: selectStorageUse,
        },
        query: ModerationQuery,
        body: ModerationRequest,
        response: {
          200: Type.Union([...ListResponse.anyOf, RecordResponse], {
            description: 'The requested list, or the changed record',
          }),
          ...writeErrorResponses('missing_workspace_id', 'not_found'),
        },
        detail: {
          summary: 'Check bans, list records, or act on a player or a record',
          description:
            'A read if the body is absent or empty, or if the query has `banList` or `banHistory`; a write if the body has an `action`.',
        },
      },
    )

/** A 304 has no body. Its headers, `ETag` included, are those that were set. */
function sendNotModified(set: { status?: number | string }): never {
  set.status = 304
  // The type of the response describes bodies only.
  return new Response(null, { status: 304 }) as never
}
