import { hasPermission, type Permission } from '@reeve/core'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, unwrap } from './client.ts'
import { watchSession } from './session-expiry.ts'

/** A workspace that the user belongs to, with their permissions in it. */
export interface Workspace {
  readonly id: string
  readonly groupName: string
  /** An archived workspace is read-only until it is restored. */
  readonly isArchived: boolean
  /** The template of links to players' profiles on the game platform; null for none. */
  readonly profileUrl: string | null
  readonly roles: readonly { readonly id: string; readonly name: string; readonly color: string | null }[]
  readonly permissions: ReadonlySet<Permission>
  readonly rank: number
  readonly isOwner: boolean
}

/** The signed-in user. */
export interface Me {
  readonly id: string
  readonly username: string
  readonly isOperator: boolean
  readonly sessionId: string
  readonly workspaces: readonly Workspace[]
}

async function fetchMe(): Promise<Me> {
  const { account, sessionId, workspaces } = await unwrap(api.GET('/portal/api/me'))
  watchSession()
  return {
    id: account.id,
    username: account.username,
    isOperator: account.isOperator === 'true',
    sessionId,
    workspaces: workspaces.map(
      ({ id, groupName, status, profileUrl, roles, permissions, rank, isOwner }) => ({
        id,
        groupName,
        isArchived: status === 'archived',
        profileUrl,
        roles,
        permissions: new Set(JSON.parse(permissions) as Permission[]),
        rank: Number(rank),
        isOwner: isOwner === 'true',
      }),
    ),
  }
}

/** Refetched on window focus, since the session may have ended in the meantime. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: fetchMe,
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

/** The signed-in user. Only below the signed-in route. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** The workspace in the URL; null if there is none or the user does not belong to it. */
export function useWorkspaceOrNull(): Workspace | null {
  const { workspaces } = useMe()
  const { workspaceId } = useParams({ strict: false }) as { workspaceId?: string }
  return workspaces.find(({ id }) => id === workspaceId) ?? null
}

/** The workspace in the URL. Only below `/w/$workspaceId`. @throws Error elsewhere */
export function useWorkspace(): Workspace {
  const workspace = useWorkspaceOrNull()
  if (!workspace) throw new Error('useWorkspace needs a workspace route')
  return workspace
}

/** Whether the user has a permission in the current workspace. */
export const useHasPermission = (permission: Permission): boolean => hasPermission(useWorkspace(), permission)
