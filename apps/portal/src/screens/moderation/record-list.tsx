import { Checkbox, Stack } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { SelectedCase } from '../../app/batch-targets.ts'
import { DataList } from '../../components/data-list.tsx'
import { DownloadLink } from '../../components/download-link.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { formatNumber } from '../../format/number.ts'
import { BatchActions, type Selection } from './batch-actions.tsx'
import { PlayerChoice } from './filters/player-choice.tsx'
import classes from './list.module.css'
import { type RecordListKind, recordListKinds, selectFilters, toListQuery } from './list-kinds.ts'
import { ModerationTabs } from './moderation-tabs.tsx'
import { NoMatchingRecords } from './no-matching-records.tsx'
import { type ModerationRecord, type RecordPage, useRecords } from './queries.ts'
import { RecordFilterBar } from './record-filter-bar.tsx'
import {
  joinValues,
  type RecordListFilters,
  recordListParsers,
  type SetRecordFilters,
  splitValues,
} from './record-filters.ts'
import { RecordRow } from './record-row.tsx'
import { ViewMenu } from './views/view-menu.tsx'

interface Props {
  readonly kind: RecordListKind
  readonly description: string
  /** Shown if there are no records. */
  readonly empty: { readonly title: string; readonly text: ReactNode }
}

/** A list of records, filtered by the query string. */
export function RecordList({ kind, description, empty }: Props) {
  const { id: workspaceId } = useWorkspace()
  const { title, available } = recordListKinds[kind]
  const [{ view, ...parsedFilters }, setFilters] = useFilters(recordListParsers)
  const filters = selectFilters(kind, parsedFilters)
  const unresolved = splitValues(filters.player)
  const query = { workspaceId, ...toListQuery(kind, filters) }
  const canExport = useHasPermission('moderation.export')
  return (
    <Screen
      title={title}
      description={description}
      actions={
        unresolved.length > 0 ? null : (
          <>
            <DownloadLink format="CSV" path="/portal/api/moderation.csv" query={query} />
            {canExport && <DownloadLink format="JSON Lines" path="/portal/api/records.jsonl" query={query} />}
          </>
        )
      }
    >
      <ModerationTabs />
      <ViewMenu list={kind} filters={filters} setFilters={setFilters} viewId={view} />
      <RecordFilterBar filters={filters} setFilters={setFilters} available={available} />
      {unresolved.length > 0 ? (
        <UnresolvedPlayers texts={unresolved} filters={filters} setFilters={setFilters} />
      ) : (
        <Results kind={kind} filters={filters} setFilters={setFilters} empty={empty} />
      )}
    </Screen>
  )
}

interface ResultsProps extends Pick<Props, 'kind' | 'empty'> {
  readonly filters: RecordListFilters
  readonly setFilters: SetRecordFilters
}

function Results({ kind, filters, setFilters, empty }: ResultsProps) {
  const { id: workspaceId } = useWorkspace()
  const { title } = recordListKinds[kind]
  const pages = useRecords(workspaceId, toListQuery(kind, filters))
  const records = pages.data?.pages.flatMap((page) => page.records) ?? []
  const canBatch = useHasPermission('moderation.bulk')
  const [selected, setSelected] = useState<Selection | null>(null)
  const toggle = (one: SelectedCase) => {
    const next = new Map(selected)
    if (!next.delete(one.recordId)) next.set(one.recordId, one)
    setSelected(next)
  }
  const list = (
    <DataList
      // A search that was stopped is not stopped for other filters.
      key={JSON.stringify(filters)}
      pages={pages}
      label={title}
      className={classes.list}
      rows={(page) => page.records}
      rowKey={({ id }) => id}
      progress={describeSearch}
      empty={
        Object.keys(filters).length > 0 ? (
          <NoMatchingRecords kind={kind} filters={filters} setFilters={setFilters} />
        ) : (
          <EmptyState icon={IconGavel} title={empty.title}>
            {empty.text}
          </EmptyState>
        )
      }
    >
      {(record) =>
        selected === null ? (
          <RecordRow record={record} />
        ) : (
          <div className={classes.selectable}>
            <Checkbox
              aria-label={`Select case ${record.caseNumber}`}
              checked={selected.has(record.id)}
              onChange={() => toggle(toSelectedCase(record))}
            />
            <RecordRow record={record} />
          </div>
        )
      }
    </DataList>
  )
  if (!canBatch) return list
  const listed = records.map(toSelectedCase)
  return (
    <>
      <BatchActions selected={selected} setSelected={setSelected} listed={listed} actorId={filters.actorId} />
      {list}
    </>
  )
}

const toSelectedCase = ({ id, userId }: Pick<ModerationRecord, 'id' | 'userId'>): SelectedCase => ({
  recordId: id,
  userId,
})

const describeSearch = ({ searchedToCase }: RecordPage): string | null =>
  searchedToCase === undefined ? null : `Searched back to case ${formatNumber(searchedToCase)}`

function UnresolvedPlayers(props: {
  readonly texts: readonly string[]
  readonly filters: RecordListFilters
  readonly setFilters: SetRecordFilters
}) {
  const { texts, filters, setFilters } = props
  const replace = (text: string, userIds: readonly string[]) =>
    setFilters({
      player: joinValues(texts.filter((candidate) => candidate !== text)),
      userId: joinValues([...splitValues(filters.userId), ...userIds]),
    })
  return (
    <Stack gap="xl">
      {texts.map((text) => (
        <PlayerChoice
          key={text}
          text={text}
          choose={(userIds) => replace(text, userIds)}
          remove={() => replace(text, [])}
        />
      ))}
    </Stack>
  )
}
