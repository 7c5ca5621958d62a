import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { listDepartmentsWithMembers, orderDepartments, replaceDepartmentMembers } from './members.ts'
import {
  DepartmentListQuery,
  DepartmentMembersRequest,
  DepartmentOrderRequest,
  DepartmentsWithMembersResponse,
  DepartmentWithMembersResponse,
} from './model.ts'

const manageRule: Rule = {
  caller: 'session',
  permission: 'departments.manage',
  writesTo: 'departments',
}

/** `/portal/api/departments`: the departments in their order, with their members. */
export const departmentPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'departments-portal', tags: ['Portal'], normalize: false })
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
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Replace the members and the lead of a department' },
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
        detail: { summary: 'Reorder the departments' },
      },
    )
