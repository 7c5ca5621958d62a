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

/** Duplicate ids are removed. */
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
  description: 'Role ids, separated by commas; empty for none',
  example: wire.id.example,
}

const workspaceId = inputField(wire.id, 'The workspace; in the body or the query')

export const NewMemberRequest = requestObject({
  workspaceId,
  username: inputField(
    wire.text({ min: 1, max: 100, example: 'robin' }),
    'The existing account to add, case-insensitive',
  ),
  roleIds: inputField(roleIds, 'Roles of the new member; none by default'),
})

export const MemberRequest = requestObject({
  workspaceId,
  accountId: inputField(wire.id, 'The member'),
  roleIds: inputField(roleIds, 'Replaces all roles of the member'),
})

export const OwnershipRequest = requestObject({
  workspaceId,
  accountId: inputField(wire.id, 'The member who becomes the owner'),
  password: inputField(existingPassword, 'Password of the current owner, who sends the request'),
  roleIds: inputField(roleIds, 'Roles of the former owner after the transfer; none by default'),
})

export type OwnershipInput = Static<typeof OwnershipRequest>

export type MemberInput = Static<typeof NewMemberRequest> & Static<typeof MemberRequest>

export const MembersQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'Return this member instead of the list'),
  roleId: inputField(wire.id, 'Only members with this role'),
  q: inputField(
    wire.text({ max: 50, example: 'rob' }),
    'Only members whose username contains this text, case-insensitive',
  ),
  ...pageFields,
})

export type MembersQueryInput = Static<typeof MembersQuery>

export const RemoveMemberQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'The member to remove; your own account id to leave'),
})

export const Member = responseObject(
  {
    accountId: stringField('Account id'),
    username: stringField('Username', 'robin'),
    roles: Type.Array(
      responseObject(
        {
          id: stringField('Role id'),
          name: stringField('Role name', 'Senior moderator'),
          color: nullableString('`#rrggbb`', '#3366ff'),
          rank: stringField('A higher rank outranks a lower one', '100'),
        },
        'A role of the member',
      ),
    ),
    rank: stringField('Highest rank of the roles; 0 without a role', '100'),
    joinedAt: stringField('When the account joined', wire.time.example),
    isOwner: stringField('Whether the member owns the workspace', 'false'),
  },
  'A member of a workspace',
)

export const MemberResponse = responseObject({ member: Member }, 'The member')
export const MembersResponse = responseObject(
  { members: Type.Array(Member), nextCursor: nullableString('Pass as `cursor` to get the next page') },
  'Members, sorted by username',
)

export const OwnershipResponse = responseObject(
  { owner: Member, formerOwner: Member },
  'The new and the former owner',
)

export type PresentedMember = Static<typeof Member>
