import { hasPermission, type Permission } from '@reeve/core'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, unwrap } from './client.ts'
import { watchSession } from './session-expiry.ts'

/** A workspace as its member sees it. */
export interface Workspace {
  readonly id: string
  readonly groupName: string
  /** An archived workspace can be read, and restored, but not changed. */
  readonly isArchived: boolean
  readonly roles: readonly { readonly id: string; readonly name: string; readonly color: string | null }[]
  readonly permissions: ReadonlySet<Permission>
  readonly rank: number
  readonly isOwner: boolean
}

/** Who is signed in. */
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
    workspaces: workspaces.map(({ id, groupName, status, roles, permissions, rank, isOwner }) => ({
      id,
      groupName,
      isArchived: status === 'archived',
      roles,
      permissions: new Set(JSON.parse(permissions) as Permission[]),
      rank: Number(rank),
      isOwner: isOwner === 'true',
    })),
  }
}

/** Read again whenever somebody looks at the page again: a session may have ended while nobody did. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: fetchMe,
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

/** Who is signed in; only below the signed-in part of the page. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** The workspace that the address names, or null: there is none in the address, or the reader does not belong to it. */
export function useWorkspaceOrNull(): Workspace | null {
  const { workspaces } = useMe()
  const { workspaceId } = useParams({ strict: false }) as { workspaceId?: string }
  return workspaces.find(({ id }) => id === workspaceId) ?? null
}

/** The workspace of the screen; only below `/w/$workspaceId`. */
export function useWorkspace(): Workspace {
  const workspace = useWorkspaceOrNull()
  if (!workspace) throw new Error('no workspace is at hand')
  return workspace
}

/** Whether the reader holds a permission in the workspace of the screen. */
export const useHasPermission = (permission: Permission): boolean => hasPermission(useWorkspace(), permission)
