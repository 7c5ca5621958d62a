import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { RowList } from '../../../components/row-list.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../components/states.tsx'
import { type ApiKey, type FreshKey, liveKeysQuery } from './key-data.ts'
import { KeyRow } from './key-row.tsx'
import { RotateKey } from './rotate-key.tsx'
import { useRevoke } from './use-revoke.tsx'

interface Props {
  /** Opens the form for a new one; absent where none can be made. */
  readonly make: (() => void) | undefined
  readonly made: (fresh: FreshKey) => void
}

/** The keys that work. */
export function LiveKeys({ make, made }: Props) {
  const { id } = useWorkspace()
  const keys = useQuery(liveKeysQuery(id))
  const revoke = useRevoke()
  const [rotated, setRotated] = useState<ApiKey | null>(null)
  if (keys.isError && !keys.data) return <ErrorState error={keys.error} retry={() => void keys.refetch()} />
  if (!keys.data) return <LoadingRows rows={3} height={84} />
  if (keys.data.length === 0) return <NoKeys make={make} />
  return (
    <>
      <RowList label="Keys in use" rows={keys.data} rowKey={({ id: key }) => key}>
        {(key) => <KeyRow apiKey={key} rotate={setRotated} revoke={revoke} />}
      </RowList>
      <RotateKey
        apiKey={rotated}
        close={() => setRotated(null)}
        made={(fresh) => {
          setRotated(null)
          made(fresh)
        }}
      />
    </>
  )
}

const NoKeys = ({ make }: Pick<Props, 'make'>) => (
  <EmptyState
    icon={IconKey}
    title="No API keys yet"
    action={
      make ? (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={make}>
          Make the first key
        </Button>
      ) : null
    }
  >
    A key lets a program work here: a game server that asks whether a player who joins is banned, or a chat
    bot that staff moderate by. Make one for each, so that each can be ended by itself.
  </EmptyState>
)
