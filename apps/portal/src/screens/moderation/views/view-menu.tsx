import { Button, Group, Menu } from '@mantine/core'
import { IconBookmark, IconCheck, IconChevronDown, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe, useWorkspace } from '../../../api/me.ts'
import { parseSearchParams } from '../../../app/search-params.ts'
import { DangerMenuItem } from '../../../components/danger-menu-item.tsx'
import { loadOnOpen } from '../../../components/load-on-open.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import type { RecordListKind } from '../list-kinds.ts'
import { noRecordFilters, type RecordListFilters, type SetRecordFilters } from '../record-filters.ts'
import { type SavedView, savedViewsQuery, toViewFilters, useSavedViewActions } from './saved-views.ts'

const ViewDialog = loadOnOpen(
  async () => (await import('./view-dialog.tsx')).ViewDialog,
  ({ target }) => target !== null,
  ({ close }) => close(),
)

interface Props {
  readonly list: RecordListKind
  readonly filters: RecordListFilters
  readonly setFilters: SetRecordFilters
  /** The id of the view that was applied last. */
  readonly viewId: string | undefined
}

/** The saved views of a list: applies, saves, overwrites, renames, shares and deletes them. */
export function ViewMenu({ list, filters, setFilters, viewId }: Props) {
  const { id: workspaceId, isArchived } = useWorkspace()
  const { id: myId } = useMe()
  const { data = [] } = useQuery(savedViewsQuery(workspaceId))
  const { change, remove } = useSavedViewActions()
  const [dialog, setDialog] = useState<SavedView | 'new' | null>(null)
  const views = data.filter((view) => view.list === list)
  const own = views.filter(({ createdBy }) => createdBy === myId)
  const shared = views.filter(({ createdBy }) => createdBy !== myId)
  const active = views.find(({ id }) => id === viewId)
  const current = toViewFilters(filters)
  const isChanged = active !== undefined && active.filters !== current
  const canChange = active?.canChange === 'true' && !isArchived
  const apply = (view: SavedView) =>
    setFilters({ ...noRecordFilters, ...parseSearchParams(view.filters), view: view.id })
  const overwrite = (view: SavedView) =>
    change(view, { filters: current })
      .then(({ name }) => notifySuccess(`Saved the view “${name}”.`))
      .catch(notifyError)
  const deleteView = (view: SavedView) => {
    setFilters({ view: undefined })
    remove(view, apply).catch(notifyError)
  }
  const canSaveNew = !isArchived && current !== '' && (active === undefined || isChanged)
  if (views.length === 0 && !canSaveNew) return null
  const renderItems = (items: readonly SavedView[]) =>
    items.map((view) => (
      <Menu.Item
        key={view.id}
        onClick={() => apply(view)}
        leftSection={view.id === viewId ? <IconCheck size={16} aria-hidden /> : null}
      >
        <bdi>{view.name}</bdi>
      </Menu.Item>
    ))
  return (
    <Group gap="xs" role="group" aria-label="Saved views">
      {views.length > 0 ? (
        <Menu position="bottom-start" width={272} returnFocus>
          <Menu.Target>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconBookmark size={16} aria-hidden />}
              rightSection={<IconChevronDown size={16} aria-hidden />}
              maw="100%"
            >
              {active ? `View: ${active.name}${isChanged ? ' (changed)' : ''}` : 'Saved views'}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
            {own.length > 0 ? <Menu.Label>Your views</Menu.Label> : null}
            {renderItems(own)}
            {shared.length > 0 ? <Menu.Label>Shared by others</Menu.Label> : null}
            {renderItems(shared)}
            {active && canChange ? (
              <>
                <Menu.Divider />
                <Menu.Item
                  leftSection={<IconPencil size={16} aria-hidden />}
                  onClick={() => setDialog(active)}
                >
                  Rename or share
                </Menu.Item>
                <DangerMenuItem
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => deleteView(active)}
                >
                  Delete this view
                </DangerMenuItem>
              </>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {active && isChanged && canChange ? (
        <Button variant="default" size="xs" onClick={() => void overwrite(active)}>
          Save changes
        </Button>
      ) : null}
      {canSaveNew ? (
        <Button variant="default" size="xs" onClick={() => setDialog('new')}>
          {active ? 'Save as new view' : 'Save view'}
        </Button>
      ) : null}
      <ViewDialog
        target={dialog}
        list={list}
        filters={current}
        close={() => setDialog(null)}
        onSaved={(view) => setFilters({ view: view.id })}
      />
    </Group>
  )
}
