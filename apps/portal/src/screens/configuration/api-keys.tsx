import { Button, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { useMayChange } from '../../components/permission-gate.tsx'
import { Screen } from '../../components/screen.tsx'
import { oneOf, useFilters } from '../../components/use-filters.ts'
import { EndedKeys } from './api-keys/ended-keys.tsx'
import { FreshKey } from './api-keys/fresh-key.tsx'
import type { FreshKey as Fresh } from './api-keys/key-data.ts'
import { KeyForm } from './api-keys/key-form.tsx'
import { LiveKeys } from './api-keys/live-keys.tsx'
import { WhereToCall } from './api-keys/where-to-call.tsx'

const readers = { show: oneOf('ended') }

/** The API keys of a workspace. */
export function ApiKeys() {
  if (useMay('api_keys.manage')) return <KnownKeys />
  return (
    <Screen title="API keys">
      <NotForYou permission="api_keys.manage" />
    </Screen>
  )
}

function KnownKeys() {
  const mayMake = useMayChange('api_keys.manage')
  const [{ show }, setFilters] = useFilters(readers)
  const [isMaking, setIsMaking] = useState(false)
  const [fresh, setFresh] = useState<Fresh | null>(null)
  const make = mayMake ? () => setIsMaking(true) : undefined
  return (
    <Screen
      title="API keys"
      description="What programs sign in with: game servers, bots, your website."
      actions={
        make ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={make}>
            New key
          </Button>
        ) : null
      }
    >
      <Stack gap="md">
        <SegmentedControl
          aria-label="Which keys"
          value={show ?? 'live'}
          onChange={(value) => setFilters({ show: value === 'ended' ? value : undefined })}
          data={[
            { value: 'live', label: 'In use' },
            { value: 'ended', label: 'Ended' },
          ]}
          w="fit-content"
        />
        {show === 'ended' ? <EndedKeys /> : <LiveKeys make={make} made={setFresh} />}
        <WhereToCall />
      </Stack>
      <KeyForm
        opened={isMaking}
        close={() => setIsMaking(false)}
        made={(made) => {
          setIsMaking(false)
          setFresh(made)
        }}
      />
      <FreshKey fresh={fresh} close={() => setFresh(null)} />
    </Screen>
  )
}
