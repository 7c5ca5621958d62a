import { Select } from '@mantine/core'
import { useMe, useWorkspace } from '../../../api/me.ts'
import { useActorNames } from '../queries.ts'

interface Props {
  readonly value: string | null
  readonly apply: (id: string | undefined) => void
}

/** Offers recent actors, with the current user first. */
export function ActorFilter({ value, apply }: Props) {
  const { id: workspaceId } = useWorkspace()
  const me = useMe()
  const recentActors = useActorNames(workspaceId)
  const selectedActor = useActorNames(workspaceId, value === null || value === me.id ? [] : [value])
  const actors = new Map([...recentActors, ...selectedActor, [me.id, `${me.username} (you)`]])
  if (value !== null && !actors.has(value)) actors.set(value, value)
  const data = [...actors].map(([id, label]) => ({ value: id, label }))
  data.sort((a, b) => Number(b.value === me.id) - Number(a.value === me.id))
  return (
    <Select
      label="Recorded by"
      placeholder="Anyone"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Anyone' }}
      nothingFoundMessage="No matches"
      data={data}
      value={value}
      onChange={(id) => apply(id ?? undefined)}
    />
  )
}
