import { Button, Stack, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { useMayChange } from '../../components/permission-gate.tsx'
import { Screen } from '../../components/screen.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { anyText, oneOf, useFilters } from '../../components/use-filters.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import { holdingsQuery, type Role, rolesQuery } from './role-data.ts'
import { RoleForm } from './role-form.tsx'
import { RoleList } from './role-list.tsx'
import { SaveBar } from './save-bar.tsx'
import { StayOrLeave } from './stay-or-leave.tsx'
import { useDraft } from './use-draft.ts'

const readers = { view: oneOf('permissions'), role: anyText }
const noRoles: readonly Role[] = []

const DESCRIPTION =
  'What people may do here comes from their roles. Whoever has a higher rank manages those below.'

/** The roles of a workspace by rank, and what each gives. */
export function Roles() {
  if (useMay('roles.view')) return <KnownRoles />
  return (
    <Screen title="Roles">
      <NotForYou permission="roles.view" />
    </Screen>
  )
}

function KnownRoles() {
  const workspace = useWorkspace()
  const mayChange = useMayChange('roles.manage')
  const [filters, setFilters] = useFilters(readers)
  const [formFor, setFormFor] = useState<Role | 'new' | null>(null)
  const roles = useQuery(rolesQuery(workspace.id))
  const holdings = useQuery(holdingsQuery(workspace.id))
  const all = roles.data ?? noRoles
  const { draft, wish, forget } = useDraft(all)
  const hasRoom = workspace.rank > 1

  const body = () => {
    const failed = [roles, holdings].find(({ isError, data }) => isError && !data)
    if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />
    if (!roles.data || !holdings.data) return <LoadingRows rows={5} />
    const shared = { roles: all, holdings: holdings.data, reader: workspace, mayChange }
    return (
      <>
        <Tabs.Panel value="roles">
          <RoleList
            {...shared}
            edit={setFormFor}
            showPermissions={(role) => setFilters({ view: 'permissions', role: role.id })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="permissions">
          <PermissionMatrix
            {...shared}
            draft={draft}
            wish={wish}
            chosenId={filters.role}
            choose={(role) => setFilters({ role })}
          />
        </Tabs.Panel>
        <SaveBar {...shared} draft={draft} forget={forget} />
        <StayOrLeave isUnsaved={draft.size > 0} />
      </>
    )
  }

  return (
    <Screen
      title="Roles"
      description={DESCRIPTION}
      isWide
      actions={
        mayChange && hasRoom ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setFormFor('new')}>
            New role
          </Button>
        ) : null
      }
    >
      <Tabs
        value={filters.view ?? 'roles'}
        onChange={(view) => setFilters({ view: view === 'permissions' ? view : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="roles">By rank</Tabs.Tab>
          <Tabs.Tab value="permissions">Permissions</Tabs.Tab>
        </Tabs.List>
        <Stack gap="md">{body()}</Stack>
      </Tabs>
      <RoleForm
        what={formFor}
        roles={all}
        reader={workspace}
        close={() => setFormFor(null)}
        made={(role) => setFilters({ view: 'permissions', role: role.id })}
      />
    </Screen>
  )
}
