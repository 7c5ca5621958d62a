import { Button, Select, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../../api/client.ts'
import { useMay, useWorkspace } from '../../api/me.ts'
import { useMemberSearch } from '../../components/use-member-search.ts'
import classes from './audit.module.css'
import type { AuditFilters } from './data.ts'
import { deedGroups } from './deeds.ts'

interface Props {
  readonly filters: AuditFilters
  readonly setFilters: (change: Partial<Record<keyof AuditFilters, string | undefined>>) => void
  /** The name of whoever the log is narrowed down to, where it is known. */
  readonly whoName: string | undefined
}

/** Who, what, when, and which record. */
export function Filters({ filters, setFilters, whoName }: Props) {
  const { who, what, record, from, to } = filters
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <search className={classes.filters} aria-label="Filters of the audit log">
      <Who who={who} whoName={whoName} choose={(one) => setFilters({ who: one })} />
      <Select
        label="What was done"
        placeholder="Anything"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Anything that was done' }}
        nothingFoundMessage="Nothing is called that"
        data={deedGroups.map(({ title, deeds }) => ({
          group: title,
          items: deeds.map(({ action, label }) => ({ value: action, label })),
        }))}
        value={what ?? null}
        onChange={(one) => setFilters({ what: one ?? undefined })}
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
      <RecordFilter key={record} record={record} choose={(one) => setFilters({ record: one })} />
      {isNarrowed ? (
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

interface WhoProps {
  readonly who: string | undefined
  readonly whoName: string | undefined
  readonly choose: (who: string | undefined) => void
}

function Who({ who, whoName, choose }: WhoProps) {
  const { id: workspaceId } = useWorkspace()
  const [typed, setTyped] = useState('')
  const members = useMemberSearch(workspaceId, typed === whoName ? '' : typed, useMay('members.view'))
  const { data: keys } = useQuery({
    queryKey: [workspaceId, 'api-keys', 'names'],
    enabled: useMay('api_keys.manage'),
    queryFn: async () => {
      const answer = await take(api.GET('/portal/api/api-keys', { params: { query: { workspaceId } } }))
      return answer.apiKeys
    },
  })
  const people = members.map(({ accountId, username }) => ({ value: accountId, label: username }))
  const programs = (keys ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isListed = [...people, ...programs].some(({ value }) => value === who)
  const chosen = who === undefined || isListed ? [] : [{ value: who, label: whoName ?? who }]
  return (
    <Select
      label="Who did it"
      placeholder="Anybody"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Anybody who did it' }}
      nothingFoundMessage="Nobody here is called that"
      data={[...chosen, { group: 'People', items: people }, { group: 'API keys', items: programs }]}
      value={who ?? null}
      onSearchChange={setTyped}
      onChange={(one) => choose(one ?? undefined)}
    />
  )
}

interface RecordProps {
  readonly record: string | undefined
  readonly choose: (record: string | undefined) => void
}

/** Taken at once when it is pasted, else when it is typed to its end. */
function RecordFilter({ record, choose }: RecordProps) {
  const [typed, setTyped] = useState(record ?? '')
  const take = () => choose(typed.trim() || undefined)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        take()
      }}
    >
      <TextInput
        label="Which record"
        placeholder="Its id"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={take}
      />
    </form>
  )
}
