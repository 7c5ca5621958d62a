import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { orderDepartments, replaceDepartmentMembers } from './members.ts'
import {
  DepartmentListQuery,
  DepartmentMembersRequest,
  DepartmentOrderRequest,
  DepartmentsWithMembersResponse,
  DepartmentWithMembersResponse,
} from './members-model.ts'
import { listDepartmentsWithMembers } from './members-read.ts'

const manageRule: Rule = { caller: 'session', permission: 'departments.manage' }

/** `/portal/api/departments`: the departments in their order, and who is in them. */
export const departmentPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'department-staff', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/departments', async ({ actor }) => listDepartmentsWithMembers(app.db.read, actor), {
      permission: { caller: 'session', permission: 'departments.view' },
      query: DepartmentListQuery,
      response: { 200: DepartmentsWithMembersResponse, ...errorResponses() },
      detail: { summary: 'List the departments in their order, with their members' },
    })
    .post(
      '/portal/api/departments/members',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          replaceDepartmentMembers(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: manageRule,
        query: workspaceQuery,
        body: DepartmentMembersRequest,
        response: {
          200: DepartmentWithMembersResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'Set who is in a department, and who leads it' },
      },
    )
    .post(
      '/portal/api/departments/order',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => orderDepartments(tx, app.ports, actor, body)),
      {
        permission: manageRule,
        query: workspaceQuery,
        body: DepartmentOrderRequest,
        response: { 200: DepartmentsWithMembersResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Put the departments into an order' },
      },
    )
