import { recordStatuses, severities } from '@reeve/core'
import { IconGavel } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { CsvLink } from '../../components/csv-link.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { anyText, oneOf, useFilters } from '../../components/use-filters.ts'
import classes from './list.module.css'
import { ModerationTabs } from './moderation-tabs.tsx'
import { parsePlayerIds } from './player/player-lookup.ts'
import { type RecordFilters, useRecords } from './queries.ts'
import { RecordFilterBar } from './record-filter-bar.tsx'
import { RecordRow } from './record-row.tsx'
import { UnstyledList } from './unstyled-list.tsx'

interface Props {
  readonly title: string
  readonly description: string
  readonly listFilters: Pick<RecordFilters, 'banList' | 'banHistory'>
  /** Shown if there are no records. */
  readonly empty: { readonly title: string; readonly text: ReactNode }
}

const parsers = {
  userId: (text: string) => (anyText(text) && parsePlayerIds(text) ? text : undefined),
  actorUserId: anyText,
  severity: oneOf(...severities),
  status: oneOf(...recordStatuses),
}

/** A list of records, filtered by the query string. */
export function RecordList({ title, description, listFilters, empty }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [{ status, ...otherFilters }, setFilters] = useFilters(parsers)
  // Active bans all have the same status.
  const filters = listFilters.banList || status === undefined ? otherFilters : { ...otherFilters, status }
  const pages = useRecords(workspaceId, { ...listFilters, ...filters })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Screen
      title={title}
      description={description}
      actions={
        <CsvLink path="/portal/api/moderation.csv" query={{ workspaceId, ...listFilters, ...filters }} />
      }
    >
      <ModerationTabs />
      <RecordFilterBar
        filters={filters}
        setFilters={setFilters}
        hasStatus={listFilters.banList === undefined}
      />
      <UnstyledList
        pages={pages}
        label={title}
        className={classes.list}
        rows={(page) => page.records}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <EmptyState icon={IconGavel} title="No cases match these filters">
              Clear a filter to see more.
            </EmptyState>
          ) : (
            <EmptyState icon={IconGavel} title={empty.title}>
              {empty.text}
            </EmptyState>
          )
        }
      >
        {(record) => <RecordRow record={record} />}
      </UnstyledList>
    </Screen>
  )
}
