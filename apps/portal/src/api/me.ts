import { hasPermission, type Permission, type Platforms, type SwitchableEndpoint } from '@reeve/core'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { getLastWorkspaces } from '../app/last-workspace.ts'
import { api, unwrap } from './client.ts'
import { ME_KEY } from './query-client.ts'
import { watchSession } from './session-expiry.ts'

/** Why an endpoint is not fully on. */
interface EndpointRestriction {
  readonly mode: 'read_only' | 'off'
  readonly message: string | null
}

/** A second factor that has to be added to the account, or verified in this session. */
export type MissingSecondFactor = 'none' | 'add' | 'verify'

/** A workspace that the user belongs to, with their permissions in it. */
export interface Workspace {
  readonly id: string
  readonly groupName: string
  /** An archived workspace is read-only until it is restored. */
  readonly isArchived: boolean
  /** When it will be deleted; null unless its owner has requested that. */
  readonly deleteAt: string | null
  /** The template of links to players' profiles on the game platform; null for none. */
  readonly profileUrl: string | null
  /** The platforms that ids of players without a platform mean, or meant; the default first. */
  readonly platforms: Platforms
  readonly roles: readonly { readonly id: string; readonly name: string; readonly color: string | null }[]
  readonly permissions: ReadonlySet<Permission>
  readonly rank: number
  readonly isOwner: boolean
  /** The endpoints that are read-only or off, with the message of their controls. */
  readonly restrictedEndpoints: ReadonlyMap<SwitchableEndpoint, EndpointRestriction>
  /** What the workspace requires before it can be used: to add a second factor, to verify one, or nothing. */
  readonly missingSecondFactor: MissingSecondFactor
  /** From when it cannot be used without a second factor; null if it does not require one. */
  readonly secondFactorDueAt: string | null
  /** The sequence of the last change before the user was loaded. */
  readonly sequence: string
}

/** Only operators create workspaces on this instance, or the user owns as many as the limit allows. */
export type WorkspaceCreationProblem =
  | { readonly kind: 'operators-only' }
  | { readonly kind: 'limit-reached'; readonly limit: number }

/** The signed-in user. */
export interface Me {
  readonly id: string
  readonly username: string
  readonly isOperator: boolean
  /** An account without one cannot confirm actions with it, and only an operator can set one. */
  readonly hasPassword: boolean
  /** Where mails to the user are sent; null without an address. */
  readonly email: string | null
  /** With which factors the user confirms sensitive actions: second factors, or else the password; empty if there is neither. */
  readonly verificationFactors: readonly string[]
  /** With which identity providers the user confirms sensitive actions, if there is no other way. */
  readonly verificationProviders: readonly string[]
  /** What this instance requires before anything else: to add a second factor, to verify one, or nothing. */
  readonly missingSecondFactor: MissingSecondFactor
  readonly sessionId: string
  /** Why the user cannot create a workspace; null if they can. */
  readonly workspaceCreationProblem: WorkspaceCreationProblem | null
  /** How many invitations to workspaces the user has received. */
  readonly receivedInvitations: number
  readonly workspaces: readonly Workspace[]
}

async function fetchMe(): Promise<Me> {
  const {
    account,
    hasPassword,
    email,
    verificationFactors,
    verificationProviders,
    missingSecondFactor,
    sessionId,
    receivedInvitations,
    workspaces,
    ...creation
  } = await unwrap(api.GET('/portal/api/me'))
  await watchSession({ accountId: account.id, sessionId })
  return {
    id: account.id,
    username: account.username,
    isOperator: account.isOperator === 'true',
    hasPassword: hasPassword === 'true',
    email,
    verificationFactors,
    verificationProviders,
    missingSecondFactor,
    sessionId,
    workspaceCreationProblem: findWorkspaceCreationProblem(account.isOperator === 'true', creation),
    receivedInvitations: Number(receivedInvitations),
    workspaces: workspaces.map(
      ({ id, groupName, status, isOwner, permissions, rank, restrictedEndpoints, ...workspace }) => ({
        id,
        groupName,
        isArchived: status === 'archived',
        deleteAt: workspace.deleteAt,
        profileUrl: workspace.profileUrl,
        platforms: workspace.platforms as unknown as Platforms,
        roles: workspace.roles,
        permissions: new Set(JSON.parse(permissions) as Permission[]),
        rank: Number(rank),
        isOwner: isOwner === 'true',
        restrictedEndpoints: new Map(
          restrictedEndpoints.map(({ endpoint, mode, message }) => [endpoint, { mode, message }]),
        ),
        missingSecondFactor: workspace.missingSecondFactor,
        secondFactorDueAt: workspace.secondFactorDueAt,
        sequence: workspace.sequence,
      }),
    ),
  }
}

function findWorkspaceCreationProblem(
  isOperator: boolean,
  creation: { workspaceCreation: string; workspaceLimit: string | null; ownedWorkspaces: string },
): WorkspaceCreationProblem | null {
  if (creation.workspaceCreation === 'operators' && !isOperator) return { kind: 'operators-only' }
  const limit = creation.workspaceLimit === null ? Number.POSITIVE_INFINITY : Number(creation.workspaceLimit)
  return Number(creation.ownedWorkspaces) >= limit ? { kind: 'limit-reached', limit } : null
}

/** Refetched on window focus, since the session may have ended in the meantime. */
export const meQuery = queryOptions({
  queryKey: ME_KEY,
  queryFn: fetchMe,
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

/** Whether the account of the user has a second factor. */
export const hasSecondFactor = ({ verificationFactors }: Me): boolean =>
  verificationFactors.includes('passkey') || verificationFactors.includes('totp')

/** The workspace that a path leads to; undefined for other paths, and if the user does not belong to it. */
export const findWorkspaceByPath = ({ workspaces }: Me, path: string): Workspace | undefined =>
  workspaces.find(({ id }) => id === /^\/w\/([\w-]+)/.exec(path)?.[1])

/** The signed-in user. Only below the signed-in route. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** The workspace in the URL; null if there is none or the user does not belong to it. */
export function useWorkspaceOrNull(): Workspace | null {
  const { workspaces } = useMe()
  const { workspaceId } = useParams({ strict: false }) as { workspaceId?: string }
  return workspaces.find(({ id }) => id === workspaceId) ?? null
}

/** The workspace to open without being told which: the one used last in this tab or else in this browser, or the only one. */
export function findDefaultWorkspace({ workspaces }: Me): Workspace | null {
  const [last] = getLastWorkspaces().flatMap((lastId) => workspaces.filter(({ id }) => id === lastId))
  return last ?? (workspaces.length === 1 ? (workspaces[0] ?? null) : null)
}

/** The workspace whose sections the navigation shows: the one in the URL; on other screens, the one to return to. */
export function useNavigationWorkspace(): Workspace | null {
  const me = useMe()
  return useWorkspaceOrNull() ?? findDefaultWorkspace(me)
}

/** The workspace in the URL. Only below `/w/$workspaceId`. @throws Error elsewhere */
export function useWorkspace(): Workspace {
  const workspace = useWorkspaceOrNull()
  if (!workspace) throw new Error('useWorkspace needs a workspace route')
  return workspace
}

/** Whether the user has a permission in the current workspace. */
export const useHasPermission = (permission: Permission): boolean => hasPermission(useWorkspace(), permission)
