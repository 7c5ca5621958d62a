import { Alert, Button, Text } from '@mantine/core'
import { IconCircleCheck, IconClock, IconHourglass, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { type ApiKey, activeKeysQuery, type CreatedKey } from '../api-keys/key-data.ts'

/** The use of a key sends no live update. */
const POLL_INTERVAL_MS = 2000
/** How long the page asks by itself, so that a forgotten one does not keep its session alive. */
const WATCH_MS = 15 * 60_000

interface LineProps {
  readonly color: 'gray' | 'green'
  readonly icon: ReactNode
  readonly children: ReactNode
}

const Line = ({ color, icon, children }: LineProps) => (
  <Alert role="status" color={color} icon={icon}>
    <Text size="sm" component="div">
      {children}
    </Text>
  </Alert>
)

/** The third step: whether a request with the key has arrived. */
export const ConnectionStatus = ({ created }: { readonly created: CreatedKey | null }) => (
  <Card title="3. Wait for the first request">
    {created ? (
      <Watch keyId={created.key.id} />
    ) : (
      <Line color="gray" icon={<IconKey size={18} aria-hidden />}>
        Create a key first.
      </Line>
    )}
  </Card>
)

function Watch({ keyId }: { readonly keyId: string }) {
  const { id } = useWorkspace()
  const [isWatching, setIsWatching] = useState(true)
  useEffect(() => {
    if (!isWatching) return
    const timer = setTimeout(() => setIsWatching(false), WATCH_MS)
    return () => clearTimeout(timer)
  }, [isWatching])
  const findKey = (keys: readonly ApiKey[] | undefined) => keys?.find((key) => key.id === keyId)
  const { data: keys } = useQuery({
    ...activeKeysQuery(id),
    refetchInterval: ({ state: { data } }) =>
      isWatching && !findKey(data)?.lastUsedAt ? POLL_INTERVAL_MS : false,
  })
  const key = findKey(keys)
  if (key?.lastUsedAt) {
    return (
      <Line color="green" icon={<IconCircleCheck size={18} aria-hidden />}>
        Connected. The last request with this key arrived <FormattedTime value={key.lastUsedAt} />
        {key.lastUsedAddress ? <> from {key.lastUsedAddress}</> : null}.
      </Line>
    )
  }
  if (!isWatching) {
    return (
      <Line color="gray" icon={<IconClock size={18} aria-hidden />}>
        No request has arrived yet.{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWatching(true)}>
          Keep waiting
        </Button>
      </Line>
    )
  }
  return (
    <Line color="gray" icon={<IconHourglass size={18} aria-hidden />}>
      Waiting for the first request with this key. This line becomes green when it arrives.
    </Line>
  )
}
