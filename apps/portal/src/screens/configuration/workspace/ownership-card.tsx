import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../../../api/client.ts'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { loadOnOpen } from '../../../components/load-on-open.tsx'
import { useOpenFromUrl } from '../../../components/use-open-from-url.ts'
import { workspaceQuery } from './workspace-data.ts'

const TransferDialog = loadOnOpen(
  async () => (await import('./transfer-dialog.tsx')).TransferDialog,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)

/** The owner of the workspace, and the button that transfers ownership. */
export function OwnershipCard() {
  const { id, isOwner, isArchived } = useWorkspace()
  const canViewMembers = useHasPermission('members.view')
  const { data: workspace } = useQuery(workspaceQuery(id))
  const { data: owner } = useQuery({
    queryKey: [id, 'members', workspace?.ownerId],
    enabled: canViewMembers && !isOwner && workspace !== undefined,
    queryFn: async () => {
      const query = { workspaceId: id, accountId: workspace?.ownerId ?? '' }
      const response = await unwrap(api.GET('/portal/api/members', { params: { query } }))
      return (response as { readonly member: PortalSchemas['Member'] }).member
    },
  })
  const [isOpen, dialog] = useDisclosure(false)
  useOpenFromUrl(null, { transfer: isOwner && !isArchived ? dialog.open : null })
  if (!isOwner) {
    return owner ? (
      <Card title="Ownership">
        <Text size="sm">
          <bdi>{owner.username}</bdi> owns this workspace and has all permissions.
        </Text>
      </Card>
    ) : null
  }
  return (
    <Card title="Ownership">
      <Text size="sm" c="dimmed">
        You own this workspace: you have all permissions, and no one can remove you.{' '}
        {isArchived
          ? 'To transfer ownership, restore the workspace first.'
          : 'You can transfer ownership to another member.'}
      </Text>
      <Group mt="md">
        <WriteGuard endpoint={null}>
          <Button variant="light" color="red" onClick={dialog.open}>
            Transfer ownership…
          </Button>
        </WriteGuard>
      </Group>
      <TransferDialog isOpen={isOpen} close={dialog.close} />
    </Card>
  )
}
