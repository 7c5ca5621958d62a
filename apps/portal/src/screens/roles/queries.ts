import { OWNER_RANK, type Permission, type RoleLimits } from '@reeve/core'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { readLimits } from '../../format/limits.ts'

/** A role, parsed from the API's response. */
export interface Role {
  readonly id: string
  readonly name: string
  readonly color: string | null
  readonly rank: number
  readonly permissions: ReadonlySet<Permission>
  readonly limits: RoleLimits
  readonly isOwner: boolean
  readonly version: string
}

/** A combination of roles and the number of members who have exactly these roles. */
export interface RoleCombination {
  readonly roleIds: readonly string[]
  readonly members: number
}

/** The prefix of all query keys about roles. */
export const rolesKey = (workspaceId: string) => [workspaceId, 'roles'] as const

/** Reads again what depends on the roles of a workspace. */
export const invalidateRoles = (client: QueryClient, workspaceId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: rolesKey(workspaceId) }),
    client.invalidateQueries({ queryKey: [workspaceId, 'members'] }),
  ])

type RoleJson = Parameters<typeof readLimits>[0] &
  Readonly<Record<'id' | 'name' | 'rank' | 'permissions' | 'isOwner' | 'version', string>> & {
    readonly color: string | null
  }

/** A role of a response. */
const parseRole = (role: RoleJson): Role => ({
  id: role.id,
  name: role.name,
  color: role.color,
  rank: Number(role.rank),
  permissions: new Set(JSON.parse(role.permissions) as Permission[]),
  limits: readLimits(role),
  isOwner: role.isOwner === 'true',
  version: role.version,
})

/** Every role, highest rank first. */
export const rolesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...rolesKey(workspaceId), 'list'],
    queryFn: async (): Promise<readonly Role[]> => {
      const response = await unwrap(api.GET('/portal/api/roles', { params: { query: { workspaceId } } }))
      return 'roles' in response ? response.roles.map(parseRole) : []
    },
  })

/** A role as it is stored now; undefined if it was deleted. */
export const readLatestRole = async (client: QueryClient, workspaceId: string, id: string) =>
  (await client.fetchQuery({ ...rolesQuery(workspaceId), staleTime: 0 })).find((role) => role.id === id)

/** Shows the roles of the response to a write. @returns them */
export async function storeRoles(
  client: QueryClient,
  workspaceId: string,
  response: { readonly roles: readonly RoleJson[] },
): Promise<readonly Role[]> {
  const roles = response.roles.map(parseRole)
  const { queryKey } = rolesQuery(workspaceId)
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, roles)
  return roles
}

/** How many members have which roles. */
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

/** The number of members with a role. */
export const countMembers = (roleId: string, roleCombinations: readonly RoleCombination[]): number =>
  roleCombinations.reduce((sum, { roleIds, members }) => (roleIds.includes(roleId) ? sum + members : sum), 0)

/** `Rank 40`. The owner's rank is shown without its number. */
export const formatRank = (rank: number): string => (rank >= OWNER_RANK ? 'Highest rank' : `Rank ${rank}`)
