import { api, type PortalSchemas, unwrap } from '../../api/client.ts'

/** An account in a workspace. */
export type Member = PortalSchemas['Member']

/** An invitation that waits to be accepted. */
export type Invitation = Awaited<ReturnType<typeof readInvitations>>['invitations'][number]

/** A new invitation. Its token is shown once and stored nowhere. */
export interface CreatedInvitation {
  readonly invitation: Invitation
  readonly token: string
}

export const membersKey = (workspaceId: string) => [workspaceId, 'members'] as const
export const invitationsKey = (workspaceId: string) => [workspaceId, 'invitations'] as const

interface MembersQuery {
  readonly workspaceId: string
  readonly q?: string
  readonly roleId?: string
  readonly cursor?: string
}

/** One page of the members, by name. */
export async function readMembers(query: MembersQuery) {
  const response = await unwrap(api.GET('/portal/api/members', { params: { query } }))
  return 'members' in response ? response : { members: [response.member], nextCursor: null }
}

/** One page of the invitations that wait, newest first. */
export const readInvitations = (query: { readonly workspaceId: string; readonly cursor?: string }) =>
  unwrap(api.GET('/portal/api/invitations', { params: { query } }))

/** What to open to accept an invitation. The token is behind the `#`, which no browser sends and no log keeps. */
export const buildInvitationUrl = (token: string): string => `${window.location.origin}/invitation#${token}`
