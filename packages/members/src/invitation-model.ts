import { Account, newPassword, username } from '@reeve/auth'
import { wire } from '@reeve/core'
import { answer, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Member, roleIds } from './model.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** How long an invitation holds where its maker does not say: 7 days. */
export const DEFAULT_VALID_SECONDS = 7 * DAY_SECONDS

const workspaceId = field(wire.id, 'The workspace')

export const InvitationsQuery = request({ workspaceId, ...pageFields })
export type InvitationsQueryInput = Static<typeof InvitationsQuery>

export const NewInvitationRequest = request({
  workspaceId: field(wire.id, 'The workspace; here or in the query'),
  roleIds: field(roleIds, 'The roles it gives, below the rank of its maker; none by default'),
  validSeconds: field(
    wire.wholeNumber({ min: HOUR_SECONDS, max: 30 * DAY_SECONDS, example: String(DEFAULT_VALID_SECONDS) }),
    'How long it can be accepted; 7 days by default',
  ),
  note: field(
    wire.text({ max: 200, example: 'For Robin, who hosts trainings' }),
    'For those who manage members; whoever is invited does not see it',
  ),
})
export type NewInvitationInput = Static<typeof NewInvitationRequest>

export const InvitationQuery = request({ workspaceId, id: field(wire.id, 'The invitation to withdraw') })

/** The token of an invitation: any text, so that one that was not copied whole is answered like one that never was. */
const token = field(
  wire.text({ min: 1, max: 200, example: 'pR0s7…' }),
  'From the link; in the body, because addresses end up in logs',
)

export const TokenRequest = request({ token })
export const SignUpRequest = request({
  token,
  username: field(username, 'Of the new account'),
  password: field(newPassword),
})

const roleFields = {
  id: shown('Id of the role'),
  name: shown('Its name', 'Senior moderator'),
  color: shownOrNull('`#rrggbb`', '#3366ff'),
}

const Invitation = answer(
  {
    id: shown('Id of the invitation'),
    roles: Type.Array(
      answer({ ...roleFields, rank: shown('Higher outranks lower', '100') }, 'A role that it gives'),
    ),
    note: shownOrNull('What its maker wrote down about it'),
    createdBy: shown('The account that made it'),
    createdByUsername: shown('Its name', 'robin'),
    createdAt: shown('When it was made', wire.time.example),
    expiresAt: shown('Until when it can be accepted', wire.time.example),
    valid: shown(
      '`false` where nobody can accept it any more: whoever made it is no longer a member who may invite',
      'true',
    ),
  },
  'An invitation that waits to be accepted',
)

export const InvitationAnswer = answer({ invitation: Invitation }, 'The invitation')
export const InvitationsAnswer = answer(
  { invitations: Type.Array(Invitation), nextCursor: shownOrNull('Give it as `cursor` for the next page') },
  'Invitations that wait to be accepted, newest first',
)
export const NewInvitationAnswer = answer(
  {
    invitation: Invitation,
    token: shown('What its link is made of: shown this once and stored nowhere'),
  },
  'The new invitation',
)

export const ReadInvitationAnswer = answer(
  {
    invitation: answer(
      {
        groupName: shown('The workspace it leads to', 'Night shift'),
        status: Type.String({
          enum: ['active', 'archived'],
          description: '`archived`: it can be accepted once the workspace is taken back into use',
        }),
        invitedBy: shown('Who made it', 'robin'),
        roles: Type.Array(answer(roleFields, 'A role that it gives')),
        expiresAt: shown('Until when it can be accepted', wire.time.example),
      },
      'What whoever holds the link may know',
    ),
  },
  'The invitation',
)

const workspace = answer(
  { id: shown('Id of the workspace'), groupName: shown('Its name', 'Night shift') },
  'The workspace',
)

export const JoinedAnswer = answer({ workspace, member: Member }, 'The new member')
export const SignedUpAnswer = answer(
  { account: Account, workspace, member: Member },
  'The new account, signed in, and a member',
)

export type ShownInvitation = Static<typeof Invitation>
