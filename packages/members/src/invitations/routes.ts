import {
  type AppContext,
  establishSession,
  presentAccount,
  publicPageRoute,
  type Rule,
  rejectIdempotencyKey,
  sessionRoute,
} from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, NoFields, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { grantsRoles } from '../assign.ts'
import { acceptInvitation, readInvitation, signUpWithInvitation } from './accept.ts'
import { createInvitation } from './create.ts'
import {
  AcceptRequest,
  DeclinedResponse,
  InvitationQuery,
  InvitationResponse,
  InvitationsQuery,
  InvitationsResponse,
  JoinedResponse,
  NewInvitationRequest,
  NewInvitationResponse,
  ReadInvitationResponse,
  ReceivedInvitationRequest,
  ReceivedInvitationsQuery,
  ReceivedInvitationsResponse,
  SignedUpResponse,
  SignUpRequest,
  TokenRequest,
} from './model.ts'
import { listInvitations, withdrawInvitation } from './pending.ts'
import { declineInvitation, listReceivedInvitations } from './received.ts'

const manageRule: Rule = { caller: 'session', permission: 'members.manage' }

/** An invitation with roles is a grant that somebody else takes later. */
const inviteRule: Rule = { ...manageRule, requiresVerification: ({ body }) => grantsRoles(body) }

/** A leaked link must be revocable over quota and in an archived workspace too. */
const withdrawRule: Rule = { ...manageRule, allowWhenArchived: true }

/**
 * `/portal/api/invitations`, for those who invite and those who are invited by name, and `/portal/api/invitation`, for those
 * who have a link.
 */
export const invitations = (app: AppContext) => {
  const { db, ports } = app

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
        app.commit(requestContext, (tx) => createInvitation(tx, ports, actor, body, app.settings)),
      {
        permission: rejectIdempotencyKey(inviteRule),
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
      async ({ actor, body }) => readInvitation(db, ports, actor, requireFields(body, 'token').token),
      {
        permission: publicPageRoute,
        query: NoFields,
        body: TokenRequest,
        response: { 200: ReadInvitationResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Get the invitation of a link' },
      },
    )
    .post(
      '/portal/api/invitation/accept',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => acceptInvitation(tx, ports, actor, body)),
      {
        permission: sessionRoute,
        query: NoFields,
        body: AcceptRequest,
        response: { 200: JoinedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Accept an invitation with the signed-in account' },
      },
    )
    .get(
      '/portal/api/invitations/received',
      async ({ actor, query }) => listReceivedInvitations(db.read, ports, actor, query),
      {
        permission: sessionRoute,
        query: ReceivedInvitationsQuery,
        response: { 200: ReceivedInvitationsResponse, ...errorResponses() },
        detail: { summary: 'List the invitations that the signed-in account has received' },
      },
    )
    .post(
      '/portal/api/invitations/decline',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => declineInvitation(tx, ports, actor, body)),
      {
        permission: sessionRoute,
        query: NoFields,
        body: ReceivedInvitationRequest,
        response: { 200: DeclinedResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Decline a received invitation' },
      },
    )
    .post(
      '/portal/api/invitation/sign-up',
      async ({ actor, body, request, set }) => {
        const fields = requireFields(body, 'token', 'username', 'password')
        const { account, membership } = await establishSession(
          app,
          { actor, request, set },
          await signUpWithInvitation(db, ports, actor, fields),
        )
        return { account: presentAccount({ ...account, isOperator: false }), ...membership }
      },
      {
        permission: publicPageRoute,
        query: NoFields,
        body: SignUpRequest,
        response: { 200: SignedUpResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Accept an invitation with a new account' },
      },
    )
}
