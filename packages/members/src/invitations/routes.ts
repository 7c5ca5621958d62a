import {
  type AppContext,
  assertNotCrossSite,
  establishSession,
  presentAccount,
  publicRoute,
  type Rule,
  rejectIdempotencyKey,
  sessionRoute,
} from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, NoFields, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { acceptInvitation, readInvitation, signUpWithInvitation } from './accept.ts'
import { createInvitation } from './create.ts'
import {
  InvitationQuery,
  InvitationResponse,
  InvitationsQuery,
  InvitationsResponse,
  JoinedResponse,
  NewInvitationRequest,
  NewInvitationResponse,
  ReadInvitationResponse,
  SignedUpResponse,
  SignUpRequest,
  TokenRequest,
} from './model.ts'
import { listInvitations, withdrawInvitation } from './pending.ts'

const manageRule: Rule = { caller: 'session', permission: 'members.manage' }

/** A leaked link must be revocable over quota and in an archived workspace too. */
const withdrawRule: Rule = { ...manageRule, allowWhenArchived: true }

/** `/portal/api/invitations`, for those who invite, and `/portal/api/invitation`, for those who have a link. */
export const invitations = (app: AppContext) => {
  const { db, ports } = app
  const { publicUrl } = app.settings

  return new Elysia({ name: 'invitations', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/invitations',
      async ({ actor, query }) => listInvitations(db.read, ports, actor, query),
      {
        permission: manageRule,
        query: InvitationsQuery,
        response: { 200: InvitationsResponse, ...errorResponses() },
        detail: { summary: 'List pending invitations' },
      },
    )
    .post(
      '/portal/api/invitations',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => createInvitation(tx, ports, actor, body)),
      {
        permission: rejectIdempotencyKey(manageRule),
        query: workspaceQuery,
        body: NewInvitationRequest,
        response: { 200: NewInvitationResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Create an invitation' },
      },
    )
    .delete(
      '/portal/api/invitations',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) => withdrawInvitation(tx, ports, actor, query)),
      {
        permission: withdrawRule,
        query: InvitationQuery,
        response: { 200: InvitationResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Withdraw an invitation' },
      },
    )
    .post(
      '/portal/api/invitation',
      async ({ actor, body, request }) => {
        assertNotCrossSite(request.headers, publicUrl)
        return readInvitation(db, ports, actor, requireFields(body, 'token').token)
      },
      {
        permission: publicRoute,
        query: NoFields,
        body: TokenRequest,
        response: { 200: ReadInvitationResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Get the invitation of a link' },
      },
    )
    .post(
      '/portal/api/invitation/accept',
      async ({ actor, requestContext, body }) => {
        const { token } = requireFields(body, 'token')
        return app.commit(requestContext, (tx) => acceptInvitation(tx, ports, actor, token))
      },
      {
        permission: sessionRoute,
        query: NoFields,
        body: TokenRequest,
        response: { 200: JoinedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Accept an invitation with the signed-in account' },
      },
    )
    .post(
      '/portal/api/invitation/sign-up',
      async ({ actor, body, request, set }) => {
        assertNotCrossSite(request.headers, publicUrl)
        const fields = requireFields(body, 'token', 'username', 'password')
        const { account, membership } = await establishSession(
          app,
          { actor, request, set },
          await signUpWithInvitation(db, ports, actor, fields),
        )
        return { account: presentAccount({ ...account, isOperator: false }), ...membership }
      },
      {
        permission: publicRoute,
        query: NoFields,
        body: SignUpRequest,
        response: { 200: SignedUpResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Accept an invitation with a new account' },
      },
    )
}
