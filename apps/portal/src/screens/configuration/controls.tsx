import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { RowList } from '../../components/row-list.tsx'
import { Screen } from '../../components/screen.tsx'
import { useCanEdit } from '../../components/use-can-edit.ts'
import { controlsQuery } from './controls/control-data.ts'
import { ControlRow } from './controls/control-row.tsx'
import type { SwitchableControl } from './controls/switch-form.tsx'

const SwitchForm = loadOnOpen(
  async () => (await import('./controls/switch-form.tsx')).SwitchForm,
  ({ control }) => control !== null,
  ({ close }) => close(),
)

/** Reads what the screen shows first. */
export const earlyReads: { readonly Controls: ReadScreen } = {
  Controls: ({ client, params: { workspaceId } }) => [client.prefetchQuery(controlsQuery(workspaceId))],
}

/** The mode of each API endpoint. */
export function Controls() {
  if (useHasPermission('endpoint_controls.view')) return <ControlsContent />
  return (
    <Screen title="Endpoint controls">
      <Forbidden permission="endpoint_controls.view" />
    </Screen>
  )
}

function ControlsContent() {
  const { id, isArchived } = useWorkspace()
  const canChange = useCanEdit('endpoint_controls.manage')
  const controls = useQuery(controlsQuery(id))
  const [editedControl, setEditedControl] = useState<SwitchableControl | null>(null)

  const renderBody = () => {
    if (controls.isError && !controls.data)
      return <ErrorState error={controls.error} retry={() => void controls.refetch()} />
    if (!controls.data) return <LoadingRows rows={6} height={84} />
    return (
      <RowList label="Endpoints" rows={controls.data} rowKey={({ endpoint }) => endpoint}>
        {(control) => <ControlRow control={control} change={canChange ? setEditedControl : undefined} />}
      </RowList>
    )
  }
  return (
    <Screen
      title="Endpoint controls"
      description={
        <>
          Set each API endpoint of this workspace to on, read-only or off. A change applies immediately to all
          programs and to this portal, which uses the same endpoints.{' '}
          <Anchor href="/docs" target="_blank" underline="always" inherit>
            API reference
          </Anchor>
        </>
      }
    >
      {canChange || isArchived ? null : (
        <Text size="sm" c="dimmed" mb="sm">
          You can view these settings but not change them.
        </Text>
      )}
      {renderBody()}
      <SwitchForm control={editedControl} close={() => setEditedControl(null)} />
    </Screen>
  )
}
