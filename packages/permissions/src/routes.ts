import { type AppContext, requireVerification } from '@reeve/auth'
import { invalidRequest, requireFields } from '@reeve/core'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { replacePermissions } from './change.ts'
import { RolePermissionsQuery, RolePermissionsRequest, RoleResponse, RolesResponse } from './model.ts'
import { getRole, listRoles } from './read.ts'

/** `/_workspace-permissions`: the permissions of the roles of a workspace. */
export const workspacePermissions = (app: AppContext) =>
  new Elysia({ name: 'workspace-permissions', tags: ['Role permissions'], normalize: false })
    .use(app.auth)
    .get(
      '/_workspace-permissions',
      async ({ actor, query }) => {
        const id = query.roleId ?? query.id
        if (query.id !== undefined && query.id !== id)
          throw invalidRequest({ field: 'id', message: 'differs from roleId; send only one of them' })
        return id === undefined ? listRoles(app.db.read, actor) : getRole(app.db.read, actor, id)
      },
      {
        permission: 'roles.view',
        query: RolePermissionsQuery,
        response: {
          200: Type.Union([RolesResponse, RoleResponse]),
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'List roles and permissions, or get one role' },
      },
    )
    .post(
      '/_workspace-permissions',
      async ({ actor, requestContext, body }) => {
        const { roleId: id, permissions } = requireFields(body, 'roleId', 'permissions')
        return app.commit(requestContext, (tx) =>
          replacePermissions(tx, app.ports, actor, { id, permissions, ifMatch: requestContext.ifMatch }),
        )
      },
      {
        permission: requireVerification({ permission: 'roles.manage' }),
        query: workspaceQuery,
        body: RolePermissionsRequest,
        response: {
          200: RoleResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Replace the permissions of a role' },
      },
    )
