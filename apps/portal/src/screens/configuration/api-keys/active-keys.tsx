import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { RowList } from '../../../components/row-list.tsx'
import { useHashTarget } from '../../../components/use-hash-target.ts'
import { type ApiKey, activeKeysQuery, type CreatedKey } from './key-data.ts'
import { KeyRow } from './key-row.tsx'
import { RotateKey } from './rotate-key.tsx'
import { useConfirm, useRevoke } from './use-revoke.tsx'

interface Props {
  /** Opens the form for a new key; undefined without permission. */
  readonly openForm: (() => void) | undefined
  readonly onCreated: (created: CreatedKey) => void
}

/** The active keys of the workspace. */
export function ActiveKeys({ openForm, onCreated }: Props) {
  const { id } = useWorkspace()
  const keys = useQuery(activeKeysQuery(id))
  useHashTarget(keys.data !== undefined)
  const revoke = useRevoke()
  const confirm = useConfirm()
  const [keyToRotate, setKeyToRotate] = useState<ApiKey | null>(null)
  if (keys.isError && !keys.data) return <ErrorState error={keys.error} retry={() => void keys.refetch()} />
  if (!keys.data) return <LoadingRows rows={3} height={84} />
  if (keys.data.length === 0) return <EmptyKeys openForm={openForm} />
  return (
    <>
      <RowList label="Active keys" rows={keys.data} rowKey={({ id: key }) => key}>
        {(key) => <KeyRow apiKey={key} rotate={setKeyToRotate} revoke={revoke} confirm={confirm} />}
      </RowList>
      <RotateKey
        apiKey={keyToRotate}
        close={() => setKeyToRotate(null)}
        onCreated={(created) => {
          setKeyToRotate(null)
          onCreated(created)
        }}
      />
    </>
  )
}

const EmptyKeys = ({ openForm }: Pick<Props, 'openForm'>) => (
  <EmptyState
    icon={IconKey}
    title="No API keys yet"
    action={
      openForm ? (
        <WriteGuard endpoint={null}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={openForm}>
            Create your first key
          </Button>
        </WriteGuard>
      ) : null
    }
  >
    A key gives a program access to this workspace, such as a game server that checks whether a joining player
    is banned, or a chat bot for moderators. Create one key for each program, so that you can revoke them
    separately.
  </EmptyState>
)
