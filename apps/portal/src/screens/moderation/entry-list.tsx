import { IconGavel } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { CsvLink } from '../../components/csv-link.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState } from '../../components/states.tsx'
import { anyText, oneOf, useFilters } from '../../components/use-filters.ts'
import { type Asked, useEntries } from './data.ts'
import { EntryFilters } from './entry-filters.tsx'
import { EntryRow } from './entry-row.tsx'
import classes from './found-players.module.css'
import { PlainList } from './plain-list.tsx'
import { playersIn } from './player-search.ts'
import { ModerationTabs } from './tabs.tsx'
import { severities, statuses } from './words.ts'

interface Props {
  readonly title: string
  readonly description: string
  /** Which of the lists. */
  readonly list: Pick<Asked, 'banList' | 'banHistory'>
  /** Said where there is nothing at all. */
  readonly empty: { readonly title: string; readonly text: ReactNode }
}

const readers = {
  userId: (text: string) => (anyText(text) && playersIn(text) ? text : undefined),
  actorUserId: anyText,
  severity: oneOf(...severities),
  status: oneOf(...statuses),
}

/** A list of records, by what is in the address. */
export function EntryList({ title, description, list, empty }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [{ status, ...others }, setFilters] = useFilters(readers)
  // All bans in force have the same status.
  const filters = list.banList || status === undefined ? others : { ...others, status }
  const pages = useEntries(workspaceId, { ...list, ...filters })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Screen
      title={title}
      description={description}
      actions={<CsvLink address="/portal/api/moderation.csv" query={{ workspaceId, ...list, ...filters }} />}
    >
      <ModerationTabs />
      <EntryFilters filters={filters} setFilters={setFilters} hasStatus={list.banList === undefined} />
      <PlainList
        pages={pages}
        label={title}
        className={classes.list}
        rows={(page) => page.entries}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <EmptyState icon={IconGavel} title="Nothing fits these filters">
              Take one of them away to see more.
            </EmptyState>
          ) : (
            <EmptyState icon={IconGavel} title={empty.title}>
              {empty.text}
            </EmptyState>
          )
        }
      >
        {(entry) => <EntryRow entry={entry} />}
      </PlainList>
    </Screen>
  )
}
