import { OWNER_RANK, type Permission } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

/** A role, as it is worked with here. */
export interface Role {
  readonly id: string
  readonly name: string
  readonly color: string | null
  readonly rank: number
  readonly permissions: ReadonlySet<Permission>
  readonly isOwner: boolean
  readonly version: string
}

/** Roles that are held together, and by how many. */
export interface RoleCombination {
  readonly roleIds: readonly string[]
  readonly members: number
}

/** Everything there is of roles in a workspace begins its keys with this. */
export const rolesKey = (workspaceId: string) => [workspaceId, 'roles'] as const

/** Every role, the highest first. */
export const rolesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...rolesKey(workspaceId), 'list'],
    queryFn: async (): Promise<readonly Role[]> => {
      const response = await unwrap(api.GET('/portal/api/roles', { params: { query: { workspaceId } } }))
      if (!('roles' in response)) return []
      return response.roles.map(({ id, name, color, rank, permissions, isOwner, version }) => ({
        id,
        name,
        color,
        rank: Number(rank),
        permissions: new Set(JSON.parse(permissions) as Permission[]),
        isOwner: isOwner === 'true',
        version,
      }))
    },
  })

/** Who holds what, in numbers. */
export const roleCombinationsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...rolesKey(workspaceId), 'combinations'],
    queryFn: async (): Promise<readonly RoleCombination[]> => {
      const { holdings } = await unwrap(
        api.GET('/portal/api/roles/holdings', { params: { query: { workspaceId } } }),
      )
      return holdings.map(({ roleIds, members }) => ({ roleIds, members: Number(members) }))
    },
  })

/** How many hold a role. */
export const countMembers = (roleId: string, roleCombinations: readonly RoleCombination[]): number =>
  roleCombinations.reduce((sum, { roleIds, members }) => (roleIds.includes(roleId) ? sum + members : sum), 0)

/** A rank as it is told: that of the owner is no number to reckon with. */
export const formatRank = (rank: number): string => (rank >= OWNER_RANK ? 'Above all' : `Rank ${rank}`)
