import { givenPassword } from '@reeve/auth'
import { wire } from '@reeve/core'
import { answer, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

/** Ids of roles, separated by commas; empty is none. */
export const roleIds: wire.Codec<readonly string[]> = {
  read: (text) => [
    ...new Set(
      text
        .split(',')
        .filter((id) => id.trim() !== '')
        .map(wire.id.read),
    ),
  ],
  write: (ids) => ids.join(','),
  description: 'Ids of roles, separated by commas; empty is none',
  example: wire.id.example,
}

const workspaceId = field(wire.id, 'The workspace; here or in the query')

export const NewMemberRequest = request({
  workspaceId,
  username: field(
    wire.text({ min: 1, max: 100, example: 'robin' }),
    'The account to add, ignoring case; it must exist',
  ),
  roleIds: field(roleIds, 'The roles it gets; none by default'),
})

export const MemberRequest = request({
  workspaceId,
  accountId: field(wire.id, 'The member'),
  roleIds: field(roleIds, 'Replaces all roles of the member'),
})

export const OwnershipRequest = request({
  workspaceId,
  accountId: field(wire.id, 'The member who becomes the owner'),
  password: field(givenPassword, 'Of the present owner, who makes this call'),
  roleIds: field(roleIds, 'The roles that the present owner keeps; none by default'),
})

export type OwnershipInput = Static<typeof OwnershipRequest>

export type MemberInput = Static<typeof NewMemberRequest> & Static<typeof MemberRequest>

export const MembersQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  accountId: field(wire.id, 'One member instead of the list'),
  roleId: field(wire.id, 'Only those who hold this role'),
  q: field(wire.text({ max: 50, example: 'rob' }), 'Only those whose username holds this, ignoring case'),
  ...pageFields,
})

export type MembersQueryInput = Static<typeof MembersQuery>

export const LeavingQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  accountId: field(wire.id, 'The member to remove; oneself to leave'),
})

export const Member = answer(
  {
    accountId: shown('Id of the account'),
    username: shown('Its name', 'robin'),
    roles: Type.Array(
      answer(
        {
          id: shown('Id of the role'),
          name: shown('Its name', 'Senior moderator'),
          color: shownOrNull('`#rrggbb`', '#3366ff'),
          rank: shown('Higher outranks lower', '100'),
        },
        'A role that the member holds',
      ),
    ),
    rank: shown('The highest rank among the roles; 0 without a role', '100'),
    joinedAt: shown('When it became a member', wire.time.example),
    isOwner: shown('`true` for the owner of the workspace', 'false'),
  },
  'An account in a workspace',
)

export const MemberAnswer = answer({ member: Member }, 'The member')
export const MembersAnswer = answer(
  { members: Type.Array(Member), nextCursor: shownOrNull('Give it as `cursor` for the next page') },
  'Members by username',
)

export const OwnershipAnswer = answer(
  { owner: Member, formerOwner: Member },
  'Who owns the workspace from now on, and who did',
)

export type ShownMember = Static<typeof Member>
