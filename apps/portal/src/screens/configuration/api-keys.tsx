import { Button, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { oneOf } from '../../app/filter-parsers.ts'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import { ActiveKeys } from './api-keys/active-keys.tsx'
import { ConnectionDetails } from './api-keys/connection-details.tsx'
import { CreatedKeyDialog } from './api-keys/created-key-dialog.tsx'
import { InactiveKeys } from './api-keys/inactive-keys.tsx'
import { activeKeysQuery, type CreatedKey } from './api-keys/key-data.ts'

const KeyForm = loadOnOpen(
  async () => (await import('./api-keys/key-form.tsx')).KeyForm,
  ({ opened }) => opened,
  ({ close }) => close(),
)

const filterParsers = { show: oneOf('ended') }

/** Reads what the screen shows first. */
export const earlyReads: { readonly ApiKeys: ReadScreen } = {
  ApiKeys: ({ client, params: { workspaceId } }) => [client.prefetchQuery(activeKeysQuery(workspaceId))],
}

/** The API keys of a workspace. */
export function ApiKeys() {
  if (useHasPermission('api_keys.manage')) return <ApiKeysContent />
  return (
    <Screen title="API keys">
      <Forbidden permission="api_keys.manage" />
    </Screen>
  )
}

function ApiKeysContent() {
  const canCreate = useHasPermission('api_keys.manage')
  const [{ show }, setFilters] = useFilters(filterParsers)
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey | null>(null)
  // Below the keys, whose number is unknown while they load.
  const { isPending } = useQuery(activeKeysQuery(useWorkspace().id))
  const isListPending = isPending && show !== 'ended'
  const openForm = canCreate ? () => setIsCreating(true) : undefined
  useOpenFromUrl(null, { new: openForm ?? null })
  return (
    <Screen
      title="API keys"
      description="Keys let programs use the API: game servers, bots, your website."
      actions={
        openForm ? (
          <WriteGuard endpoint={null}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={openForm}>
              New key
            </Button>
          </WriteGuard>
        ) : null
      }
    >
      <Stack gap="md">
        <SegmentedControl
          aria-label="Key status"
          value={show ?? 'live'}
          onChange={(value) => setFilters({ show: value === 'ended' ? value : undefined })}
          data={[
            { value: 'live', label: 'Active' },
            { value: 'ended', label: 'Revoked or expired' },
          ]}
          w="fit-content"
        />
        {show === 'ended' ? <InactiveKeys /> : <ActiveKeys openForm={openForm} onCreated={setCreated} />}
        {isListPending ? null : <ConnectionDetails />}
      </Stack>
      <KeyForm
        opened={isCreating}
        close={() => setIsCreating(false)}
        onCreated={(key) => {
          setIsCreating(false)
          setCreated(key)
        }}
      />
      <CreatedKeyDialog created={created} close={() => setCreated(null)} />
    </Screen>
  )
}
