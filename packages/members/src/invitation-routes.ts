import {
  type AppContext,
  anyone,
  needNoOtherSite,
  type Rule,
  sessionCookie,
  shownAccount,
  signedIn,
  userAgentOf,
  withoutReplay,
} from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, requestObject as noFields, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { accept, readInvitation, signUp } from './accept.ts'
import {
  InvitationAnswer,
  InvitationQuery,
  InvitationsAnswer,
  InvitationsQuery,
  JoinedAnswer,
  NewInvitationAnswer,
  NewInvitationRequest,
  ReadInvitationAnswer,
  SignedUpAnswer,
  SignUpRequest,
  TokenRequest,
} from './invitation-model.ts'
import { invite } from './invite.ts'
import { listInvitations, withdraw } from './waiting.ts'

const manage: Rule = { who: 'session', permission: 'members.manage' }

/** A link that went to the wrong person must stop working, whatever state the workspace is in. */
const toTheRescue: Rule = { ...manage, whileArchived: true, beyondQuota: true }

const NoFields = noFields({})

/** `/portal/api/invitations`, for those who invite, and `/portal/api/invitation`, for whoever holds a link. */
export const invitations = (app: AppContext) => {
  const { db, ports } = app
  const { publicUrl } = app.settings
  const cookies = sessionCookie(publicUrl)

  return new Elysia({ name: 'invitations', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/invitations',
      async ({ actor, query }) => listInvitations(db.read, ports, actor, query),
      {
        permission: manage,
        query: InvitationsQuery,
        response: { 200: InvitationsAnswer, ...errorResponses() },
        detail: { summary: 'List the invitations that wait to be accepted' },
      },
    )
    .post(
      '/portal/api/invitations',
      async ({ actor, call, body }) =>
        app.commit(withoutReplay(call), (tx) => invite(tx, ports, actor, body)),
      {
        permission: manage,
        query: workspaceQuery,
        body: NewInvitationRequest,
        response: { 200: NewInvitationAnswer, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Invite somebody; the token is shown once' },
      },
    )
    .delete(
      '/portal/api/invitations',
      async ({ actor, call, query }) => app.commit(call, (tx) => withdraw(tx, ports, actor, query)),
      {
        permission: toTheRescue,
        query: InvitationQuery,
        response: { 200: InvitationAnswer, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Withdraw an invitation' },
      },
    )
    .post(
      '/portal/api/invitation',
      async ({ actor, body, request }) => {
        needNoOtherSite(request.headers, publicUrl)
        return readInvitation(db, ports, actor, requireFields(body, 'token').token)
      },
      {
        permission: anyone,
        query: NoFields,
        body: TokenRequest,
        response: { 200: ReadInvitationAnswer, ...writeErrorResponses('not_found') },
        detail: { summary: 'Read the invitation of a link' },
      },
    )
    .post(
      '/portal/api/invitation/accept',
      async ({ actor, call, body }) => {
        const { token } = requireFields(body, 'token')
        return app.commit(call, (tx) => accept(tx, ports, actor, token))
      },
      {
        permission: signedIn,
        query: NoFields,
        body: TokenRequest,
        response: { 200: JoinedAnswer, ...writeErrorResponses('not_found') },
        detail: { summary: 'Accept an invitation as the account that is signed in' },
      },
    )
    .post(
      '/portal/api/invitation/sign-up',
      async ({ actor, body, request, cookie, setCookie }) => {
        needNoOtherSite(request.headers, publicUrl)
        const { account, joined, session } = await signUp(db, ports, actor, {
          ...requireFields(body, 'token', 'username', 'password'),
          presented: String(cookie[cookies.name] ?? ''),
          userAgent: userAgentOf(request),
        })
        setCookie(cookies.name, session, cookies.keeping)
        return { account: shownAccount({ ...account, isOperator: false }), ...joined }
      },
      {
        permission: anyone,
        query: NoFields,
        body: SignUpRequest,
        response: { 200: SignedUpAnswer, ...writeErrorResponses('not_found') },
        detail: { summary: 'Accept an invitation with a new account' },
      },
    )
}
