import type { AppContext } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { decideApproval } from './decide.ts'
import { getApproval, listApprovals } from './list.ts'
import {
  ApprovalDecisionRequest,
  ApprovalResponse,
  ApprovalsQuery,
  ApprovalsResponse,
  DecisionResponse,
} from './model.ts'

/** `/moderation/approvals`: the bans that wait for the approval of another person. */
export const approvals = (app: AppContext) =>
  new Elysia({ name: 'approvals', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation/approvals',
      async ({ actor, query }) =>
        query.id === undefined
          ? listApprovals(app.db.read, app.ports, actor, query)
          : { approval: await getApproval(app.db.read, app.ports, actor, query.id) },
      {
        permission: { permission: 'moderation.view', endpoint: 'moderation' },
        query: ApprovalsQuery,
        response: {
          200: Type.Union([ApprovalsResponse, ApprovalResponse], { description: 'The list, or the request' }),
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'List requests for approval, or get one' },
      },
    )
    .post(
      '/moderation/approvals',
      async ({ actor, requestContext, body }) =>
        app.commit(
          requestContext,
          (tx) => decideApproval(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
          ({ approval }) => approval.recordId,
        ),
      {
        permission: { permission: 'moderation.approve', endpoint: 'moderation' },
        query: workspaceQuery,
        body: ApprovalDecisionRequest,
        response: {
          200: DecisionResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: {
          summary: 'Approve or reject a ban',
          description:
            'An approved ban gets the requested duration. A rejected one ends, or stays as long as the ban that it replaced would have lasted. The person who requested it cannot decide.',
        },
      },
    )
