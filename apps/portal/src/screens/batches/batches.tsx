import { Anchor, Stack, Tabs, Text } from '@mantine/core'
import { MAX_BATCH_TARGETS } from '@reeve/core'
import { IconStack2 } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { forgetBatchTargets, getBatchTargets } from '../../app/batch-targets.ts'
import { anyText, oneOf } from '../../app/filter-parsers.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { Card } from '../../components/card.tsx'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { ReadGate } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { actorNamesQuery } from '../moderation/queries.ts'
import { ActionBatchForm } from './action-batch-form.tsx'
import {
  type Batch,
  type BatchStart,
  batchesQuery,
  describeBatch,
  formatCounts,
  formatState,
  recentChangersQuery,
} from './batch-data.ts'
import { BatchDetails } from './batch-details.tsx'
import { UndoForm } from './batch-form.tsx'

const parsers = { batch: anyText, new: oneOf('action', 'undo'), actor: anyText, since: anyText }

/** Actions on many players or cases, what somebody did undone, and the batches so far. */
export function Batches() {
  if (useHasPermission('moderation.bulk')) return <BatchesContent />
  return (
    <Screen title="Batches">
      <Forbidden permission="moderation.bulk" />
    </Screen>
  )
}

function BatchesContent() {
  const [filters, setFilters] = useFilters(parsers)
  const { id: workspaceId } = useWorkspace()
  const [start, setStart] = useState<BatchStart>(() => ({
    cases: getBatchTargets(workspaceId),
    userIds: [],
  }))
  useEffect(forgetBatchTargets, [])
  const actOn = (leftAlone: BatchStart) => {
    setStart(leftAlone)
    setFilters({ batch: undefined, new: 'action' })
  }
  const open = (id: string) => setFilters({ batch: id, new: undefined, actor: undefined, since: undefined })
  const tab = filters.batch === undefined ? (filters.new ?? 'list') : 'list'
  return (
    <Screen
      title="Batches"
      description={`Act on up to ${MAX_BATCH_TARGETS} players or cases at once, or undo what somebody did. A batch can be reversed as one.`}
    >
      <Tabs
        value={tab}
        onChange={(value) =>
          setFilters({ batch: undefined, new: value === 'list' ? undefined : (value ?? undefined) })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="list">All batches</Tabs.Tab>
          <Tabs.Tab value="action">Act on many</Tabs.Tab>
          <Tabs.Tab value="undo">Undo</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="list">
          <ReadGate endpoint="moderation">
            {filters.batch === undefined ? (
              <BatchList onOpen={open} />
            ) : (
              <Card title="Batch">
                <BatchDetails key={filters.batch} id={filters.batch} onOpen={open} actOn={actOn} />
              </Card>
            )}
          </ReadGate>
        </Tabs.Panel>
        <Tabs.Panel value="action">
          <ActionBatchForm start={start} onStarted={({ id }) => open(id)} />
        </Tabs.Panel>
        <Tabs.Panel value="undo">
          <Undo key={filters.actor} actorId={filters.actor ?? ''} since={filters.since ?? ''} onOpen={open} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  )
}

/** Offers who changed cases recently, and who a link names. */
function Undo(props: {
  readonly actorId: string
  readonly since: string
  readonly onOpen: (id: string) => void
}) {
  const { actorId, since, onOpen } = props
  const { id: workspaceId } = useWorkspace()
  const recent = useQuery(recentChangersQuery(workspaceId))
  const named = useQuery(actorNamesQuery(workspaceId, actorId === '' ? [] : [actorId]))
  if (recent.isPending || (actorId !== '' && named.isPending)) return null
  const actors = new Map([...(recent.data ?? []), ...(named.data ?? [])])
  return <UndoForm actors={actors} actorId={actorId} since={since} onStarted={({ id }) => onOpen(id)} />
}

function BatchList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const { id: workspaceId } = useWorkspace()
  const pages = useInfiniteQuery(batchesQuery(workspaceId))
  return (
    <DataList
      pages={pages}
      label="Batches"
      rows={(page) => page.batches}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconStack2} title="No batches yet">
          Select cases in a list of cases, or paste the IDs of players under “Act on many”.
        </EmptyState>
      }
    >
      {(batch) => <BatchRow batch={batch} onOpen={onOpen} />}
    </DataList>
  )
}

const BatchRow = ({ batch, onOpen }: { readonly batch: Batch; readonly onOpen: (id: string) => void }) => (
  <Stack gap={2}>
    <Anchor component="button" type="button" ta="left" data-tap onClick={() => onOpen(batch.id)}>
      {describeBatch(batch)}
    </Anchor>
    <Text size="sm">
      {formatState(batch)}: {formatCounts(batch)}
    </Text>
    <Text size="xs" c="dimmed">
      by <bdi>{formatActorName(batch.createdByUsername)}</bdi>, <FormattedTime value={batch.createdAt} />
    </Text>
  </Stack>
)
