import { List, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, take } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { confirm } from '../../components/confirm.tsx'
import { permissionWords } from '../../components/permission-words.ts'
import { tellDone } from '../../components/tell.tsx'
import { count } from '../../format/number.ts'
import { outcomeOf } from './effect.ts'
import { type Holding, holdersOf, type Role, rolesKey } from './role-data.ts'

const none: ReadonlySet<never> = new Set()

/** Asks before a role is deleted, with what everybody loses who holds it. */
export function useDeleteRole(roles: readonly Role[], holdings: readonly Holding[]) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return (role: Role) => {
    const gone = new Map([[role.id, { gives: none, takes: role.permissions }]])
    const lost = outcomeOf(roles, gone, holdings).takes.filter(({ people }) => people > 0)
    confirm({
      title: `Delete the role “${role.name}”?`,
      children: <Loss people={holdersOf(role.id, holdings)} lost={lost} />,
      action: 'Delete the role',
      isDestructive: true,
      run: async () => {
        await take(
          api.DELETE('/portal/api/roles', {
            params: { query: { workspaceId, id: role.id } },
            headers: ifMatch(role.version),
          }),
        )
        await Promise.all([
          client.invalidateQueries({ queryKey: rolesKey(workspaceId) }),
          client.invalidateQueries({ queryKey: [workspaceId, 'members'] }),
          client.invalidateQueries({ queryKey: [workspaceId, 'invitations'] }),
        ])
        tellDone(`Deleted the role “${role.name}”.`)
      },
    })
  }
}

type Lost = ReturnType<typeof outcomeOf>['takes']

const Loss = ({ people, lost }: { readonly people: number; readonly lost: Lost }) => {
  if (people === 0) return <>Nobody holds it, so nobody loses anything.</>
  const taken = `It is taken from ${count(people, 'person', 'people')} at once.`
  if (lost.length === 0) return <>{taken} All that it gives they have by another role too.</>
  return (
    <Stack gap="xs">
      <Text size="sm">{taken} What no other role gives them is lost:</Text>
      <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
        {lost.map(({ permission, people: losing }) => (
          <List.Item key={permission}>
            {permissionWords(permission)} ({count(losing, 'person', 'people')})
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
