import { List, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { openEndAccessDialog } from '../../components/end-access-dialog.tsx'
import { formatPermission } from '../../components/permission-labels.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { computeImpact } from './permission-diff.ts'
import { countMembers, invalidateRoles, type Role, type RoleCombination } from './queries.ts'
import {
  ROLE_WEBHOOKS_CREATOR,
  type RoleChanges,
  roleKeysQuery,
  roleKeysTexts,
  roleWebhooksQuery,
} from './role-creations.ts'

const noPermissions: ReadonlySet<never> = new Set()

/** Returns a function that asks for confirmation, lists the permissions that members lose, their API keys and webhooks, and deletes a role. */
export function useDeleteRole(roles: readonly Role[], roleCombinations: readonly RoleCombination[]) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return (role: Role) => {
    const deletion = new Map([[role.id, { granted: noPermissions, revoked: role.permissions }]])
    const lostPermissions = computeImpact(roles, deletion, roleCombinations).revoked.filter(
      ({ people }) => people > 0,
    )
    const changes: RoleChanges = new Map([[role.id, null]])
    openEndAccessDialog({
      title: `Delete the role “${role.name}”?`,
      children: (
        <DeletionImpact people={countMembers(role.id, roleCombinations)} lostPermissions={lostPermissions} />
      ),
      confirmLabel: 'Delete role',
      keys: roleKeysQuery(workspaceId, roles, changes),
      webhooks: roleWebhooksQuery(workspaceId, roles, changes),
      ...roleKeysTexts,
      webhooksCreator: ROLE_WEBHOOKS_CREATOR,
      run: async (revokeKeyIds, pauseWebhookIds) => {
        await unwrap(
          api.DELETE('/portal/api/roles', {
            params: { query: { workspaceId, id: role.id, revokeKeyIds, pauseWebhookIds } },
            headers: ifMatch(role.version),
          }),
        )
        await Promise.all([
          invalidateRoles(client, workspaceId),
          client.invalidateQueries({ queryKey: [workspaceId, 'invitations'] }),
        ])
        notifySuccess(`Deleted the role “${role.name}”.`)
      },
    })
  }
}

type LostPermissions = ReturnType<typeof computeImpact>['revoked']

const DeletionImpact = ({
  people,
  lostPermissions,
}: {
  readonly people: number
  readonly lostPermissions: LostPermissions
}) => {
  if (people === 0) return <>No one has this role, so no one loses permissions.</>
  const removalText = `${pluralize(people, 'person loses', 'people lose')} this role immediately.`
  if (lostPermissions.length === 0)
    return <>{removalText} They keep all of its permissions through other roles.</>
  return (
    <Stack gap="xs">
      <Text size="sm">{removalText} They lose the permissions that no other role gives them:</Text>
      <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
        {lostPermissions.map(({ permission, people: affected }) => (
          <List.Item key={permission}>
            {formatPermission(permission)} ({pluralize(affected, 'person', 'people')})
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
