import { Checkbox, Group, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconGavel } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { Pages } from '../../api/pages.ts'
import type { SelectedCase } from '../../app/batch-targets.ts'
import { ClearFiltersButton } from '../../components/clear-filters-button.tsx'
import { DataList } from '../../components/data-list.tsx'
import { type DownloadFile, DownloadLink } from '../../components/download-link.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { formatNumber } from '../../format/number.ts'
import { BatchActions, type Selection } from './batch-actions.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { PlayerChoice } from './filters/player-choice.tsx'
import classes from './list.module.css'
import { type RecordListKind, recordListKinds, selectFilters, toListQuery } from './list-kinds.ts'
import { ModerationScreen } from './moderation-screen.tsx'
import { NoMatchingRecords } from './no-matching-records.tsx'
import { type ModerationRecord, type RecordPage, useRecords } from './queries.ts'
import { RecordFilterBar } from './record-filter-bar.tsx'
import {
  joinValues,
  noRecordFilters,
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
  const canBatch = useHasPermission('moderation.bulk')
  const [selected, setSelected] = useState<Selection | null>(null)
  const pages = useRecords(workspaceId, toListQuery(kind, filters), unresolved.length === 0)
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  const csv: DownloadFile = { format: 'CSV', path: '/portal/api/moderation.csv', query }
  const jsonLines: DownloadFile = { format: 'JSON Lines', path: '/portal/api/records.jsonl', query }
  const files = unresolved.length > 0 ? [] : canExport ? [csv, jsonLines] : [csv]
  const batchActions =
    canBatch && unresolved.length === 0 ? (
      <BatchActions
        selected={selected}
        setSelected={setSelected}
        listed={pages.data?.pages.flatMap((page) => page.records.map(toSelectedCase)) ?? []}
        actorId={filters.actorId}
      />
    ) : null
  return (
    <ModerationScreen
      title={title}
      description={description}
      actions={isWide ? files.map((file) => <DownloadLink key={file.format} {...file} />) : null}
    >
      <RecordFilterBar filters={filters} setFilters={setFilters} available={available} isWide={isWide}>
        {batchActions}
        {files.length > 0 && <DownloadMenu files={files} />}
      </RecordFilterBar>
      {/* Below the fields, because buttons appear while a filter is typed. */}
      <Group gap="sm" className={classes.actions}>
        {isWide ? batchActions : null}
        <ViewMenu list={kind} filters={filters} setFilters={setFilters} viewId={view} />
        {Object.keys(filters).length === 0 ? null : (
          <ClearFiltersButton size="xs" onClick={() => setFilters(noRecordFilters)} />
        )}
      </Group>
      {unresolved.length > 0 ? (
        <UnresolvedPlayers texts={unresolved} filters={filters} setFilters={setFilters} />
      ) : (
        <Results
          kind={kind}
          filters={filters}
          setFilters={setFilters}
          empty={empty}
          pages={pages}
          selected={selected}
          setSelected={setSelected}
        />
      )}
    </ModerationScreen>
  )
}

interface ResultsProps extends Pick<Props, 'kind' | 'empty'> {
  readonly filters: RecordListFilters
  readonly setFilters: SetRecordFilters
  readonly pages: Pages<RecordPage>
  /** The selected cases; null while nothing can be selected. */
  readonly selected: Selection | null
  readonly setSelected: (selected: Selection) => void
}

function Results({ kind, filters, setFilters, empty, pages, selected, setSelected }: ResultsProps) {
  const { title } = recordListKinds[kind]
  const toggle = (one: SelectedCase) => {
    const next = new Map(selected)
    if (!next.delete(one.recordId)) next.set(one.recordId, one)
    setSelected(next)
  }
  return (
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
              data-tap
            />
            <RecordRow record={record} />
          </div>
        )
      }
    </DataList>
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
