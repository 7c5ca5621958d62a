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

/** Who changed what in the workspace, and how it was before. */
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
      description="Every change that was made here: nobody can alter or remove one, whatever they may do."
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
            Show newer changes
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
            // A search through a long log goes on page by page, and some of them hold nothing.
            <LoadMore pages={pages} label="Changes" />
          ) : (
            <EmptyState
              icon={IconHistory}
              title={isFiltered ? 'Nothing like that was done' : 'Nothing was done yet'}
            >
              {isFiltered
                ? 'Look at other days, at somebody else, or clear the filters.'
                : 'Every change that anybody makes here is logged: who, what, and how it was before.'}
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
 * Looks whether the log has grown at its head. A list of one page is read again by itself; a longer one would move under the
 * reader's eyes.
 * @returns whether there is more to see
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
