import { Button, Tabs } from '@mantine/core'
import { IconPlus, IconSitemap } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMay, useWorkspace } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { useMayChange } from '../../components/permission-gate.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { oneOf, useFilters } from '../../components/use-filters.ts'
import { DeletedList } from './deleted-list.tsx'
import { type Department, departmentsQuery } from './department-data.ts'
import { DepartmentForm } from './department-form.tsx'
import { DepartmentList } from './department-list.tsx'
import { MembersDialog } from './members-dialog.tsx'

/** The departments of a workspace. */
export function Departments() {
  if (useMay('departments.view')) return <KnownDepartments />
  return (
    <Screen title="Departments">
      <NotForYou permission="departments.view" />
    </Screen>
  )
}

function KnownDepartments() {
  const mayManage = useMay('departments.manage')
  const mayChange = useMayChange('departments.manage')
  const [formFor, setFormFor] = useState<Department | 'new' | null>(null)
  const [staffOf, setStaffOf] = useState<Department | null>(null)
  const make = mayChange ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setFormFor('new')}>
      New department
    </Button>
  ) : null
  const list = <LiveList mayChange={mayChange} edit={setFormFor} staff={setStaffOf} />
  return (
    <Screen
      title="Departments"
      description="The parts of your staff: what each is for, who is in it, and who leads it."
      actions={make}
    >
      {mayManage ? <WithDeleted mayChange={mayChange}>{list}</WithDeleted> : list}
      <DepartmentForm what={formFor} close={() => setFormFor(null)} />
      <MembersDialog department={staffOf} close={() => setStaffOf(null)} />
    </Screen>
  )
}

const readers = { view: oneOf('deleted') }

/** The departments, and beside them those that were deleted. */
function WithDeleted({ mayChange, children }: { readonly mayChange: boolean; readonly children: ReactNode }) {
  const [filters, setFilters] = useFilters(readers)
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
        <DeletedList mayChange={mayChange} />
      </Tabs.Panel>
    </Tabs>
  )
}

interface LiveProps {
  readonly mayChange: boolean
  readonly edit: (department: Department) => void
  readonly staff: (department: Department) => void
}

function LiveList(props: LiveProps) {
  const { id: workspaceId } = useWorkspace()
  const departments = useQuery(departmentsQuery(workspaceId))
  if (departments.isPending) return <LoadingRows height={112} />
  if (!departments.data)
    return <ErrorState error={departments.error} retry={() => void departments.refetch()} />
  if (departments.data.length === 0) {
    return (
      <EmptyState icon={IconSitemap} title="No departments yet">
        A department is a part of your staff, such as “Public relations” or “Trainers”, with a colour, a word
        on what it is for, and the people in it.
        {props.mayChange ? '' : ' Whoever manages departments here can make one.'}
      </EmptyState>
    )
  }
  return <DepartmentList departments={departments.data} {...props} />
}
