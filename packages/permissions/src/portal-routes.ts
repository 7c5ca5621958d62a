import { type AppContext, type CreatorWebhooks, requireVerification } from '@reeve/auth'
import { assertNoVersion, permissions, requireFields } from '@reeve/core'
import { BODY_LIMIT, errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { changePermissions, changeRanks } from './bulk-change.ts'
import { createRole, deleteRole, updateRole } from './change.ts'
import {
  DeleteRoleQuery,
  MAX_ROLES,
  NewRoleRequest,
  PermissionChangesRequest,
  RoleCombinationsQuery,
  RoleCombinationsResponse,
  RoleCreationsQuery,
  RoleKeysResponse,
  RoleQuery,
  RoleRanksRequest,
  RoleRequest,
  RoleResponse,
  RolesResponse,
  RoleWebhooksResponse,
} from './model.ts'
import { getRole, listRoles } from './read.ts'
import { countRoleCombinations } from './role-combinations.ts'
import { listRoleKeys } from './role-keys.ts'
import { listRoleWebhooks } from './role-webhooks.ts'

const manageRule = requireVerification({ caller: 'session', permission: 'roles.manage' })

/** Fits all roles that a workspace can have with all permissions, as JSON in a string, besides the other fields. */
const PERMISSION_CHANGES_LIMIT =
  BODY_LIMIT + MAX_ROLES * (JSON.stringify(JSON.stringify(permissions)).length + 200)

/** `/portal/api/roles`: the roles of a workspace and their number of members. */
export const roles = (app: AppContext, creatorWebhooks: CreatorWebhooks) =>
  new Elysia({ name: 'roles', normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/roles',
      async ({ actor, query: { id } }) =>
        id === undefined ? listRoles(app.db.read, actor) : getRole(app.db.read, actor, id),
      {
        permission: { caller: 'session', permission: 'roles.view' },
        query: RoleQuery,
        response: { 200: Type.Union([RolesResponse, RoleResponse]), ...errorResponses('not_found') },
      },
    )
    .get('/portal/api/roles/holdings', async ({ actor }) => countRoleCombinations(app.db.read, actor), {
      permission: { caller: 'session', permission: 'roles.view' },
      query: RoleCombinationsQuery,
      response: { 200: RoleCombinationsResponse, ...errorResponses() },
      detail: { summary: 'Count the members of each combination of roles' },
    })
    .get(
      '/portal/api/roles/keys',
      async ({ actor, query }) => {
        await app.flushKeyUsage()
        return listRoleKeys(app.db.read, app.ports, actor, requireFields(query, 'roleIds').roleIds)
      },
      {
        permission: { caller: 'session', permission: 'roles.manage' },
        query: RoleCreationsQuery,
        response: { 200: RoleKeysResponse, ...errorResponses() },
        detail: { summary: 'List the API keys that members of some roles created' },
      },
    )
    .get(
      '/portal/api/roles/webhooks',
      async ({ actor, query }) => {
        const { roleIds } = requireFields(query, 'roleIds')
        return listRoleWebhooks(app.db.read, actor, creatorWebhooks.listOfRoles, roleIds)
      },
      {
        permission: { caller: 'session', permission: 'roles.manage' },
        query: RoleCreationsQuery,
        response: { 200: RoleWebhooksResponse, ...errorResponses() },
        detail: {
          summary: 'List the active webhooks that members of some roles, or their API keys, created',
        },
      },
    )
    .post(
      '/portal/api/roles',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          createRole(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: manageRule,
        query: workspaceQuery,
        body: NewRoleRequest,
        response: { 200: RoleResponse, ...writeErrorResponses() },
      },
    )
    .patch(
      '/portal/api/roles',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          updateRole(
            tx,
            app.ports,
            actor,
            { ...body, ifMatch: requestContext.ifMatch },
            creatorWebhooks.pause,
          ),
        ),
      {
        permission: manageRule,
        query: workspaceQuery,
        body: RoleRequest,
        response: { 200: RoleResponse, ...writeErrorResponses('not_found', 'version_mismatch') },
      },
    )
    .post(
      '/portal/api/roles/ranks',
      async ({ actor, requestContext, body }) => {
        // The body has a version for each role.
        assertNoVersion(requestContext.ifMatch)
        return app.commit(requestContext, (tx) => changeRanks(tx, app.ports, actor, body))
      },
      {
        permission: manageRule,
        query: workspaceQuery,
        body: RoleRanksRequest,
        response: { 200: RolesResponse, ...writeErrorResponses('not_found', 'version_mismatch') },
        detail: { summary: 'Change the ranks of several roles at once' },
      },
    )
    .post(
      '/portal/api/roles/permissions',
      async ({ actor, requestContext, body }) => {
        // The body has a version for each role.
        assertNoVersion(requestContext.ifMatch)
        return app.commit(requestContext, (tx) =>
          changePermissions(tx, app.ports, actor, body, creatorWebhooks.pause),
        )
      },
      {
        permission: { ...manageRule, bodyLimit: PERMISSION_CHANGES_LIMIT },
        query: workspaceQuery,
        body: PermissionChangesRequest,
        response: { 200: RolesResponse, ...writeErrorResponses('not_found', 'version_mismatch') },
        detail: { summary: 'Replace the permissions of several roles at once' },
      },
    )
    .delete(
      '/portal/api/roles',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) =>
          deleteRole(
            tx,
            app.ports,
            actor,
            { ...query, ifMatch: requestContext.ifMatch },
            creatorWebhooks.pause,
          ),
        ),
      {
        permission: manageRule,
        query: DeleteRoleQuery,
        response: { 200: RoleResponse, ...writeErrorResponses('not_found', 'version_mismatch') },
      },
    )
