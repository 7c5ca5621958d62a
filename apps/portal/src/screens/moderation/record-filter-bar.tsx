import { Button, Group, Select, TextInput } from '@mantine/core'
import { recordStatuses, severities } from '@reeve/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe, useWorkspace } from '../../api/me.ts'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { toLabel } from './action-labels.ts'
import { parsePlayerIds } from './player/player-lookup.ts'
import { type RecordFilters, useActorNames } from './queries.ts'
import classes from './record-filter-bar.module.css'

type Filter = 'userId' | 'actorUserId' | 'severity' | 'status'

interface Props {
  readonly filters: Pick<RecordFilters, Filter>
  readonly setFilters: (change: { readonly [Name in Filter]?: string | undefined }) => void
  readonly hasStatus: boolean
}

const options = (values: readonly string[]) => values.map((value) => ({ value, label: toLabel(value) }))

/** The filters of a record list. */
export function RecordFilterBar({ filters, setFilters, hasStatus }: Props) {
  const { userId, actorUserId, severity, status } = filters
  const clear = () =>
    setFilters({ userId: undefined, actorUserId: undefined, severity: undefined, status: undefined })
  return (
    <Group gap="sm" mb="md" align="flex-start" className={classes.filters} role="group" aria-label="Filters">
      <PlayerFilter key={userId ?? ''} userId={userId ?? ''} apply={(ids) => setFilters({ userId: ids })} />
      <ActorFilter value={actorUserId ?? null} apply={(id) => setFilters({ actorUserId: id })} />
      <Select
        label="Severity"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Any severity' }}
        data={options(severities)}
        value={severity ?? null}
        onChange={(value) => setFilters({ severity: value ?? undefined })}
      />
      {hasStatus ? (
        <Select
          label="Status"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          data={options(recordStatuses)}
          value={status ?? null}
          onChange={(value) => setFilters({ status: value ?? undefined })}
        />
      ) : null}
      {Object.keys(filters).length > 0 ? (
        <Button
          variant="subtle"
          color="gray"
          onClick={clear}
          leftSection={<IconX size={14} aria-hidden />}
          className={classes.clear}
        >
          Clear filters
        </Button>
      ) : null}
    </Group>
  )
}

/** Applied on blur or Enter, since ids match only in full. */
function PlayerFilter(props: { readonly userId: string; readonly apply: (ids: string | undefined) => void }) {
  const { userId, apply } = props
  const [text, setText] = useState(userId)
  const [isInvalid, setIsInvalid] = useState(false)
  const applyText = () => {
    const trimmed = text.trim()
    const ids = trimmed === '' ? [] : parsePlayerIds(trimmed)
    setIsInvalid(ids === null)
    if (ids !== null && trimmed !== userId) apply(ids.join(',') || undefined)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        applyText()
      }}
    >
      <TextInput
        {...plainTextProps}
        label="Player ID"
        placeholder="Any"
        autoComplete="off"
        error={isInvalid ? 'Invalid player ID. Separate several IDs with commas.' : null}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={applyText}
      />
    </form>
  )
}

/** Offers recent actors, with the current user first. */
function ActorFilter(props: {
  readonly value: string | null
  readonly apply: (id: string | undefined) => void
}) {
  const { value, apply } = props
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
