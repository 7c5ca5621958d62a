import { Button, Tabs } from '@mantine/core'
import { IconPlus, IconSitemap } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { oneOf } from '../../app/filter-parsers.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { useShortcut } from '../../components/shortcuts.ts'
import { useFilters } from '../../components/use-filters.ts'
import { useHashTarget } from '../../components/use-hash-target.ts'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import { DeletedList } from './deleted-list.tsx'
import { type Department, departmentsQuery } from './department-data.ts'
import { DepartmentList } from './department-list.tsx'

const DepartmentForm = loadOnOpen(
  async () => (await import('./department-form.tsx')).DepartmentForm,
  ({ target }) => target !== null,
  ({ close }) => close(),
)
const MembersDialog = loadOnOpen(
  async () => (await import('./members-dialog.tsx')).MembersDialog,
  ({ department }) => department !== null,
  ({ close }) => close(),
)

/** Reads what the screen shows first. */
export const earlyReads: { readonly Departments: ReadScreen } = {
  Departments: ({ client, params: { workspaceId } }) => [client.prefetchQuery(departmentsQuery(workspaceId))],
}

/** The departments of a workspace. */
export function Departments() {
  if (useHasPermission('departments.view')) return <DepartmentsContent />
  return (
    <Screen title="Departments">
      <Forbidden permission="departments.view" />
    </Screen>
  )
}

function DepartmentsContent() {
  const canChange = useHasPermission('departments.manage')
  const [formTarget, setFormTarget] = useState<Department | 'new' | null>(null)
  const [membersTarget, setMembersTarget] = useState<Department | null>(null)
  useOpenFromUrl('departments', { new: canChange ? () => setFormTarget('new') : null })
  const createButton = canChange ? (
    <WriteGuard endpoint="departments">
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setFormTarget('new')}>
        New department
      </Button>
    </WriteGuard>
  ) : null
  const list = <ActiveDepartments canChange={canChange} edit={setFormTarget} editMembers={setMembersTarget} />
  return (
    <Screen
      title="Departments"
      description="The teams of your staff: what each one does, its members and its lead."
      actions={createButton}
    >
      {canChange ? <DepartmentTabs canChange={canChange}>{list}</DepartmentTabs> : list}
      <DepartmentForm target={formTarget} close={() => setFormTarget(null)} />
      <MembersDialog department={membersTarget} close={() => setMembersTarget(null)} />
    </Screen>
  )
}

const filterParsers = { view: oneOf('deleted') }

/** Tabs for the active and the deleted departments. */
function DepartmentTabs({
  canChange,
  children,
}: {
  readonly canChange: boolean
  readonly children: ReactNode
}) {
  const [filters, setFilters] = useFilters(filterParsers)
  return (
    <Tabs
      value={filters.view ?? 'live'}
      onChange={(view) => setFilters({ view: view === 'deleted' ? view : undefined })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="live">Departments</Tabs.Tab>
        <Tabs.Tab value="deleted">Deleted</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="live">{children}</Tabs.Panel>
      <Tabs.Panel value="deleted">
        <DeletedList canChange={canChange} />
      </Tabs.Panel>
    </Tabs>
  )
}

interface ActiveDepartmentsProps {
  readonly canChange: boolean
  readonly edit: (department: Department) => void
  readonly editMembers: (department: Department) => void
}

const moveShortcut = { keys: ['↑', '↓', 'Home', 'End'], label: 'On a handle: move it', group: 'Departments' }

function ActiveDepartments(props: ActiveDepartmentsProps) {
  const { id: workspaceId } = useWorkspace()
  const departments = useQuery(departmentsQuery(workspaceId))
  useShortcut(moveShortcut, undefined, !props.canChange)
  useHashTarget(departments.data !== undefined)
  if (departments.isPending) return <LoadingRows height={112} />
  if (!departments.data)
    return <ErrorState error={departments.error} retry={() => void departments.refetch()} />
  if (departments.data.length === 0) {
    return (
      <EmptyState icon={IconSitemap} title="No departments yet">
        A department is a team of your staff, such as “Public relations” or “Trainers”, with a color, a
        description and members.
        {props.canChange ? '' : ' Anyone who can manage departments can create one.'}
      </EmptyState>
    )
  }
  return <DepartmentList departments={departments.data} {...props} />
}
