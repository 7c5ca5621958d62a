import { pauseWebhookIds, revokeKeyIds } from '@reeve/auth'
import { wire } from '@reeve/core'
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

/** The players who can be linked to a member. */
const MAX_PLAYERS = 10
const playerList = wire.playerIdList(MAX_PLAYERS)
const playerIds: wire.Codec<readonly string[]> = {
  ...playerList,
  read: (text) => (text.trim() === '' ? [] : playerList.read(text)),
  description: `${playerList.description}; empty for none`,
}

const workspaceId = inputField(wire.id, 'The workspace; in the body or the query')

export const MemberRequest = requestObject({
  workspaceId,
  accountId: inputField(wire.id, 'The member'),
  roleIds: inputField(roleIds, 'Replaces all roles of the member'),
  expectedRoleIds: inputField(
    roleIds,
    'The roles that the member had when it was read, in any order: with others now, nothing changes (412)',
  ),
  revokeKeyIds,
  pauseWebhookIds,
})

export const OwnershipRequest = requestObject({
  workspaceId,
  accountId: inputField(wire.id, 'The member who becomes the owner'),
  roleIds: inputField(roleIds, 'Roles of the former owner after the transfer; none by default'),
  revokeKeyIds,
  pauseWebhookIds,
})

export type OwnershipInput = Static<typeof OwnershipRequest>

export type MemberInput = Static<typeof MemberRequest>

export const MembersQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'Return this member instead of the list'),
  roleId: inputField(wire.id, 'Only members with this role'),
  secondFactor: inputField(
    wire.oneOf(['missing']),
    '`missing`: only members whose account has no second factor; only for the owner',
  ),
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
  revokeKeyIds,
  pauseWebhookIds,
})

export type RemoveMemberInput = Static<typeof RemoveMemberQuery>

export const MemberPlayersQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'The member'),
})
export const MemberPlayersRequest = requestObject({
  workspaceId,
  accountId: inputField(wire.id, 'The member'),
  userIds: inputField(playerIds, 'Replaces all players that are linked to the member; empty for none'),
  expectedUserIds: inputField(
    playerIds,
    'The players that were linked to the member when they were read, in any order: with others now, nothing changes (412)',
  ),
})
export type MemberPlayersInput = Static<typeof MemberPlayersRequest>

export const MemberPlayersResponse = responseObject(
  {
    accountId: stringField('Account id'),
    userIds: Type.Array(stringField('User id on the game platform', wire.playerId.example)),
  },
  'The players who are the member',
)

/** The query of lists of what a member leaves behind. */
export const MemberCreationsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'The member who created them'),
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

const ListedMember = responseObject(
  {
    ...Member.properties,
    robloxUserId: nullableString('User id of the Roblox account that is linked to the account', '261'),
    hasSecondFactor: nullableString(
      'Whether the account has a second factor; null unless the owner asks',
      'true',
    ),
    robloxUsername: nullableString('Name of that Roblox account when it last signed in', 'Shedletsky'),
  },
  'A member of a workspace, with what is known of the account',
  'ListedMember',
)
export type ListedMember = Static<typeof ListedMember>

export const MemberResponse = responseObject({ member: Member }, 'The member')
export const ReadMemberResponse = responseObject({ member: ListedMember }, 'The member')
export const MembersResponse = responseObject(
  { members: Type.Array(ListedMember), nextCursor },
  'Members, sorted by username',
)

export const OwnershipResponse = responseObject(
  { owner: Member, formerOwner: Member },
  'The new and the former owner',
)

export type PresentedMember = Static<typeof Member>
