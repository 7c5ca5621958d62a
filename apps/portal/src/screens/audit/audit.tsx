import { Button, Stack } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OVERVIEW } from '../../api/live-updates.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { Pages } from '../../api/pages.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { parseFilters } from '../../app/filter-parsers.ts'
import { DataList } from '../../components/data-list.tsx'
import { DownloadLink } from '../../components/download-link.tsx'
import { EmptyState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadInPlace } from '../../components/load-in-place.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { joinValues, splitValues } from '../moderation/record-filters.ts'
import { type AuditPage, auditPagesQuery, readAudit } from './audit-data.ts'
import { type AuditFilters, auditFilterParsers, auditQuery } from './audit-filters.ts'
import { EntryRow } from './entry-row.tsx'
import { Filters } from './filters.tsx'
import { formatTarget, resolveTarget } from './target.ts'
import { addMeanings } from './target-filter.tsx'

// Only for a text that can mean several things.
const TargetChoice = loadInPlace(
  async () => (await import('./target-choice.tsx')).TargetChoice,
  <LoadingRows />,
)

/** Reads what the screen shows first. */
export const earlyReads: { readonly Audit: ReadScreen } = {
  Audit: ({ client, params: { workspaceId }, search }) => [
    client.prefetchInfiniteQuery(
      auditPagesQuery(auditQuery(workspaceId, parseFilters(auditFilterParsers, search))),
    ),
  ],
}

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
  const { id, permissions } = useWorkspace()
  const [filters, setFilters] = useFilters(auditFilterParsers)
  const query = auditQuery(id, filters)
  const pages = useInfiniteQuery(auditPagesQuery(query))
  const firstEntries = pages.data?.pages[0]?.entries ?? []
  const [first] = firstEntries
  const targetNames = new Map(
    firstEntries.map((entry) => [entry.targetId, formatTarget(resolveTarget(entry, permissions))]),
  )
  const hasNewEntries = useHasNewEntries(
    query,
    pages.data?.pages.length ?? 0,
    first?.sequence,
    () => void pages.refetch(),
  )
  const unresolved = splitValues(filters.find)
  return (
    <Screen
      title="Audit log"
      description="All changes made in this workspace. No one can edit or delete entries."
      actions={
        unresolved.length > 0 ? null : (
          <DownloadLink format="CSV" path="/portal/api/audit.csv" query={query} />
        )
      }
    >
      <Filters
        filters={filters}
        setFilters={setFilters}
        actorName={filters.who && first?.actorName}
        targetNames={targetNames}
      />
      <UndoLink actorId={filters.who} />
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
      {unresolved.length > 0 ? (
        <UnresolvedTargets texts={unresolved} filters={filters} setFilters={setFilters} />
      ) : (
        <Entries pages={pages} filters={filters} setFilters={setFilters} />
      )}
    </Screen>
  )
}

/** Leads to the undo of what the selected actor did to cases. */
function UndoLink({ actorId }: { readonly actorId: string | undefined }) {
  const { id: workspaceId } = useWorkspace()
  const canUndo = useHasPermission('moderation.bulk')
  if (!canUndo || actorId === undefined) return null
  return (
    <Button
      component={Link}
      to={`/w/${workspaceId}/batches`}
      search={{ new: 'undo', actor: actorId } as never}
      variant="default"
      size="xs"
      mb="sm"
    >
      Undo what they did to cases…
    </Button>
  )
}

interface FilterProps {
  readonly filters: AuditFilters
  readonly setFilters: (change: { readonly [Name in keyof AuditFilters]?: string | undefined }) => void
}

function Entries({ pages, filters, setFilters }: FilterProps & { readonly pages: Pages<AuditPage> }) {
  const isFiltered = Object.keys(filters).length > 0
  // Kept here, because a row that is scrolled far away is not rendered.
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = (entryId: string) => {
    const next = new Set(openIds)
    if (!next.delete(entryId)) next.add(entryId)
    setOpenIds(next)
  }
  return (
    <DataList
      pages={pages}
      label="Changes"
      rows={({ entries }) => entries}
      rowKey={(entry) => entry.id}
      empty={
        <EmptyState icon={IconHistory} title={isFiltered ? 'No matching changes' : 'No changes yet'}>
          {isFiltered
            ? 'Try other filters, or clear them.'
            : 'Every change is logged here with who made it and the values before and after.'}
        </EmptyState>
      }
    >
      {(entry) => (
        <EntryRow
          entry={entry}
          isOpen={openIds.has(entry.id)}
          toggle={() => toggle(entry.id)}
          applyFilters={(change) =>
            // Only this target: the other ways to name one would add to it.
            setFilters(
              change.record === undefined ? change : { caseNumber: undefined, userId: undefined, ...change },
            )
          }
        />
      )}
    </DataList>
  )
}

const UnresolvedTargets = ({
  texts,
  filters,
  setFilters,
}: FilterProps & { readonly texts: readonly string[] }) => (
  <Stack gap="xl">
    {texts.map((text) => {
      const find = joinValues(texts.filter((candidate) => candidate !== text))
      return (
        <TargetChoice
          key={text}
          text={text}
          choose={(meaning) => setFilters({ ...addMeanings(filters, [meaning]), find })}
          remove={() => setFilters({ find })}
        />
      )
    })}
  </Stack>
)

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
    // The first page has just been read. A change elsewhere makes this stale.
    initialData: newestVisible ?? null,
    queryFn: async () => (await readAudit(query, { limit: '1' })).entries[0]?.sequence ?? null,
  })
  const hasNewEntries = newestSequence != null && Number(newestSequence) > Number(newestVisible ?? 0)
  useEffect(() => {
    if (hasNewEntries && pageCount === 1) refetch()
  }, [hasNewEntries, pageCount, newestSequence])
  return hasNewEntries && pageCount > 1
}
