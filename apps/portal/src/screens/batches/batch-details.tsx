import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { openReasonDialog } from '../moderation/reason-dialog.tsx'
import {
  type Batch,
  type BatchStart,
  batchQuery,
  describeBatch,
  formatCounts,
  formatState,
  leftAloneQuery,
  resultsQuery,
  submitBatch,
  toPercent,
} from './batch-data.ts'
import { ResultTable } from './result-table.tsx'

interface Props {
  readonly onOpen: (id: string) => void
  /** Opens the form for these targets. */
  readonly actOn: (start: BatchStart) => void
}

/** A batch: its progress, what became of each target, and its reversal. */
export function BatchDetails({ id, onOpen, actOn }: Props & { readonly id: string }) {
  const { id: workspaceId } = useWorkspace()
  const batch = useQuery(batchQuery(workspaceId, id))
  const isFinished = batch.data !== undefined && batch.data.finishedAt !== null
  useEffect(() => {
    if (isFinished)
      void queryClient.invalidateQueries({ queryKey: resultsQuery(workspaceId, id).queryKey, exact: true })
  }, [isFinished, workspaceId, id])
  if (batch.isPending) return <LoadingRows />
  if (!batch.data) return <ErrorState error={batch.error} retry={() => void batch.refetch()} />
  return (
    <Stack gap="md">
      <Summary batch={batch.data} onOpen={onOpen} actOn={actOn} />
      <Results id={id} />
    </Stack>
  )
}

function Summary({ batch, onOpen, actOn }: Props & { readonly batch: Batch }) {
  const { id: workspaceId } = useWorkspace()
  const isRunning = batch.finishedAt === null
  const percent = toPercent(batch)
  const reverse = () =>
    openReasonDialog({
      title: 'Reverse this batch?',
      children: `Cases that it created are revoked, and what it changed, lifted or replaced comes back. What somebody has changed since is left alone, and the results say so.${batch.kind === 'undo' ? ' Files that the undo removed do not come back.' : ''}`,
      submitLabel: 'Reverse the batch',
      isDestructive: true,
      run: async (reason) => {
        onOpen((await submitBatch(workspaceId, { action: 'reverse', id: batch.id, reason })).id)
        notifySuccess('Started the reversal.')
      },
    })
  const cancel = () =>
    openConfirmDialog({
      title: 'Cancel this batch?',
      children: 'What is done stays done. You can reverse it afterwards.',
      confirmLabel: 'Stop the batch',
      cancelLabel: 'Keep running',
      run: async () => {
        await submitBatch(workspaceId, { action: 'cancel', id: batch.id })
      },
    })
  const hasFailures = !isRunning && batch.kind === 'actions' && batch.failed !== '0'
  const { data: leftAlone } = useQuery({ ...leftAloneQuery(workspaceId, batch), enabled: hasFailures })
  return (
    <Stack gap="xs">
      <Text fw={600}>{describeBatch(batch)}</Text>
      <Text size="sm" role="status">
        {formatState(batch)}: {formatCounts(batch)}
      </Text>
      {isRunning ? (
        <Progress.Root
          role="progressbar"
          aria-label="Progress of the batch"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <Progress.Section value={percent} withAria={false} />
        </Progress.Root>
      ) : null}
      {batch.error === null ? null : (
        <Text size="sm" c="red">
          {batch.error}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        by <bdi>{formatActorName(batch.createdByUsername)}</bdi>, <FormattedTime value={batch.createdAt} />
      </Text>
      <Group gap="sm">
        {isRunning ? (
          <Button variant="default" onClick={cancel}>
            Cancel the batch
          </Button>
        ) : batch.reversedBy === null && batch.succeeded !== '0' ? (
          <Button variant="default" onClick={reverse}>
            Reverse…
          </Button>
        ) : null}
        {leftAlone && leftAlone.userIds.length > 0 ? (
          <Button variant="default" onClick={() => actOn(leftAlone)}>
            Act on those left alone…
          </Button>
        ) : null}
      </Group>
    </Stack>
  )
}

function Results({ id }: { readonly id: string }) {
  const { id: workspaceId } = useWorkspace()
  const pages = useInfiniteQuery(resultsQuery(workspaceId, id))
  const results = pages.data?.pages.flatMap((page) => page.results) ?? []
  if (pages.isPending) return <LoadingRows />
  return (
    <>
      <ResultTable label="Results" results={results} />
      <LoadMore pages={pages} label="Results" progress={undefined} />
    </>
  )
}
