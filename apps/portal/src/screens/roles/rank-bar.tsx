import { Button } from '@mantine/core'
import { pluralize } from '../../format/number.ts'
import { countMembers, type RoleCombination } from './queries.ts'
import { UnsavedBar } from './unsaved-bar.tsx'
import type { RankOrder } from './use-rank-order.ts'

interface Props {
  readonly rankOrder: RankOrder
  readonly roleCombinations: readonly RoleCombination[]
}

/** The unsaved ranks, each in a sentence. */
export const RankBar = ({ rankOrder, roleCombinations }: Props) =>
  rankOrder.moves.length === 0 ? null : (
    <UnsavedBar
      label="Unsaved ranks"
      title={pluralize(rankOrder.moves.length, 'rank changes', 'ranks change')}
      alert={rankOrder.alert}
      discard={rankOrder.discard}
      saveButton={
        <Button onClick={() => void rankOrder.save()} loading={rankOrder.isBusy}>
          Save ranks
        </Button>
      }
    >
      {rankOrder.moves.map(({ role, rank, position }) => (
        <div key={role.id}>
          <bdi>{role.name}</bdi> ({pluralize(countMembers(role.id, roleCombinations), 'member')}) moves from
          rank {role.rank} to {rank}: {position || 'the only role besides the owner’s'}.
        </div>
      ))}
    </UnsavedBar>
  )
