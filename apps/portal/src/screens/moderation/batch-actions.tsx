import { Button } from '@mantine/core'
import { MAX_BATCH_TARGETS } from '@reeve/core'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { keepBatchTargets, type SelectedCase } from '../../app/batch-targets.ts'
import { formatNumber, pluralize } from '../../format/number.ts'

/** Selected cases, by their ids. */
export type Selection = ReadonlyMap<string, SelectedCase>

const createSelection = (cases: readonly SelectedCase[]): Selection =>
  new Map(cases.map((one) => [one.recordId, one]))

interface Props {
  /** The selected cases; null while nothing can be selected. */
  readonly selected: Selection | null
  readonly setSelected: (selected: Selection | null) => void
  /** The cases that are loaded. */
  readonly listed: readonly SelectedCase[]
  /** Whose cases are listed, if the list has this filter. */
  readonly actorId: string | undefined
}

/** Buttons above a list of cases: selects some to act on them together, or undoes what their moderator did. */
export function BatchActions({ selected, setSelected, listed, actorId }: Props) {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const openBatches = (search: Record<string, string>) =>
    void navigate({ to: `/w/${workspaceId}/batches`, search: search as never })
  if (selected === null) {
    return (
      <>
        <Button variant="default" size="xs" onClick={() => setSelected(createSelection([]))}>
          Select cases
        </Button>
        {actorId === undefined ? null : (
          <Button variant="default" size="xs" onClick={() => openBatches({ new: 'undo', actor: actorId })}>
            Undo what they did…
          </Button>
        )}
      </>
    )
  }
  const listedIds = new Set(listed.map(({ recordId }) => recordId))
  // Another filter hides selected cases, and so does somebody who lifts a ban of the list.
  const hiddenCount = [...selected.keys()].filter((id) => !listedIds.has(id)).length
  return (
    <>
      <Button
        size="xs"
        disabled={selected.size === 0 || selected.size > MAX_BATCH_TARGETS}
        onClick={() => {
          keepBatchTargets(workspaceId, [...selected.values()])
          openBatches({ new: 'action' })
        }}
      >
        Act on {pluralize(selected.size, 'case')}
        {hiddenCount === 0 ? '' : ` (${formatNumber(hiddenCount)} not shown)`}…
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={listed.length === 0}
        onClick={() => setSelected(createSelection(listed.slice(0, MAX_BATCH_TARGETS)))}
      >
        Select all that are loaded
      </Button>
      <Button variant="default" size="xs" onClick={() => setSelected(null)}>
        Cancel
      </Button>
    </>
  )
}
