import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'

/** A member of a workspace. */
export type Member = PortalSchemas['ListedMember']

/** A pending invitation. */
export type Invitation = Awaited<ReturnType<typeof readInvitations>>['invitations'][number]

/** A new invitation. Its token is shown once and stored nowhere. */
export interface CreatedInvitation {
  readonly invitation: Invitation
  readonly token: string
}

/** The roles that an invitation gives, as far as they are chosen. */
export interface ChosenRoles {
  readonly roleIds: readonly string[]
  readonly setRoleIds: (roleIds: readonly string[]) => void
}

export const membersKey = (workspaceId: string) => [workspaceId, 'members'] as const
export const invitationsKey = (workspaceId: string) => [workspaceId, 'invitations'] as const

interface MembersQuery {
  readonly workspaceId: string
  readonly q?: string
  readonly roleId?: string
  readonly cursor?: string
}

/** Reads one page of the members, by name. */
export async function readMembers(query: MembersQuery) {
  const response = await unwrap(api.GET('/portal/api/members', { params: { query } }))
  return 'members' in response ? response : { members: [response.member], nextCursor: null }
}

/** Reads a member. */
export async function readMember(workspaceId: string, accountId: string): Promise<Member> {
  const response = await unwrap(
    api.GET('/portal/api/members', { params: { query: { workspaceId, accountId } } }),
  )
  return (response as { readonly member: Member }).member
}

/** The members by name. */
export const memberPagesQuery = (query: MembersQuery) =>
  pagesQuery([...membersKey(query.workspaceId), query], (cursor) => readMembers({ ...query, ...cursor }))

/** Reads one page of the pending invitations, newest first. */
export const readInvitations = (query: { readonly workspaceId: string; readonly cursor?: string }) =>
  unwrap(api.GET('/portal/api/invitations', { params: { query } }))

export const deletedMembersKey = (workspaceId: string) => [workspaceId, 'members', 'deleted'] as const

/** Reads one page of the former members whose accounts were deleted. */
export const readDeletedMembers = (query: { readonly workspaceId: string; readonly cursor?: string }) =>
  unwrap(api.GET('/portal/api/deleted-members', { params: { query } }))

/** A former member whose account was deleted. */
export type DeletedMember = Awaited<ReturnType<typeof readDeletedMembers>>['deletedMembers'][number]

/** The URL for accepting an invitation. Browsers do not send the fragment with the token, so no log contains it. */
export const buildInvitationUrl = (token: string): string => `${window.location.origin}/invitation#${token}`
