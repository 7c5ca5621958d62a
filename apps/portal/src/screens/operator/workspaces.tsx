import { SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { DELETION_UNDO_DAYS } from '@reeve/core'
import { IconBuildingCommunity, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { anyText, oneOf } from '../../app/filter-parsers.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { SEARCH_DEBOUNCE_MS, useFilters } from '../../components/use-filters.ts'
import { DeletedWorkspaces } from './deleted-workspaces.tsx'
import { readWorkspaces, type WorkspaceRow, workspacesKey } from './operator-data.ts'
import { useUndoDeletion } from './use-undo-deletion.ts'
import { WorkspaceLine } from './workspace-line.tsx'

const QuotaDialog = loadOnOpen(
  async () => (await import('./quota-dialog.tsx')).QuotaDialog,
  ({ workspace }) => workspace !== null,
  ({ close }) => close(),
)

const filterParsers = { q: anyText, show: oneOf('deleting', 'deleted') }

/** All workspaces of the instance. */
export function AllWorkspaces() {
  const [{ q, show }, setFilters] = useFilters(filterParsers)
  return (
    <Screen title="Workspaces" description="All workspaces of this instance with their size and quotas.">
      <SegmentedControl
        mb="md"
        aria-label="Workspace filter"
        value={show ?? ''}
        onChange={(value) => setFilters({ show: value === '' ? undefined : value })}
        data={[
          { value: '', label: 'All' },
          { value: 'deleting', label: 'To be deleted' },
          { value: 'deleted', label: 'Deleted' },
        ]}
      />
      {show === 'deleted' ? (
        <DeletedWorkspaces />
      ) : (
        <WorkspaceList q={q} onlyDeleting={show === 'deleting'} find={(text) => setFilters({ q: text })} />
      )}
    </Screen>
  )
}

interface ListProps {
  readonly q: string | undefined
  readonly onlyDeleting: boolean
  readonly find: (q: string) => void
}

function WorkspaceList({ q, onlyDeleting, find }: ListProps) {
  const [quotaTarget, setQuotaTarget] = useState<WorkspaceRow | null>(null)
  const undoDeletion = useUndoDeletion()
  const search = useDebouncedCallback((text: string) => find(text.trim()), SEARCH_DEBOUNCE_MS)
  const pages = usePages([...workspacesKey, q, onlyDeleting], (cursor) =>
    readWorkspaces({ q, onlyDeleting }, cursor),
  )
  return (
    <>
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
            <NoWorkspaces onlyDeleting={onlyDeleting} />
          ) : (
            <EmptyState icon={IconBuildingCommunity} title="No matching workspaces">
              Try another part of the name or of the owner’s name, or the full ID.
            </EmptyState>
          )
        }
      >
        {(workspace) => (
          <WorkspaceLine
            workspace={workspace}
            editQuotas={() => setQuotaTarget(workspace)}
            undoDeletion={() => undoDeletion(workspace)}
          />
        )}
      </DataList>
      <QuotaDialog workspace={quotaTarget} close={() => setQuotaTarget(null)} />
    </>
  )
}

const NoWorkspaces = ({ onlyDeleting }: Pick<ListProps, 'onlyDeleting'>) =>
  onlyDeleting ? (
    <EmptyState icon={IconBuildingCommunity} title="No workspaces to be deleted">
      The owner of an archived workspace can request its deletion, which happens {DELETION_UNDO_DAYS} days
      later.
    </EmptyState>
  ) : (
    <EmptyState icon={IconBuildingCommunity} title="No workspaces yet">
      Anyone with an account can create a workspace.
    </EmptyState>
  )
