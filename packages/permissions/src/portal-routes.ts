import type { AppContext } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createRole, deleteRole, updateRole } from './change.ts'
import { listHoldings } from './holdings.ts'
import {
  HoldingsAnswer,
  HoldingsQuery,
  NewRoleRequest,
  RoleAnswer,
  RoleQuery,
  RoleRequest,
  RolesAnswer,
} from './model.ts'
import { getRole, listRoles } from './read.ts'

const manage = { who: 'session', permission: 'roles.manage' } as const

/** `/portal/api/roles`: the roles themselves, and how many hold them. */
export const roles = (app: AppContext) =>
  new Elysia({ name: 'roles', normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/roles',
      async ({ actor, query: { id } }) =>
        id === undefined ? listRoles(app.db.read, actor) : getRole(app.db.read, actor, id),
      {
        permission: { who: 'session', permission: 'roles.view' },
        query: RoleQuery,
        response: { 200: Type.Union([RolesAnswer, RoleAnswer]), ...errorResponses('not_found') },
      },
    )
    .get('/portal/api/roles/holdings', async ({ actor }) => listHoldings(app.db.read, actor), {
      permission: { who: 'session', permission: 'roles.view' },
      query: HoldingsQuery,
      response: { 200: HoldingsAnswer, ...errorResponses() },
      detail: { summary: 'Count who holds which roles together' },
    })
    .post(
      '/portal/api/roles',
      async ({ actor, call, body }) =>
        app.commit(call, (tx) => createRole(tx, app.ports, actor, { ...body, ifMatch: call.ifMatch })),
      {
        permission: manage,
        query: workspaceQuery,
        body: NewRoleRequest,
        response: { 200: RoleAnswer, ...writeErrorResponses() },
      },
    )
    .patch(
      '/portal/api/roles',
      async ({ actor, call, body }) =>
        app.commit(call, (tx) => updateRole(tx, app.ports, actor, { ...body, ifMatch: call.ifMatch })),
      {
        permission: manage,
        query: workspaceQuery,
        body: RoleRequest,
        response: { 200: RoleAnswer, ...writeErrorResponses('not_found') },
      },
    )
    .delete(
      '/portal/api/roles',
      async ({ actor, call, query }) =>
        app.commit(call, (tx) =>
          deleteRole(tx, app.ports, actor, {
            ...(query.id === undefined ? {} : { id: query.id }),
            ifMatch: call.ifMatch,
          }),
        ),
      {
        permission: manage,
        query: RoleQuery,
        response: { 200: RoleAnswer, ...writeErrorResponses('not_found') },
      },
    )
