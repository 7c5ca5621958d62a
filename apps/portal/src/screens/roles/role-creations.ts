import { api, unwrap } from '../../api/client.ts'
import { type Creations, toCreations } from '../../components/creator-choice.ts'
import type { CreatorKeys, KeysQuery } from '../../components/creator-keys.ts'
import type { CreatorWebhooks, WebhooksQuery } from '../../components/creator-webhooks.ts'
import { losesPermission, losesPermissionOrRank, type RoleAccess } from './lost-access.ts'
import type { Role } from './queries.ts'

/** What each changed role gives afterwards; null if it is deleted. */
export type RoleChanges = ReadonlyMap<string, RoleAccess | null>

type LossRule = typeof losesPermission

/** Something that a member with roles created. */
interface Creation {
  readonly id: string
  readonly creatorRoleIds?: readonly string[]
}

function losesBy(rule: LossRule, before: readonly Role[], changes: RoleChanges): boolean {
  const after = before.flatMap((role) => {
    const changed = changes.get(role.id)
    return changed === null ? [] : [changed ?? role]
  })
  return rule(before, after)
}

/** The changed roles that give less afterwards, as a request sends them. */
const joinReducedIds = (rule: LossRule, roles: readonly Role[], changes: RoleChanges): string =>
  roles
    .filter((role) => losesBy(rule, [role], changes))
    .map(({ id }) => id)
    .toSorted()
    .join(',')

/** What those created who lose something by all of the changes together. */
const filterByLoss = <Item extends Creation>(
  rule: LossRule,
  { items, more }: Creations<Item>,
  roles: readonly Role[],
  changes: RoleChanges,
): Creations<Item> => ({
  items: items.filter(({ creatorRoleIds = [] }) =>
    losesBy(
      rule,
      roles.filter(({ id }) => creatorRoleIds.includes(id)),
      changes,
    ),
  ),
  more,
})

/** The API keys of those who lose permissions or rank through changes of roles: a workspace cannot have so many that some are not listed. */
export const roleKeysQuery = (workspaceId: string, roles: readonly Role[], changes: RoleChanges) => {
  const roleIds = joinReducedIds(losesPermissionOrRank, roles, changes)
  return {
    queryKey: [workspaceId, 'api-keys', 'of-roles', roleIds],
    queryFn: async (): Promise<CreatorKeys> => {
      if (roleIds === '') return toCreations([])
      const query = { workspaceId, roleIds }
      return toCreations((await unwrap(api.GET('/portal/api/roles/keys', { params: { query } }))).apiKeys)
    },
    select: (keys: CreatorKeys) => filterByLoss(losesPermissionOrRank, keys, roles, changes),
  } satisfies KeysQuery
}

/** The active webhooks of those who lose permissions through changes of roles. */
export const roleWebhooksQuery = (workspaceId: string, roles: readonly Role[], changes: RoleChanges) => {
  const roleIds = joinReducedIds(losesPermission, roles, changes)
  return {
    queryKey: [workspaceId, 'webhooks', 'of-roles', roleIds],
    queryFn: async (): Promise<CreatorWebhooks> => {
      if (roleIds === '') return toCreations([])
      const query = { workspaceId, roleIds }
      return toCreations(
        (await unwrap(api.GET('/portal/api/roles/webhooks', { params: { query } }))).webhooks,
      )
    },
    select: (webhooks: CreatorWebhooks) => filterByLoss(losesPermission, webhooks, roles, changes),
  } satisfies WebhooksQuery
}

/** Who created the listed keys, and what becomes of those that stay. */
export const roleKeysTexts = {
  creator: 'Members who lose permissions or rank',
  note: 'They keep their permissions, but not a higher rank than their creator.',
} as const

/** Who created the listed webhooks, which have no rank. */
export const ROLE_WEBHOOKS_CREATOR = 'Members who lose permissions'
