import {
  type AppContext,
  operatorRoute,
  operatorWriteRoute,
  type Rule,
  requireVerification,
} from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, NoFields, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { WorkspaceResponse } from '../model.ts'
import { listDeletedWorkspaces } from './list-deleted.ts'
import {
  DeletedWorkspacesQuery,
  DeletedWorkspacesResponse,
  DeletionRequest,
  OperatorUndoRequest,
  UndoDeletionRequest,
} from './model.ts'
import { requestDeletion, undoDeletion } from './request.ts'

/** The service decides, because no permission includes it: only the owner deletes a workspace. */
const ownerRule: Rule = { caller: 'session', permission: null, allowWhenArchived: true }

/** `/portal/api/workspace/{delete,undelete}` for the owner, and `/admin/api/workspaces/{deleted,undelete}` for operators. */
export const workspaceDeletion = (app: AppContext) => {
  const { db, ports } = app
  return new Elysia({ name: 'workspace-deletion', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/workspace/delete',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => requestDeletion(tx, ports, actor, body)),
      {
        permission: requireVerification(ownerRule),
        query: workspaceQuery,
        body: DeletionRequest,
        response: { 200: WorkspaceResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Request the deletion of an archived workspace, which can be undone for 30 days' },
      },
    )
    .post(
      '/portal/api/workspace/undelete',
      async ({ actor, requestContext }) => app.commit(requestContext, (tx) => undoDeletion(tx, ports, actor)),
      {
        permission: ownerRule,
        query: workspaceQuery,
        body: UndoDeletionRequest,
        response: { 200: WorkspaceResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Undo the request to delete a workspace' },
      },
    )
    .get('/admin/api/workspaces/deleted', async ({ query }) => listDeletedWorkspaces(db.read, query), {
      permission: operatorRoute,
      query: DeletedWorkspacesQuery,
      response: { 200: DeletedWorkspacesResponse, ...errorResponses() },
      detail: { summary: 'List the workspaces that were deleted', tags: ['Operator'] },
    })
    .post(
      '/admin/api/workspaces/undelete',
      async ({ actor, requestContext, body }) => {
        const { id } = requireFields(body, 'id')
        return app.commit(requestContext, (tx) => undoDeletion(tx, ports, { ...actor, workspaceId: id }))
      },
      {
        permission: operatorWriteRoute,
        query: NoFields,
        body: OperatorUndoRequest,
        response: { 200: WorkspaceResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Undo the request to delete a workspace', tags: ['Operator'] },
      },
    )
}
