import { Account, newPassword, username } from '@reeve/auth'
import { wire } from '@reeve/core'
import {
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Member, roleIds } from '../model.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** How long an invitation holds where its maker does not say: 7 days. */
export const DEFAULT_VALID_SECONDS = 7 * DAY_SECONDS

const workspaceId = inputField(wire.id, 'The workspace')

export const InvitationsQuery = requestObject({ workspaceId, ...pageFields })
export type InvitationsQueryInput = Static<typeof InvitationsQuery>

export const NewInvitationRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; here or in the query'),
  roleIds: inputField(roleIds, 'The roles it gives, below the rank of its maker; none by default'),
  validSeconds: inputField(
    wire.integer({ min: HOUR_SECONDS, max: 30 * DAY_SECONDS, example: String(DEFAULT_VALID_SECONDS) }),
    'How long it can be accepted; 7 days by default',
  ),
  note: inputField(
    wire.text({ max: 200, example: 'For Robin, who hosts trainings' }),
    'For those who manage members; whoever is invited does not see it',
  ),
})
export type NewInvitationInput = Static<typeof NewInvitationRequest>

export const InvitationQuery = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The invitation to withdraw'),
})

/** The token of an invitation: any text, so that one that was not copied whole is answered like one that never was. */
const token = inputField(
  wire.text({ min: 1, max: 200, example: 'pR0s7…' }),
  'From the link; in the body, because addresses end up in logs',
)

export const TokenRequest = requestObject({ token })
export const SignUpRequest = requestObject({
  token,
  username: inputField(username, 'Of the new account'),
  password: inputField(newPassword),
})

const roleFields = {
  id: stringField('Id of the role'),
  name: stringField('Its name', 'Senior moderator'),
  color: nullableString('`#rrggbb`', '#3366ff'),
}

const Invitation = responseObject(
  {
    id: stringField('Id of the invitation'),
    roles: Type.Array(
      responseObject(
        { ...roleFields, rank: stringField('Higher outranks lower', '100') },
        'A role that it gives',
      ),
    ),
    note: nullableString('What its maker wrote down about it'),
    createdBy: stringField('The account that made it'),
    createdByUsername: stringField('Its name', 'robin'),
    createdAt: stringField('When it was made', wire.time.example),
    expiresAt: stringField('Until when it can be accepted', wire.time.example),
    valid: stringField(
      '`false` where nobody can accept it any more: whoever made it is no longer a member who may invite',
      'true',
    ),
  },
  'An invitation that waits to be accepted',
)

export const InvitationResponse = responseObject({ invitation: Invitation }, 'The invitation')
export const InvitationsResponse = responseObject(
  {
    invitations: Type.Array(Invitation),
    nextCursor: nullableString('Give it as `cursor` for the next page'),
  },
  'Invitations that wait to be accepted, newest first',
)
export const NewInvitationResponse = responseObject(
  {
    invitation: Invitation,
    token: stringField('What its link is made of: shown this once and stored nowhere'),
  },
  'The new invitation',
)

export const ReadInvitationResponse = responseObject(
  {
    invitation: responseObject(
      {
        groupName: stringField('The workspace it leads to', 'Night shift'),
        status: Type.String({
          enum: ['active', 'archived'],
          description: '`archived`: it can be accepted once the workspace is taken back into use',
        }),
        invitedBy: stringField('Who made it', 'robin'),
        roles: Type.Array(responseObject(roleFields, 'A role that it gives')),
        expiresAt: stringField('Until when it can be accepted', wire.time.example),
      },
      'What whoever holds the link may know',
    ),
  },
  'The invitation',
)

const workspace = responseObject(
  { id: stringField('Id of the workspace'), groupName: stringField('Its name', 'Night shift') },
  'The workspace',
)

export const JoinedResponse = responseObject({ workspace, member: Member }, 'The new member')
export const SignedUpResponse = responseObject(
  { account: Account, workspace, member: Member },
  'The new account, signed in, and a member',
)

export type PresentedInvitation = Static<typeof Invitation>
