import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { useMayChange } from '../../components/permission-gate.tsx'
import { RowList } from '../../components/row-list.tsx'
import { Screen } from '../../components/screen.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { controlsQuery } from './controls/control-data.ts'
import { ControlRow } from './controls/control-row.tsx'
import { type Switchable, SwitchForm } from './controls/switch-form.tsx'

/** Which endpoints answer, and the switches. */
export function Controls() {
  if (useMay('endpoint_controls.view')) return <KnownControls />
  return (
    <Screen title="Endpoint controls">
      <NotForYou permission="endpoint_controls.view" />
    </Screen>
  )
}

function KnownControls() {
  const { id, isArchived } = useWorkspace()
  const mayChange = useMayChange('endpoint_controls.manage')
  const controls = useQuery(controlsQuery(id))
  const [switched, setSwitched] = useState<Switchable | null>(null)

  const body = () => {
    if (controls.isError && !controls.data)
      return <ErrorState error={controls.error} retry={() => void controls.refetch()} />
    if (!controls.data) return <LoadingRows rows={6} height={84} />
    return (
      <RowList label="Endpoints" rows={controls.data} rowKey={({ endpoint }) => endpoint}>
        {(control) => <ControlRow control={control} change={mayChange ? setSwitched : undefined} />}
      </RowList>
    )
  }
  return (
    <Screen
      title="Endpoint controls"
      description={
        <>
          What the API answers in this workspace. A switch holds for everybody from the next call on: for
          programs, and for the pages here, which make the same calls.{' '}
          <Anchor href="/docs" target="_blank" underline="always" inherit>
            API reference
          </Anchor>
        </>
      }
    >
      {mayChange || isArchived ? null : (
        <Text size="sm" c="dimmed" mb="sm">
          Your roles let you see the switches, not use them.
        </Text>
      )}
      {body()}
      <SwitchForm control={switched} close={() => setSwitched(null)} />
    </Screen>
  )
}
