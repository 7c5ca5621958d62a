import { Button } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SUMMARY } from '../../api/live.ts'
import { useMay, useWorkspace } from '../../api/me.ts'
import { usePages } from '../../api/pages.ts'
import { CsvLink } from '../../components/csv-link.tsx'
import { DataList, MoreRows } from '../../components/data-list.tsx'
import { NotForYou } from '../../components/not-for-you.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState } from '../../components/states.tsx'
import { anyText, calendarDay, useFilters } from '../../components/use-filters.ts'
import { auditQuery, readAudit } from './data.ts'
import { EntryRow } from './entry-row.tsx'
import { Filters } from './filters.tsx'

const readers = { who: anyText, what: anyText, record: anyText, from: calendarDay, to: calendarDay }

/** Who changed what in the workspace, and how it was before. */
export function Audit() {
  return useMay('audit.view') ? (
    <Log />
  ) : (
    <Screen title="Audit log">
      <NotForYou permission="audit.view" />
    </Screen>
  )
}

function Log() {
  const { id } = useWorkspace()
  const [filters, setFilters] = useFilters(readers)
  const query = auditQuery(id, filters)
  const pages = usePages([id, 'audit', query], (cursor) => readAudit(query, cursor))
  const first = pages.data?.pages[0]?.entries[0]
  const isNarrowed = Object.keys(filters).length > 0
  const hasNewer = useNewer(query, pages.data?.pages.length ?? 0, first?.sequence, () => void pages.refetch())
  return (
    <Screen
      title="Audit log"
      description="Every change that was made here: nobody can alter or remove one, whatever they may do."
      actions={<CsvLink address="/portal/api/audit.csv" query={query} />}
    >
      <Filters filters={filters} setFilters={setFilters} whoName={filters.who && first?.actorName} />
      <div role="status">
        {hasNewer ? (
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
            <MoreRows pages={pages} label="Changes" />
          ) : (
            <EmptyState
              icon={IconHistory}
              title={isNarrowed ? 'Nothing like that was done' : 'Nothing was done yet'}
            >
              {isNarrowed
                ? 'Look at other days, at somebody else, or clear the filters.'
                : 'Every change that anybody makes here is logged: who, what, and how it was before.'}
            </EmptyState>
          )
        }
      >
        {(entry) => <EntryRow entry={entry} narrow={setFilters} />}
      </DataList>
    </Screen>
  )
}

/**
 * Looks whether the log has grown at its head. A list of one page is read again by itself; a longer one would move under the
 * reader's eyes.
 * @returns whether there is more to see
 */
function useNewer(
  query: ReturnType<typeof auditQuery>,
  pages: number,
  newestShown: string | undefined,
  readAgain: () => void,
): boolean {
  const { data: newest } = useQuery({
    queryKey: [query.workspaceId, SUMMARY, 'audit', query],
    enabled: pages > 0,
    queryFn: async () => (await readAudit(query, { limit: '1' })).entries[0]?.sequence ?? null,
  })
  const hasNewer = newest != null && Number(newest) > Number(newestShown ?? 0)
  useEffect(() => {
    if (hasNewer && pages === 1) readAgain()
  }, [hasNewer, pages, newest])
  return hasNewer && pages > 1
}
