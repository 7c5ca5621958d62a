import type { AppContext, Rule } from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { searchCaseStaff } from '../case-staff.ts'
import { listClaims } from '../claims/service.ts'
import {
  AssigneesQuery,
  AssigneesResponse,
  AssignmentQuery,
  AssignmentRequest,
  AssignmentResponse,
  CaseWorkQuery,
  CaseWorkResponse,
} from './model.ts'
import { assignRecord, listAssignments, unassignRecord } from './service.ts'

const workRule: Rule = { caller: 'session', permission: 'moderation.note', writesTo: 'moderation' }

/** How many members are suggested. */
const MAX_SUGGESTIONS = 10

/** `/portal/api/case-work`, `/portal/api/assignments` and `/portal/api/assignees`: who works on which record, who is to, and who can. */
export const assignmentPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'assignments-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/case-work',
      async ({ actor, query }) => {
        const { recordIds } = requireFields(query, 'recordIds')
        return {
          claims: await listClaims(app.db.read, app.ports, actor.workspaceId, 'record', recordIds),
          assignments: await listAssignments(app.db.read, actor, recordIds),
        }
      },
      {
        permission: { caller: 'session', permission: 'moderation.view' },
        query: CaseWorkQuery,
        response: { 200: CaseWorkResponse, ...errorResponses() },
        detail: { summary: 'List who works on these records, and who is to' },
      },
    )
    .get(
      '/portal/api/assignees',
      async ({ actor, query }) => ({
        members: await searchCaseStaff(app.db.read, actor.workspaceId, query.q ?? '', MAX_SUGGESTIONS),
      }),
      {
        permission: { caller: 'session', permission: 'members.view' },
        query: AssigneesQuery,
        response: { 200: AssigneesResponse, ...errorResponses() },
        detail: { summary: 'Suggest members who can view cases' },
      },
    )
    .post(
      '/portal/api/assignments',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => assignRecord(tx, app.ports, actor, body)),
      {
        permission: workRule,
        query: workspaceQuery,
        body: AssignmentRequest,
        response: { 200: AssignmentResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Assign a record to a member' },
      },
    )
    .delete(
      '/portal/api/assignments',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) => unassignRecord(tx, app.ports, actor, query)),
      {
        permission: workRule,
        query: AssignmentQuery,
        response: { 200: AssignmentResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Unassign a record' },
      },
    )
