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

export const DeletedMembersQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  ...pageFields,
})
export type DeletedMembersQueryInput = Static<typeof DeletedMembersQuery>

export const BlankNameRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  accountId: inputField(wire.id, 'The deleted account'),
})

const DeletedMember = responseObject(
  {
    accountId: stringField('The deleted account'),
    username: nullableString('Its username; null once it was blanked', 'robin'),
    leftAt: stringField('When it stopped being a member', wire.time.example),
    nameState: Type.String({
      enum: ['kept', 'blanking', 'blanked'],
      description: 'Whether its name is in the history of the workspace, is being removed, or was removed',
    }),
  },
  'A former member whose account was deleted',
)
export type PresentedDeletedMember = Static<typeof DeletedMember>

export const DeletedMemberResponse = responseObject({ deletedMember: DeletedMember }, 'The former member')
export const DeletedMembersResponse = responseObject(
  {
    deletedMembers: Type.Array(DeletedMember),
    nextCursor,
  },
  'Former members whose accounts were deleted',
)
