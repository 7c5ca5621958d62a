import { api, unwrap } from '../../api/client.ts'
import { joinIds } from '../../components/creator-choice.ts'
import type { CreatorKeys, KeysQuery } from '../../components/creator-keys.ts'
import type { Role } from './queries.ts'

/** What the change of a role leaves of it; null if the role is deleted. */
export type RoleAfter = Pick<Role, 'rank' | 'permissions'> | null

/** What is left of each changed role. */
export type RoleChanges = ReadonlyMap<string, RoleAfter>

const findRank = (roles: readonly Pick<Role, 'rank'>[]) => Math.max(0, ...roles.map(({ rank }) => rank))

/** Whether somebody with these roles loses a permission or rank. */
function losesAccess(roleIds: readonly string[], roles: readonly Role[], changes: RoleChanges): boolean {
  const before = roles.filter(({ id }) => roleIds.includes(id))
  const after = before.flatMap((role) => {
    const changed = changes.get(role.id)
    return changed === null ? [] : [changed ?? role]
  })
  const keeps = (permission: string) =>
    after.some(({ permissions }) => [...permissions].some((kept) => kept === permission))
  return findRank(after) < findRank(before) || before.some((role) => ![...role.permissions].every(keeps))
}

/** The API keys of those who lose permissions or rank through changes of roles. */
export const roleKeysQuery = (workspaceId: string, roles: readonly Role[], changes: RoleChanges) => {
  const roleIds = [...changes.keys()].toSorted().join(',')
  return {
    queryKey: [workspaceId, 'api-keys', 'of-roles', roleIds],
    queryFn: async (): Promise<CreatorKeys> => {
      if (roleIds === '') return []
      const query = { workspaceId, roleIds }
      return (await unwrap(api.GET('/portal/api/roles/keys', { params: { query } }))).apiKeys
    },
    select: (keys: CreatorKeys) =>
      keys.filter(({ creatorRoleIds = [] }) => losesAccess(creatorRoleIds, roles, changes)),
  } satisfies KeysQuery
}

/**
 * The keys to revoke with the change of one of several roles, so that each is sent once: with the first that its creator has.
 * @param earlierIds the roles that are changed before
 */
export const listKeysOfRole = (keys: CreatorKeys, roleId: string, earlierIds: readonly string[]): string =>
  joinIds(
    keys.filter(
      ({ creatorRoleIds = [] }) =>
        creatorRoleIds.includes(roleId) && !creatorRoleIds.some((id) => earlierIds.includes(id)),
    ),
  )

/** Who created the keys, and what becomes of those that stay. */
export const roleKeysTexts = {
  creator: 'Members who lose permissions or rank',
  note: 'They keep their permissions, but not a higher rank than their creator.',
} as const
