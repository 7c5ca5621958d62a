import { IconStairsUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/me.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { RowList } from '../../components/row-list.tsx'
import { type Ladder, laddersQuery } from '../moderation/templates/queries.ts'
import { LadderRow } from './ladder-row.tsx'
import type { ListProps } from './list-props.ts'

/** The ladders of a workspace, by name. */
export function LadderList({ canChange, edit }: ListProps<Ladder>) {
  const ladders = useQuery(laddersQuery(useWorkspace().id))
  if (!ladders.data)
    return ladders.isPending ? (
      <LoadingRows height={120} />
    ) : (
      <ErrorState error={ladders.error} retry={() => void ladders.refetch()} />
    )
  if (ladders.data.length === 0)
    return (
      <EmptyState icon={IconStairsUp} title="No ladders yet">
        A ladder says what follows a player’s first case, the second, the third… Every template of the ladder
        counts towards it.
        {canChange ? '' : ' Anyone who can edit reasons can create one.'}
      </EmptyState>
    )
  return (
    <RowList label="Ladders" rows={ladders.data} rowKey={({ id }) => id}>
      {(ladder) => <LadderRow ladder={ladder} canChange={canChange} edit={() => edit(ladder)} />}
    </RowList>
  )
}
