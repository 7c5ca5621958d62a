import { ActionIcon, Anchor, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconAdjustments, IconDots, IconEdit, IconLock, IconShieldLock, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { DangerMenuItem } from '../../components/danger-menu-item.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { RoleDot } from '../../components/role-badge.tsx'
import { SortableList } from '../../components/sortable-list.tsx'
import { listLimits } from '../../format/limits.ts'
import { formatNumber, pluralize } from '../../format/number.ts'
import { type Actor, explainCannotEdit } from './can-manage.ts'
import { useDeleteRole } from './delete-role.tsx'
import { countMembers, formatRank, type Role, type RoleCombination } from './queries.ts'
import classes from './role-list.module.css'
import type { RankOrder } from './use-rank-order.ts'

interface Props {
  readonly roles: readonly Role[]
  readonly roleCombinations: readonly RoleCombination[]
  readonly actor: Actor
  readonly canEdit: boolean
  readonly rankOrder: RankOrder
  readonly edit: (role: Role) => void
  readonly editLimits: (role: Role) => void
  readonly showPermissions: (role: Role) => void
}

/** The roles, highest rank first, with their members and actions. Those below the user's rank can be moved. */
export function RoleList(props: Props) {
  const { roles, canEdit, rankOrder } = props
  const movableCount = roles.filter(rankOrder.canMove).length
  return (
    <>
      <SortableList
        items={rankOrder.orderedRoles}
        label="Roles, highest rank first"
        canMove={(role) => canEdit && movableCount > 1 && rankOrder.canMove(role)}
        move={rankOrder.move}
        announcement={rankOrder.announcement}
        listClass={classes.list}
        rowClass={classes.row}
      >
        {(role, _, handle) => <RoleRow role={role} handle={handle} list={props} />}
      </SortableList>
      {roles.length === 1 ? (
        <EmptyState icon={IconShieldLock} title="No roles besides the owner’s">
          Create roles for your staff, for example “Moderator” with the permissions that moderators need.
          Assign them when you invite people, or later under People.
        </EmptyState>
      ) : null}
    </>
  )
}

interface RoleRowProps {
  readonly role: Role
  readonly handle: ReactNode
  readonly list: Props
}

function RoleRow({ role, handle, list }: RoleRowProps) {
  const { roles, roleCombinations, actor, canEdit, edit, editLimits, showPermissions } = list
  const confirmDelete = useDeleteRole(roles, roleCombinations)
  // The role as it is stored: a moved one already shows its new rank.
  const storedRole = roles.find(({ id }) => id === role.id) ?? role
  const reason = explainCannotEdit(actor, storedRole)
  return (
    <>
      {handle}
      <RoleDot color={role.color} />
      <div className={classes.text}>
        <Text component="bdi" fw={600}>
          {role.name}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {formatRank(role.rank)} · <Holders role={role} people={countMembers(role.id, roleCombinations)} /> ·{' '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            onClick={() => showPermissions(role)}
          >
            {role.isOwner ? 'every permission' : pluralize(role.permissions.size, 'permission')}
            <VisuallyHidden> of {role.name}</VisuallyHidden>
          </Anchor>
        </Text>
        <LimitsText role={role} />
        {canEdit && reason !== null ? (
          <Text size="xs" c="dimmed" className={classes.locked}>
            <IconLock size={14} aria-hidden /> {reason}
          </Text>
        ) : null}
      </div>
      {canEdit && reason === null ? (
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Actions for ${role.name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconEdit size={16} stroke={1.7} aria-hidden />}
              onClick={() => edit(storedRole)}
            >
              Name, color and rank
            </Menu.Item>
            <Menu.Item
              leftSection={<IconAdjustments size={16} stroke={1.7} aria-hidden />}
              onClick={() => editLimits(storedRole)}
            >
              Limits
            </Menu.Item>
            <DangerMenuItem
              leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
              onClick={() => confirmDelete(storedRole)}
            >
              Delete
            </DangerMenuItem>
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </>
  )
}

/** The limits of a role; nothing without any. */
function LimitsText({ role }: { readonly role: Role }) {
  const phrases = listLimits(role.limits)
  if (phrases.length === 0) return null
  return (
    <Text size="sm" c="dimmed" component="div">
      Limits: {phrases.join(', ')}
    </Text>
  )
}

function Holders({ role, people }: { readonly role: Role; readonly people: number }) {
  const { id } = useWorkspace()
  const canViewMembers = useHasPermission('members.view')
  if (people === 0) return <>no members</>
  const label = people === 1 ? '1 person' : `${formatNumber(people)} people`
  if (!canViewMembers) return <>{label}</>
  return (
    <Link
      to="/w/$workspaceId/people"
      params={{ workspaceId: id }}
      search={{ role: role.id }}
      className={classes.link}
    >
      {label}
    </Link>
  )
}
