import { Select } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { anyText, calendarDay } from '../../app/filter-parsers.ts'
import { accountActions } from '../../components/account-action-labels.ts'
import { ClearFiltersButton } from '../../components/clear-filters-button.tsx'
import { DataList } from '../../components/data-list.tsx'
import { DayRangeFields } from '../../components/day-range-fields.tsx'
import { DownloadLink } from '../../components/download-link.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { toTimeRange } from '../../format/day-range.ts'
import { AccountFilter } from './account-filter.tsx'
import { InstanceEntry } from './instance-entry.tsx'
import classes from './operator.module.css'
import { instanceAuditKey, readInstanceAudit } from './operator-data.ts'

const filterParsers = {
  who: anyText,
  what: anyText,
  account: anyText,
  /** First day, in the user's time zone; `to` is the last day. */
  from: calendarDay,
  to: calendarDay,
}

const noFilters = { who: undefined, what: undefined, account: undefined, from: undefined, to: undefined }

/** The log of what belongs to no workspace: sign-ins, accounts, operators. */
export function InstanceAudit() {
  const [filters, setFilters] = useFilters(filterParsers)
  const { who, what, account, from, to } = filters
  const query = {
    ...(who !== undefined && { actorId: who }),
    ...(what !== undefined && { action: what }),
    ...(account !== undefined && { targetId: account }),
    ...toTimeRange({ from, to }),
  }
  const pages = usePages([...instanceAuditKey, query], (cursor) => readInstanceAudit(query, cursor))
  // Kept here, because a row that is scrolled far away is not rendered.
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = (entryId: string) => {
    const next = new Set(openIds)
    if (!next.delete(entryId)) next.add(entryId)
    setOpenIds(next)
  }
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Screen
      title="Instance log"
      description="Sign-ins and changes to accounts, operators and the instance. Workspaces have logs of their own."
      actions={<DownloadLink format="CSV" path="/admin/api/audit.csv" query={query} />}
    >
      <search className={classes.filters} aria-label="Instance log filters">
        <AccountFilter label="Actor" accountId={who} onSelect={(id) => setFilters({ who: id })} />
        <AccountFilter label="Account" accountId={account} onSelect={(id) => setFilters({ account: id })} />
        <Select
          label="Action"
          placeholder="Any action"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear action' }}
          nothingFoundMessage="No matching action"
          data={accountActions.map(({ action, label }) => ({ value: action, label }))}
          value={what ?? null}
          onChange={(value) => setFilters({ what: value ?? undefined })}
        />
        <DayRangeFields range={{ from, to }} setRange={setFilters} />
        {isFiltered ? (
          <ClearFiltersButton className={classes.clear} onClick={() => setFilters(noFilters)} />
        ) : null}
      </search>
      <DataList
        pages={pages}
        label="Changes"
        rows={({ entries }) => entries}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconHistory} title={isFiltered ? 'No matching changes' : 'No changes yet'}>
            {isFiltered
              ? 'Try other filters, or clear them.'
              : 'Sign-ins and changes to accounts appear here.'}
          </EmptyState>
        }
      >
        {(entry) => (
          <InstanceEntry entry={entry} isOpen={openIds.has(entry.id)} toggle={() => toggle(entry.id)} />
        )}
      </DataList>
    </Screen>
  )
}
