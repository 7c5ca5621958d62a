import { Button } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { OVERVIEW } from '../../api/live-updates.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { usePages } from '../../api/pages.ts'
import { CsvLink } from '../../components/csv-link.tsx'
import { DataList, LoadMore } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { anyText, calendarDay, useFilters } from '../../components/use-filters.ts'
import { auditQuery, readAudit } from './audit-data.ts'
import { EntryRow } from './entry-row.tsx'
import { Filters } from './filters.tsx'

const filterParsers = { who: anyText, what: anyText, record: anyText, from: calendarDay, to: calendarDay }

/** The audit log of a workspace. */
export function Audit() {
  return useHasPermission('audit.view') ? (
    <AuditLog />
  ) : (
    <Screen title="Audit log">
      <Forbidden permission="audit.view" />
    </Screen>
  )
}

function AuditLog() {
  const { id } = useWorkspace()
  const [filters, setFilters] = useFilters(filterParsers)
  const query = auditQuery(id, filters)
  const pages = usePages([id, 'audit', query], (cursor) => readAudit(query, cursor))
  const first = pages.data?.pages[0]?.entries[0]
  const isFiltered = Object.keys(filters).length > 0
  const hasNewEntries = useHasNewEntries(
    query,
    pages.data?.pages.length ?? 0,
    first?.sequence,
    () => void pages.refetch(),
  )
  return (
    <Screen
      title="Audit log"
      description="All changes made in this workspace. No one can edit or delete entries."
      actions={<CsvLink path="/portal/api/audit.csv" query={query} />}
    >
      <Filters filters={filters} setFilters={setFilters} actorName={filters.who && first?.actorName} />
      <div role="status">
        {hasNewEntries ? (
          <Button
            variant="light"
            fullWidth
            mb="sm"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => {
              void pages.refetch()
              window.scrollTo({ top: 0 })
            }}
          >
            Show new changes
          </Button>
        ) : null}
      </div>
      <DataList
        pages={pages}
        label="Changes"
        rows={({ entries }) => entries}
        rowKey={(entry) => entry.id}
        empty={
          pages.hasNextPage ? (
            // A filtered search reads a long log page by page, and a page can be empty.
            <LoadMore pages={pages} label="Changes" />
          ) : (
            <EmptyState icon={IconHistory} title={isFiltered ? 'No matching changes' : 'No changes yet'}>
              {isFiltered
                ? 'Try other filters, or clear them.'
                : 'Every change is logged here with who made it and the values before and after.'}
            </EmptyState>
          )
        }
      >
        {(entry) => <EntryRow entry={entry} applyFilters={setFilters} />}
      </DataList>
    </Screen>
  )
}

/**
 * Checks whether the log has new entries. A single page is refetched automatically; a longer list is not, because its
 * rows would shift while someone reads them.
 * @returns whether to offer the newer entries
 */
function useHasNewEntries(
  query: ReturnType<typeof auditQuery>,
  pageCount: number,
  newestVisible: string | undefined,
  refetch: () => void,
): boolean {
  const { data: newestSequence } = useQuery({
    queryKey: [query.workspaceId, OVERVIEW, 'audit', query],
    enabled: pageCount > 0,
    queryFn: async () => (await readAudit(query, { limit: '1' })).entries[0]?.sequence ?? null,
  })
  const hasNewEntries = newestSequence != null && Number(newestSequence) > Number(newestVisible ?? 0)
  useEffect(() => {
    if (hasNewEntries && pageCount === 1) refetch()
  }, [hasNewEntries, pageCount, newestSequence])
  return hasNewEntries && pageCount > 1
}
