import { Button, Select, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { useMemberSearch } from '../../components/use-member-search.ts'
import { actionGroups } from './action-labels.ts'
import classes from './audit.module.css'
import type { AuditFilters } from './audit-data.ts'

interface Props {
  readonly filters: AuditFilters
  readonly setFilters: (change: Partial<Record<keyof AuditFilters, string | undefined>>) => void
  /** The name of whoever the log is narrowed down to, where it is known. */
  readonly actorName: string | undefined
}

/** Who, what, when, and which record. */
export function Filters({ filters, setFilters, actorName }: Props) {
  const { who, what, record, from, to } = filters
  const isFiltered = Object.keys(filters).length > 0
  return (
    <search className={classes.filters} aria-label="Filters of the audit log">
      <ActorFilter actorId={who} actorName={actorName} onSelect={(value) => setFilters({ who: value })} />
      <Select
        label="What was done"
        placeholder="Anything"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Anything that was done' }}
        nothingFoundMessage="Nothing is called that"
        data={actionGroups.map(({ title, actions }) => ({
          group: title,
          items: actions.map(({ action, label }) => ({ value: action, label })),
        }))}
        value={what ?? null}
        onChange={(value) => setFilters({ what: value ?? undefined })}
      />
      <TextInput
        type="date"
        label="From"
        value={from ?? ''}
        max={to}
        onChange={(event) => setFilters({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To"
        value={to ?? ''}
        min={from}
        onChange={(event) => setFilters({ to: event.currentTarget.value })}
      />
      <RecordFilter key={record} recordId={record} onSelect={(value) => setFilters({ record: value })} />
      {isFiltered ? (
        <Button
          variant="default"
          className={classes.clear ?? ''}
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() =>
            setFilters({ who: undefined, what: undefined, record: undefined, from: undefined, to: undefined })
          }
        >
          Clear the filters
        </Button>
      ) : null}
    </search>
  )
}

interface ActorFilterProps {
  readonly actorId: string | undefined
  readonly actorName: string | undefined
  readonly onSelect: (actorId: string | undefined) => void
}

function ActorFilter({ actorId, actorName, onSelect }: ActorFilterProps) {
  const { id: workspaceId } = useWorkspace()
  const [searchText, setSearchText] = useState('')
  const members = useMemberSearch(
    workspaceId,
    searchText === actorName ? '' : searchText,
    useHasPermission('members.view'),
  )
  const { data: keys } = useQuery({
    queryKey: [workspaceId, 'api-keys', 'names'],
    enabled: useHasPermission('api_keys.manage'),
    queryFn: async () => {
      const response = await unwrap(api.GET('/portal/api/api-keys', { params: { query: { workspaceId } } }))
      return response.apiKeys
    },
  })
  const memberOptions = members.map(({ accountId, username }) => ({ value: accountId, label: username }))
  const keyOptions = (keys ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isListed = [...memberOptions, ...keyOptions].some(({ value }) => value === actorId)
  const selectedOption =
    actorId === undefined || isListed ? [] : [{ value: actorId, label: actorName ?? actorId }]
  return (
    <Select
      label="Who did it"
      placeholder="Anybody"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Anybody who did it' }}
      nothingFoundMessage="Nobody here is called that"
      data={[
        ...selectedOption,
        { group: 'People', items: memberOptions },
        { group: 'API keys', items: keyOptions },
      ]}
      value={actorId ?? null}
      onSearchChange={setSearchText}
      onChange={(value) => onSelect(value ?? undefined)}
    />
  )
}

interface RecordFilterProps {
  readonly recordId: string | undefined
  readonly onSelect: (recordId: string | undefined) => void
}

/** Taken at once when it is pasted, else when it is typed to its end. */
function RecordFilter({ recordId, onSelect }: RecordFilterProps) {
  const [text, setText] = useState(recordId ?? '')
  const apply = () => onSelect(text.trim() || undefined)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <TextInput
        label="Which record"
        placeholder="Its id"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  )
}
