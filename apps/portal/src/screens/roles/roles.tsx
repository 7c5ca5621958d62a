import { Button, Stack, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { maxAssignableRank } from '@reeve/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { anyText, oneOf } from '../../app/filter-parsers.ts'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { rolePresetIds } from '../../components/role-preset-names.ts'
import { Screen } from '../../components/screen.tsx'
import { useCanEdit } from '../../components/use-can-edit.ts'
import { useFilters } from '../../components/use-filters.ts'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import type { MatrixProps } from './matrix-cell-state.ts'
import { NarrowMatrix } from './narrow-matrix.tsx'
import { type Role, roleCombinationsQuery, rolesQuery } from './queries.ts'
import { RankBar } from './rank-bar.tsx'
import { RoleList } from './role-list.tsx'
import type { RoleStart } from './role-start.tsx'
import { SaveBar } from './save-bar.tsx'
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx'
import { useDraft } from './use-draft.ts'
import { useRankOrder } from './use-rank-order.ts'
import { WideMatrix } from './wide-matrix.tsx'

const LimitsDialog = loadOnOpen(
  async () => (await import('./limits-dialog.tsx')).LimitsDialog,
  ({ role }) => role !== null,
  ({ close }) => close(),
)
const RoleForm = loadOnOpen(
  async () => (await import('./role-form.tsx')).RoleForm,
  ({ target }) => target !== null,
  ({ close }) => close(),
)

const parsers = {
  view: oneOf('permissions'),
  role: anyText,
}
const noRoles: readonly Role[] = []

const DESCRIPTION = 'Roles define what members can do. A member manages the roles and members of lower rank.'

/** Reads what the screen shows first. */
export const earlyReads: { readonly Roles: ReadScreen } = {
  Roles: ({ client, params: { workspaceId } }) => [
    client.prefetchQuery(rolesQuery(workspaceId)),
    client.prefetchQuery(roleCombinationsQuery(workspaceId)),
  ],
}

/** The roles of a workspace and their permissions. */
export function Roles() {
  if (useHasPermission('roles.view')) return <RolesContent />
  return (
    <Screen title="Roles">
      <Forbidden permission="roles.view" />
    </Screen>
  )
}

function RolesContent() {
  const workspace = useWorkspace()
  const canManage = useHasPermission('roles.manage')
  const canEdit = useCanEdit('roles.manage')
  const [filters, setFilters] = useFilters(parsers)
  const [limitedId, setLimitedId] = useState<string | null>(null)
  const [formTarget, setFormTarget] = useState<Role | RoleStart | null>(null)
  const roles = useQuery(rolesQuery(workspace.id))
  const roleCombinations = useQuery(roleCombinationsQuery(workspace.id))
  const allRoles = roles.data ?? noRoles
  const { draft, setPermission, discard } = useDraft(allRoles)
  const rankOrder = useRankOrder(allRoles)
  const canCreateRole = canManage && maxAssignableRank(workspace) > 0
  const openNewRole = (start: RoleStart) =>
    roles.data ? (canCreateRole ? () => setFormTarget(start) : null) : undefined
  useOpenFromUrl(null, {
    new: openNewRole(allRoles.length > 1 ? 'empty' : 'moderator'),
    ...Object.fromEntries(rolePresetIds.map((id) => [id, openNewRole(id)])),
  })
  const showPermissions = (role: { readonly id: string }) =>
    setFilters({ view: 'permissions', role: role.id })

  const renderBody = () => {
    const failed = [roles, roleCombinations].find(({ isError, data }) => isError && !data)
    if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />
    if (!roles.data || !roleCombinations.data) return <LoadingRows rows={5} />
    const sharedProps = {
      roles: allRoles,
      roleCombinations: roleCombinations.data,
      actor: workspace,
      canEdit,
    }
    return (
      <>
        <Tabs.Panel value="roles">
          <RoleList
            {...sharedProps}
            rankOrder={rankOrder}
            edit={setFormTarget}
            editLimits={(role) => setLimitedId(role.id)}
            showPermissions={showPermissions}
          />
        </Tabs.Panel>
        <Tabs.Panel value="permissions">
          <PermissionMatrix
            {...sharedProps}
            draft={draft}
            setPermission={setPermission}
            selectedRoleId={filters.role}
            onSelectRole={(role) => setFilters({ role })}
          />
        </Tabs.Panel>
        <SaveBar {...sharedProps} draft={draft} discard={discard} />
        <RankBar rankOrder={rankOrder} roleCombinations={roleCombinations.data} />
        <UnsavedChangesGuard hasUnsavedChanges={draft.size + rankOrder.moves.length > 0} />
      </>
    )
  }

  return (
    <Screen
      title="Roles"
      description={DESCRIPTION}
      isWide
      actions={
        canCreateRole ? (
          <WriteGuard endpoint={null}>
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setFormTarget(allRoles.length > 1 ? 'empty' : 'moderator')}
            >
              New role
            </Button>
          </WriteGuard>
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
        <Stack gap="md">{renderBody()}</Stack>
      </Tabs>
      <LimitsDialog
        role={allRoles.find(({ id }) => id === limitedId) ?? null}
        close={() => setLimitedId(null)}
      />
      <RoleForm
        target={formTarget}
        roles={allRoles}
        actor={workspace}
        close={() => setFormTarget(null)}
        showPermissions={showPermissions}
      />
    </Screen>
  )
}

/** The permissions of every role: a table, or one role at a time on a phone. */
function PermissionMatrix(props: MatrixProps) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false })
  return isWide ? <WideMatrix {...props} /> : <NarrowMatrix {...props} />
}
