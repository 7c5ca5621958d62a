import type { AppContext } from '@reeve/auth'
import { assertNoVersion, parseIfNoneMatch } from '@reeve/core'
import { errorResponses, notModifiedResponse, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { deleteRemovedBytes } from '../evidence-files/content.ts'
import { sendNotModified } from '../not-modified.ts'
import { actionPermissions } from './actions.ts'
import { applyChange } from './apply.ts'
import { createEtag, findFreshEtag } from './ban-list-etag.ts'
import { ListResponse, RecordResponse, RecordWithVersionsResponse } from './model.ts'
import { parseChange } from './parse-change.ts'
import {
  findRequiredPermission,
  isReadRequest,
  isSingleRead,
  parseListQuery,
  selectStorageUse,
} from './parse-request.ts'
import { findRecordPage, getRecord, listRecords } from './read.ts'
import { ModerationQuery, ModerationReadQuery, ModerationRequest } from './requests.ts'

/** `/moderation`: the moderation records of a workspace, and the ban check. */
export const moderation = (app: AppContext) =>
  new Elysia({ name: 'moderation', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation',
      async ({ actor, query, request, set }) => {
        if (isSingleRead(query)) return getRecord(app.db.read, app.ports, actor, query)
        const listQuery = parseListQuery(query)
        // The expiry of the bans of linked players is not in the tag, so a check that asks for them has none.
        if (listQuery.list !== 'bans' || listQuery.links)
          return listRecords(app.db.read, app.ports, actor, listQuery)
        // The position is read before the list, so that a change in between is returned twice rather than missed.
        const position = await app.history.getCached(actor.workspaceId)
        set.headers['cache-control'] = 'private, no-cache'
        const now = app.ports.now()
        const fresh = findFreshEtag(request, position, now)
        if (fresh !== null) {
          set.headers.etag = fresh
          return sendNotModified(set)
        }
        const { records: bans, ...page } = await findRecordPage(app.db.read, app.ports, actor, listQuery)
        // A ban beyond the page may expire and change the cursor, so only a complete list gets a tag.
        if (page.nextCursor === null) set.headers.etag = createEtag(request.url, position, bans, now)
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
          assertNoVersion(requestContext.ifMatch)
          return listRecords(app.db.read, app.ports, actor, parseListQuery(query, body))
        }
        const change = parseChange(actor, query, body, requestContext.ifMatch)
        const response = await app.commit(
          requestContext,
          (tx) => applyChange(tx, app.ports, actor, change),
          ({ record }) => record.id,
        )
        if (change.action === 'redact')
          await deleteRemovedBytes(app, { workspaceId: actor.workspaceId, recordId: change.id })
        return response
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
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: {
          summary: 'Check bans, list records, or act on a player or a record',
          description:
            'A read if the body is absent or empty, or if the query has `banList` or `banHistory`; a write if the body has an `action`.',
        },
      },
    )
