import { Account, emailAddress, newPassword, username } from '@reeve/auth'
import { DAY_SECONDS, HOUR_SECONDS, INVITATION_DAYS, wire } from '@reeve/core'
import {
  inputField,
  nextCursor,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Member, roleIds } from '../model.ts'

export const DEFAULT_VALID_SECONDS = INVITATION_DAYS * DAY_SECONDS

const workspaceId = inputField(wire.id, 'The workspace')
const anyUsername = wire.name({ min: 1, max: 100, example: 'robin' })

export const InvitationsQuery = requestObject({ workspaceId, ...pageFields })
export type InvitationsQueryInput = Static<typeof InvitationsQuery>

export const NewInvitationRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in the body or the query'),
  username: inputField(
    anyUsername,
    'The account to invite, case-insensitive; without it, the invitation is a link. The response is the same if there is no such account.',
  ),
  email: inputField(emailAddress, 'Where the link is sent; without it, you pass it on. Not with `username`'),
  roleIds: inputField(roleIds, 'Roles that the invitation grants, below your rank; none by default'),
  validSeconds: inputField(
    wire.integer({ min: HOUR_SECONDS, max: 30 * DAY_SECONDS, example: String(DEFAULT_VALID_SECONDS) }),
    `How long the invitation is valid; ${INVITATION_DAYS} days by default`,
  ),
  note: inputField(
    wire.text({ max: 200, example: 'For Robin, who hosts trainings' }),
    'Visible to those who manage members, not to the invited person',
  ),
})
export type NewInvitationInput = Static<typeof NewInvitationRequest>

export const InvitationQuery = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The invitation to withdraw'),
})

/** Any text: an incomplete token gets the same response as an unknown one. */
const token = inputField(
  wire.text({ min: 1, max: 200, example: 'pR0s7…' }),
  'Token from the link. It is sent in the body, because URLs end up in logs.',
)

export const TokenRequest = requestObject({ token })
export const AcceptRequest = requestObject({
  token,
  id: inputField(wire.id, 'Instead of the token: an invitation that your account has received'),
})
export type AcceptInput = Static<typeof AcceptRequest>
export const ReceivedInvitationRequest = requestObject({
  id: inputField(wire.id, 'An invitation that your account has received'),
})
export const ReceivedInvitationsQuery = requestObject({ ...pageFields })
export type ReceivedInvitationsQueryInput = Static<typeof ReceivedInvitationsQuery>
export const SignUpRequest = requestObject({
  token,
  username: inputField(username, 'Username of the new account'),
  password: inputField(newPassword),
})

const roleFields = {
  id: stringField('Role id'),
  name: stringField('Role name', 'Senior moderator'),
  color: nullableString('`#rrggbb`', '#3366ff'),
}

const Invitation = responseObject(
  {
    id: stringField('Invitation id'),
    roles: Type.Array(
      responseObject(
        { ...roleFields, rank: stringField('A higher rank outranks a lower one', '100') },
        'A role that the invitation grants',
      ),
    ),
    username: nullableString(
      'The username that was invited, as its creator typed it; `null` for a link',
      'robin',
    ),
    note: nullableString('Note of the creator'),
    createdBy: stringField('Id of the account that created the invitation'),
    createdByUsername: nullableString('Username of that account; null once it was blanked', 'robin'),
    createdAt: stringField('When the invitation was created', wire.time.example),
    expiresAt: stringField('When the invitation expires', wire.time.example),
    valid: stringField(
      '`false` if the invitation can no longer be accepted, because its creator may no longer invite',
      'true',
    ),
  },
  'A pending invitation',
)

export const InvitationResponse = responseObject({ invitation: Invitation }, 'The invitation')
export const InvitationsResponse = responseObject(
  {
    invitations: Type.Array(Invitation),
    nextCursor,
  },
  'Pending invitations, newest first',
)
export const NewInvitationResponse = responseObject(
  {
    invitation: Invitation,
    token: nullableString(
      'Token for the link; `null` for an invitation to a username. It is shown only once and is not stored.',
    ),
  },
  'The new invitation',
)

const offerFields = {
  groupName: stringField('Name of the workspace', 'Night shift'),
  status: Type.String({
    enum: ['active', 'archived'],
    description: '`archived` if the workspace has to be restored before the invitation can be accepted',
  }),
  invitedBy: nullableString(
    'Username of the account that created the invitation; null once it was blanked',
    'robin',
  ),
  roles: Type.Array(responseObject(roleFields, 'A role that the invitation grants')),
  expiresAt: stringField('When the invitation expires', wire.time.example),
}

export const ReadInvitationResponse = responseObject(
  {
    invitation: responseObject(
      offerFields,
      'The part of an invitation that is visible to anyone who has the link',
    ),
  },
  'The invitation',
)

const ReceivedInvitation = responseObject(
  {
    id: stringField('Invitation id'),
    workspaceId: stringField('Workspace id'),
    ...offerFields,
    valid: stringField(
      '`false` if it can no longer be accepted, because its creator may no longer invite',
      'true',
    ),
  },
  'An invitation that the signed-in account has received',
)

export const ReceivedInvitationsResponse = responseObject(
  {
    invitations: Type.Array(ReceivedInvitation),
    nextCursor,
  },
  'Received invitations, newest first',
)
export const DeclinedResponse = responseObject(
  { id: stringField('The declined invitation') },
  'The invitation was declined',
)

const workspace = responseObject(
  { id: stringField('Workspace id'), groupName: stringField('Workspace name', 'Night shift') },
  'The workspace',
)

export const JoinedResponse = responseObject({ workspace, member: Member }, 'The new member')
export const SignedUpResponse = responseObject(
  { account: Account, workspace, member: Member },
  'The new account and its membership',
)

export type PresentedInvitation = Static<typeof Invitation>
