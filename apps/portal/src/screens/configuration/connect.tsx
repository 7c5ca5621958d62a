import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useHasPermission } from '../../api/me.ts'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import type { CreatedKey } from './api-keys/key-data.ts'
import { ConnectionStatus } from './connect/connection-status.tsx'
import { CreateKeyCard } from './connect/create-key-card.tsx'
import { Instructions } from './connect/instructions.tsx'

/** Connects a game or another program: from no key to its first request. */
export function Connect() {
  const canCreate = useHasPermission('api_keys.manage')
  return (
    <Screen
      title="Connect your game"
      description="Create a key, paste a few lines, and see the first request arrive."
    >
      {canCreate ? <ConnectContent /> : <Forbidden permission="api_keys.manage" />}
    </Screen>
  )
}

function ConnectContent() {
  const [created, setCreated] = useState<CreatedKey | null>(null)
  return (
    <Stack gap="md">
      <CreateKeyCard created={created} onCreated={setCreated} />
      <Instructions created={created} />
      {/* Another key is another wait. */}
      <ConnectionStatus key={created?.key.id} created={created} />
    </Stack>
  )
}
