import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { type ApiKey, activeKeysQuery, apiKeysKey, formatKeyHint, revokeKey } from './key-data.ts'
import { LastUse } from './last-use.tsx'

/** Asks before a key is ended, and ends it. */
export function useRevoke(): (key: ApiKey) => void {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return (key) =>
    openConfirmDialog({
      title: `Revoke the key “${key.name}” (${formatKeyHint(key)})?`,
      children: (
        <>
          <Text size="sm">
            Whatever uses it is refused from the next call on: a game server with it no longer learns who is
            banned. It cannot be taken back into use.
          </Text>
          <Text size="sm" mt="xs" fw={550}>
            <LatestUse apiKey={key} workspaceId={workspaceId} />.
          </Text>
        </>
      ),
      confirmLabel: 'Revoke the key',
      isDestructive: true,
      run: async () => {
        await revokeKey(workspaceId, key)
        await client.invalidateQueries({ queryKey: apiKeysKey(workspaceId) })
        notifySuccess(`Revoked the key “${key.name}” (${formatKeyHint(key)}).`)
      },
    })
}

interface LatestUseProps {
  readonly apiKey: ApiKey
  readonly workspaceId: string
}

/** The last use as it is at this moment: the list may be older, and this decides whether something breaks. */
function LatestUse({ apiKey, workspaceId }: LatestUseProps) {
  const { data } = useQuery({ ...activeKeysQuery(workspaceId), refetchOnMount: 'always' })
  return <LastUse apiKey={data?.find(({ id }) => id === apiKey.id) ?? apiKey} />
}
