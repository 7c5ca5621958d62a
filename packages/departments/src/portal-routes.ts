import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { orderDepartments, setStaff } from './staff.ts'
import {
  OrderRequest,
  StaffAnswer,
  StaffedDepartmentsAnswer,
  StaffQuery,
  StaffRequest,
} from './staff-model.ts'
import { listStaffed } from './staff-read.ts'

const manage: Rule = { who: 'session', permission: 'departments.manage' }

/** `/portal/api/departments`: the departments in their order, and who is in them. */
export const departmentStaff = (app: AppContext) =>
  new Elysia({ name: 'department-staff', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/departments', async ({ actor }) => listStaffed(app.db.read, actor), {
      permission: { who: 'session', permission: 'departments.view' },
      query: StaffQuery,
      response: { 200: StaffedDepartmentsAnswer, ...errorResponses() },
      detail: { summary: 'List the departments in their order, with their members' },
    })
    .post(
      '/portal/api/departments/members',
      async ({ actor, call, body }) =>
        app.commit(call, (tx) => setStaff(tx, app.ports, actor, { ...body, ifMatch: call.ifMatch })),
      {
        permission: manage,
        query: workspaceQuery,
        body: StaffRequest,
        response: { 200: StaffAnswer, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Set who is in a department, and who leads it' },
      },
    )
    .post(
      '/portal/api/departments/order',
      async ({ actor, call, body }) => app.commit(call, (tx) => orderDepartments(tx, app.ports, actor, body)),
      {
        permission: manage,
        query: workspaceQuery,
        body: OrderRequest,
        response: { 200: StaffedDepartmentsAnswer, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Put the departments into an order' },
      },
    )
