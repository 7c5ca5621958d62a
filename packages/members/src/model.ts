import { existingPassword } from '@reeve/auth'
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

const workspaceId = inputField(wire.id, 'The workspace; here or in the query')

export const NewMemberRequest = requestObject({
  workspaceId,
  username: inputField(
    wire.text({ min: 1, max: 100, example: 'robin' }),
    'The account to add, ignoring case; it must exist',
  ),
  roleIds: inputField(roleIds, 'The roles it gets; none by default'),
})

export const MemberRequest = requestObject({
  workspaceId,
  accountId: inputField(wire.id, 'The member'),
  roleIds: inputField(roleIds, 'Replaces all roles of the member'),
})

export const OwnershipRequest = requestObject({
  workspaceId,
  accountId: inputField(wire.id, 'The member who becomes the owner'),
  password: inputField(existingPassword, 'Of the present owner, who makes this call'),
  roleIds: inputField(roleIds, 'The roles that the present owner keeps; none by default'),
})

export type OwnershipInput = Static<typeof OwnershipRequest>

export type MemberInput = Static<typeof NewMemberRequest> & Static<typeof MemberRequest>

export const MembersQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'One member instead of the list'),
  roleId: inputField(wire.id, 'Only those who hold this role'),
  q: inputField(
    wire.text({ max: 50, example: 'rob' }),
    'Only those whose username holds this, ignoring case',
  ),
  ...pageFields,
})

export type MembersQueryInput = Static<typeof MembersQuery>

export const RemoveMemberQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'The member to remove; oneself to leave'),
})

export const Member = responseObject(
  {
    accountId: stringField('Id of the account'),
    username: stringField('Its name', 'robin'),
    roles: Type.Array(
      responseObject(
        {
          id: stringField('Id of the role'),
          name: stringField('Its name', 'Senior moderator'),
          color: nullableString('`#rrggbb`', '#3366ff'),
          rank: stringField('Higher outranks lower', '100'),
        },
        'A role that the member holds',
      ),
    ),
    rank: stringField('The highest rank among the roles; 0 without a role', '100'),
    joinedAt: stringField('When it became a member', wire.time.example),
    isOwner: stringField('`true` for the owner of the workspace', 'false'),
  },
  'An account in a workspace',
)

export const MemberResponse = responseObject({ member: Member }, 'The member')
export const MembersResponse = responseObject(
  { members: Type.Array(Member), nextCursor: nullableString('Give it as `cursor` for the next page') },
  'Members by username',
)

export const OwnershipResponse = responseObject(
  { owner: Member, formerOwner: Member },
  'Who owns the workspace from now on, and who did',
)

export type PresentedMember = Static<typeof Member>
