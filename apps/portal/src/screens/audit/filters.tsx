import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { ClearFiltersButton } from '../../components/clear-filters-button.tsx'
import { DayRangeFields } from '../../components/day-range-fields.tsx'
import { useMemberSearch } from '../../components/use-member-search.ts'
import { actionGroups } from './action-labels.ts'
import classes from './audit.module.css'
import type { AuditFilters } from './audit-filters.ts'
import { TargetFilter } from './target-filter.tsx'

interface Props {
  readonly filters: AuditFilters
  readonly setFilters: (change: Partial<Record<keyof AuditFilters, string | undefined>>) => void
  /** The name of the selected actor, if known. */
  readonly actorName: string | undefined
  /** Names of targets that are listed, by id. */
  readonly targetNames: ReadonlyMap<string, string>
}

const noFilters = {
  who: undefined,
  what: undefined,
  record: undefined,
  caseNumber: undefined,
  userId: undefined,
  find: undefined,
  from: undefined,
  to: undefined,
} satisfies Record<keyof AuditFilters, undefined>

/** Filters by actor, action, date and record. */
export function Filters({ filters, setFilters, actorName, targetNames }: Props) {
  const { who, what, from, to } = filters
  const isFiltered = Object.keys(filters).length > 0
  return (
    <search className={classes.filters} aria-label="Audit log filters">
      <ActorFilter actorId={who} actorName={actorName} onSelect={(value) => setFilters({ who: value })} />
      <Select
        label="Action"
        placeholder="Any action"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear action' }}
        nothingFoundMessage="No matching action"
        data={actionGroups.map(({ title, actions }) => ({
          group: title,
          items: actions.map(({ action, label }) => ({ value: action, label })),
        }))}
        value={what ?? null}
        onChange={(value) => setFilters({ what: value ?? undefined })}
      />
      <DayRangeFields range={{ from, to }} setRange={setFilters} />
      <div className={classes.target}>
        <TargetFilter filters={filters} setFilters={setFilters} targetNames={targetNames} />
      </div>
      {isFiltered ? (
        <ClearFiltersButton className={classes.clear} onClick={() => setFilters(noFilters)} />
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
  // The choices are read when the list is opened for the first time.
  const [wasOpened, setWasOpened] = useState(false)
  const canSearchMembers = useHasPermission('members.view')
  const canListKeys = useHasPermission('api_keys.manage')
  const members = useMemberSearch(
    workspaceId,
    searchText === actorName ? '' : searchText,
    wasOpened && canSearchMembers,
  )
  const { data: keys } = useQuery({
    queryKey: [workspaceId, 'api-keys', 'names'],
    enabled: wasOpened && canListKeys,
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
      label="Actor"
      placeholder="Anyone"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear actor' }}
      nothingFoundMessage="No matching actor"
      data={[
        ...selectedOption,
        { group: 'People', items: memberOptions },
        { group: 'API keys', items: keyOptions },
      ]}
      value={actorId ?? null}
      onFocus={() => setWasOpened(true)}
      onSearchChange={setSearchText}
      onChange={(value) => onSelect(value ?? undefined)}
    />
  )
}
