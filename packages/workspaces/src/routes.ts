import type { AppContext } from '@reeve/auth'
import { errorResponses, requestObject, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  actionPermissions,
  findReadPermission,
  findWritePermission,
  isAllowedWhileArchived,
  isArchiveAction,
  selectStorageUse,
} from './action.ts'
import {
  ArchivedWorkspaceResponse,
  ArchivesResponse,
  CopiedWorkspaceResponse,
  WorkspaceQuery,
  WorkspaceRequest,
  WorkspaceResponse,
  WorkspacesResponse,
  WorkspaceWithJobResponse,
} from './model.ts'
import { readWorkspaces } from './read.ts'
import { applyWorkspaceAction } from './service.ts'

/** `/workspaces`: workspaces and their archives. */
export const workspaces = (app: AppContext) =>
  new Elysia({ name: 'workspaces', tags: ['Workspaces'], normalize: false })
    .use(app.auth)
    .get('/workspaces', async ({ actor, query }) => readWorkspaces(app.db.read, actor, query), {
      permission: {
        workspace: 'id',
        permission: { candidates: ['workspace.view'], select: findReadPermission },
      },
      query: WorkspaceQuery,
      response: {
        200: Type.Union([WorkspacesResponse, WorkspaceWithJobResponse, ArchivesResponse]),
        ...errorResponses(),
      },
      detail: { summary: 'List workspaces or the archives of one, or read one' },
    })
    .post(
      '/workspaces',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          applyWorkspaceAction(tx, app, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: {
          workspace: 'id',
          permission: { candidates: Object.values(actionPermissions), select: findWritePermission },
          allowWhenArchived: isAllowedWhileArchived,
          storage: selectStorageUse,
          requiresVerification: isArchiveAction,
        },
        query: requestObject({}),
        body: WorkspaceRequest,
        response: {
          200: Type.Union([ArchivedWorkspaceResponse, CopiedWorkspaceResponse, WorkspaceResponse]),
          ...writeErrorResponses('not_found', 'version_mismatch'),
        },
        detail: { summary: 'Create, rename, archive or restore a workspace' },
      },
    )
