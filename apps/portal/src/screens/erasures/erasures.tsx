import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { ReadGate } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { pluralize } from '../../format/number.ts'
import { type Erasure, erasuresQuery } from './erasure-data.ts'
import { ErasureRemains } from './remains.tsx'

/** The players that were erased on request, without telling which, and what is left to do about each. */
export function Erasures() {
  const canErase = useHasPermission('moderation.erase')
  return (
    <Screen
      title="Erasures"
      description="Players who were erased on request, and what still contains them. Nothing here tells which player it was."
    >
      {canErase ? (
        <ReadGate endpoint="moderation">
          <ErasureList />
        </ReadGate>
      ) : (
        <Forbidden permission="moderation.erase" />
      )}
    </Screen>
  )
}

function ErasureList() {
  const { id: workspaceId } = useWorkspace()
  const pages = useInfiniteQuery(erasuresQuery(workspaceId))
  return (
    <DataList
      pages={pages}
      label="Erasures"
      rows={(page) => page.erasures}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconEraser} title="No player was erased">
          To erase one, open the player and choose “Erase…” in the menu of their page.
        </EmptyState>
      }
    >
      {(erasure) => <ErasureRow erasure={erasure} />}
    </DataList>
  )
}

const titles = { erase: 'A player was erased', pseudonymise: 'A player was put under a pseudonym' } as const

function ErasureRow({ erasure }: { readonly erasure: Erasure }) {
  const { mode, state, reason, records, appeals, createdAt, finishedAt } = erasure
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text fw={550}>{state === 'succeeded' ? titles[mode] : 'A player is being erased'}</Text>
        {state === 'succeeded' ? null : <Badge variant="light">In progress</Badge>}
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{reason}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        {pluralize(Number(records), 'case')}, {pluralize(Number(appeals), 'appeal')} ·{' '}
        <FormattedTime value={finishedAt ?? createdAt} />
      </Text>
      {state === 'succeeded' ? <ErasureRemains erasure={erasure} /> : null}
    </Stack>
  )
}
