import type { AppContext, Rule } from '@reeve/auth'
import { CLAIM_LEASE_MINUTES, requireFields } from '@reeve/core'
import { workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { requireRecord } from '../records/record-store.ts'
import { ClaimQuery, ClaimRequest, ClaimResponse } from './model.ts'
import { releaseClaim, takeClaim } from './service.ts'

const workRule: Rule = { caller: 'session', permission: 'moderation.note', writesTo: 'moderation' }

/** `/portal/api/claims`: who works on which record. */
export const claimPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'claims-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/claims',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, async (tx) => {
          const { recordId } = requireFields(body, 'recordId')
          const { id } = await requireRecord(tx, actor, recordId)
          return takeClaim(tx, app.ports, actor, { kind: 'record', id })
        }),
      {
        permission: workRule,
        query: workspaceQuery,
        body: ClaimRequest,
        response: { 200: ClaimResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: `Claim a record for ${CLAIM_LEASE_MINUTES} minutes, or renew the claim` },
      },
    )
    .delete(
      '/portal/api/claims',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, async (tx) => {
          const { recordId } = requireFields(query, 'recordId')
          const { id } = await requireRecord(tx, actor, recordId)
          return releaseClaim(tx, app.ports, actor, { kind: 'record', id })
        }),
      {
        permission: workRule,
        query: ClaimQuery,
        response: { 200: ClaimResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Release the claim on a record' },
      },
    )
