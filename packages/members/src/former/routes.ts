import { type AppContext, requireVerification } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import {
  BlankNameRequest,
  DeletedMemberResponse,
  DeletedMembersQuery,
  DeletedMembersResponse,
} from './model.ts'
import { blankName, listDeletedMembers } from './service.ts'

/** `/portal/api/deleted-members`: former members whose accounts were deleted, and their names in the history of the workspace. */
export const deletedMembers = (app: AppContext) =>
  new Elysia({ name: 'deleted-members', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/deleted-members',
      async ({ actor, query }) => listDeletedMembers(app.db.read, actor, query),
      {
        permission: { caller: 'session', permission: 'members.view' },
        query: DeletedMembersQuery,
        response: { 200: DeletedMembersResponse, ...errorResponses('missing_workspace_id') },
        detail: { summary: 'List the former members whose accounts were deleted' },
      },
    )
    .post(
      '/portal/api/deleted-members/blank-name',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => blankName(tx, app.ports, actor, body)),
      {
        // The service decides, because no permission includes it: only the owner blanks names.
        permission: requireVerification({ caller: 'session', permission: null, allowWhenArchived: true }),
        query: workspaceQuery,
        body: BlankNameRequest,
        response: { 200: DeletedMemberResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Remove the name of a deleted account from the history of the workspace' },
      },
    )
