import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { type ApiKey, activeKeysQuery, apiKeysKey, confirmKey, formatKeyHint, revokeKey } from './key-data.ts'
import { LastUse } from './key-row.tsx'

/** Revokes a key after confirmation. */
export function useRevoke(): (key: ApiKey) => void {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return (key) =>
    openConfirmDialog({
      title: `Revoke the key “${key.name}” (${formatKeyHint(key)})?`,
      children: (
        <>
          <Text size="sm">
            Programs that use this key lose access immediately: a game server can no longer check who is
            banned. This cannot be undone.
          </Text>
          <Text size="sm" mt="xs" fw={550}>
            <LatestUse apiKey={key} workspaceId={workspaceId} />.
          </Text>
        </>
      ),
      confirmLabel: 'Revoke key',
      isDestructive: true,
      run: async () => {
        await revokeKey(workspaceId, key)
        await client.invalidateQueries({ queryKey: apiKeysKey(workspaceId) })
        notifySuccess(`Revoked the key “${key.name}” (${formatKeyHint(key)}).`)
      },
    })
}

/** Confirms a key that a restore has brought back. It needs no question: the key works already. */
export function useConfirm(): (key: ApiKey) => void {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return (key) => {
    const run = async () => {
      await confirmKey(workspaceId, key)
      await client.invalidateQueries({ queryKey: apiKeysKey(workspaceId) })
      notifySuccess(`Confirmed the key “${key.name}” (${formatKeyHint(key)}).`)
    }
    run().catch(notifyError)
  }
}

interface LatestUseProps {
  readonly apiKey: ApiKey
  readonly workspaceId: string
}

/** The last use, refetched: the list can be outdated, and the last use shows whether something will break. */
function LatestUse({ apiKey, workspaceId }: LatestUseProps) {
  const { data } = useQuery({ ...activeKeysQuery(workspaceId), refetchOnMount: 'always' })
  return <LastUse apiKey={data?.find(({ id }) => id === apiKey.id) ?? apiKey} />
}
