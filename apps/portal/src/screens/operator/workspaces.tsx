import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconBuildingCommunity, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { anyText } from '../../app/filter-parsers.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { SEARCH_DEBOUNCE_MS, useFilters } from '../../components/use-filters.ts'
import { readWorkspaces, type WorkspaceRow, workspacesKey } from './operator-data.ts'
import { WorkspaceLine } from './workspace-line.tsx'

const QuotaDialog = loadOnOpen(
  async () => (await import('./quota-dialog.tsx')).QuotaDialog,
  ({ workspace }) => workspace !== null,
  ({ close }) => close(),
)

const filterParsers = { q: anyText }

/** All workspaces of the instance. */
export function AllWorkspaces() {
  const [{ q }, setFilters] = useFilters(filterParsers)
  const [quotaTarget, setQuotaTarget] = useState<WorkspaceRow | null>(null)
  const search = useDebouncedCallback((text: string) => setFilters({ q: text.trim() }), SEARCH_DEBOUNCE_MS)
  const pages = usePages([...workspacesKey, q], (cursor) => readWorkspaces(q, cursor))
  return (
    <Screen title="Workspaces" description="All workspaces of this instance with their size and quotas.">
      <TextInput
        type="search"
        mb="md"
        aria-label="Find a workspace by name, owner or ID"
        placeholder="Find by name, owner or ID"
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={q}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <DataList
        pages={pages}
        label="Workspaces"
        rows={({ workspaces }) => workspaces}
        rowKey={({ id }) => id}
        empty={
          q === undefined ? (
            <EmptyState icon={IconBuildingCommunity} title="No workspaces yet">
              Anyone with an account can create a workspace.
            </EmptyState>
          ) : (
            <EmptyState icon={IconBuildingCommunity} title="No matching workspaces">
              Try another part of the name or of the owner’s name, or the full ID.
            </EmptyState>
          )
        }
      >
        {(workspace) => <WorkspaceLine workspace={workspace} editQuotas={() => setQuotaTarget(workspace)} />}
      </DataList>
      <QuotaDialog workspace={quotaTarget} close={() => setQuotaTarget(null)} />
    </Screen>
  )
}
