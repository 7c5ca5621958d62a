import type { AppContext } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import {
  errorResponses,
  type RequestContext,
  requestObject,
  workspaceQuery,
  writeErrorResponses,
} from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  DepartmentPatch,
  DepartmentQuery,
  DepartmentRequest,
  DepartmentResponse,
  DepartmentsResponse,
} from './model.ts'
import { applyDepartmentAction, type DepartmentChange, getDepartment, listDepartments } from './service.ts'

/** `/departments`: the departments of a workspace. */
export const departments = (app: AppContext) => {
  const apply = (actor: Actor, context: RequestContext, input: Omit<DepartmentChange, 'ifMatch'>) =>
    app.commit(context, (tx) =>
      applyDepartmentAction(tx, app.ports, actor, { ...input, ifMatch: context.ifMatch }),
    )

  return new Elysia({ name: 'departments', tags: ['Departments'], normalize: false })
    .use(app.auth)
    .get(
      '/departments',
      async ({ actor, query }) => {
        const { id } = query
        return id === undefined
          ? listDepartments(app.db.read, actor, query)
          : getDepartment(app.db.read, actor, { ...query, id })
      },
      {
        permission: 'departments.view',
        query: DepartmentQuery,
        response: {
          200: Type.Union([DepartmentsResponse, DepartmentResponse]),
          ...errorResponses('not_found'),
        },
        detail: { summary: 'List departments, or read one' },
      },
    )
    .post(
      '/departments',
      async ({ actor, requestContext, body }) =>
        apply(actor, requestContext, { ...body, action: body.action ?? 'create' }),
      {
        permission: 'departments.manage',
        query: workspaceQuery,
        body: DepartmentRequest,
        response: {
          200: DepartmentResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Create, update, delete or restore a department' },
      },
    )
    .patch('/departments', async ({ actor, requestContext, body }) => apply(actor, requestContext, body), {
      permission: 'departments.manage',
      query: workspaceQuery,
      body: DepartmentPatch,
      response: {
        200: DepartmentResponse,
        ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
      },
      detail: { summary: 'Update, delete or restore a department' },
    })
    .delete(
      '/departments',
      async ({ actor, requestContext, query }) =>
        apply(actor, requestContext, { ...query, action: 'delete' }),
      {
        permission: 'departments.manage',
        query: requestObject({
          workspaceId: workspaceQuery.properties.workspaceId,
          id: DepartmentRequest.properties.id,
        }),
        response: {
          200: DepartmentResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Delete a department' },
      },
    )
}
