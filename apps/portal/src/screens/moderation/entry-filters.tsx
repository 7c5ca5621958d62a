import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe, useWorkspace } from '../../api/me.ts'
import { plainText } from '../../forms/plain-text.ts'
import { type Asked, useNames } from './data.ts'
import classes from './entry-filters.module.css'
import { playersIn } from './player-search.ts'
import { labelOf, severities, statuses } from './words.ts'

type Filter = 'userId' | 'actorUserId' | 'severity' | 'status'

interface Props {
  readonly filters: Pick<Asked, Filter>
  readonly setFilters: (change: { readonly [Name in Filter]?: string | undefined }) => void
  readonly hasStatus: boolean
}

const options = (words: readonly string[]) => words.map((value) => ({ value, label: labelOf(value) }))

/** What a list of records is narrowed to. */
export function EntryFilters({ filters, setFilters, hasStatus }: Props) {
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
          data={options(statuses)}
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
          Clear the filters
        </Button>
      ) : null}
    </Group>
  )
}

/** Applied when it is left, or by Enter: half an id is nobody's. */
function PlayerFilter(props: { readonly userId: string; readonly apply: (ids: string | undefined) => void }) {
  const { userId, apply } = props
  const [text, setText] = useState(userId)
  const [isWrong, setIsWrong] = useState(false)
  const set = () => {
    const wanted = text.trim()
    const ids = wanted === '' ? [] : playersIn(wanted)
    setIsWrong(ids === null)
    if (ids !== null && wanted !== userId) apply(ids.join(',') || undefined)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        set()
      }}
    >
      <TextInput
        {...plainText}
        label="Player id"
        placeholder="Any"
        autoComplete="off"
        error={isWrong ? 'This is no id. Several are separated by commas.' : null}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={set}
      />
    </form>
  )
}

/** Who recorded something lately, and the reader first. */
function ActorFilter(props: {
  readonly value: string | null
  readonly apply: (id: string | undefined) => void
}) {
  const { value, apply } = props
  const { id: workspaceId } = useWorkspace()
  const me = useMe()
  const lately = useNames(workspaceId)
  const asked = useNames(workspaceId, value === null || value === me.id ? [] : [value])
  const people = new Map([...lately, ...asked, [me.id, `${me.username} (you)`]])
  if (value !== null && !people.has(value)) people.set(value, value)
  const data = [...people].map(([id, label]) => ({ value: id, label }))
  data.sort((a, b) => Number(b.value === me.id) - Number(a.value === me.id))
  return (
    <Select
      label="Recorded by"
      placeholder="Anybody"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'By anybody' }}
      nothingFoundMessage="Nobody is called that"
      data={data}
      value={value}
      onChange={(id) => apply(id ?? undefined)}
    />
  )
}
