import { ActionIcon, Anchor, Badge, Group, Menu, Text } from '@mantine/core'
import {
  IconDeviceGamepad2,
  IconDoorExit,
  IconDots,
  IconFlag,
  IconLock,
  IconShieldLock,
  IconUserMinus,
  IconUserStar,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasPermission, useMe, useWorkspace } from '../../api/me.ts'
import { DangerMenuItem } from '../../components/danger-menu-item.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Initials } from '../../components/initials.tsx'
import { openReportDialog } from '../../components/report-workspace.tsx'
import { RoleBadge } from '../../components/role-badge.tsx'
import { explainCannotManageMember } from '../roles/can-manage.ts'
import classes from './member-row.module.css'
import type { Member } from './people-data.ts'
import { useEndMembership } from './use-end-membership.ts'

interface Props {
  readonly member: Member
  readonly changeRoles: () => void
  readonly linkPlayers: () => void
}

/** A member with roles and actions. */
export function MemberRow({ member, changeRoles, linkPlayers }: Props) {
  const { username, roles, joinedAt, robloxUserId, robloxUsername } = member
  const { id: myId } = useMe()
  return (
    <div className={classes.row}>
      <Initials name={username} size={36} />
      <div className={classes.member}>
        <Group gap="xs">
          <Text component="bdi" fw={600} size="sm">
            {username}
          </Text>
          {member.accountId === myId ? (
            <Badge size="sm" variant="light">
              You
            </Badge>
          ) : null}
          {member.hasSecondFactor === 'false' ? (
            <Badge size="sm" variant="light" color="yellow">
              No second factor
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="dimmed">
          Joined <FormattedTime value={joinedAt} format="date" />
          {robloxUserId === null ? null : (
            <>
              {' · '}
              <Anchor
                href={`https://www.roblox.com/users/${encodeURIComponent(robloxUserId)}/profile`}
                target="_blank"
                rel="noreferrer"
                size="xs"
                aria-label={`Roblox profile of ${username}, ID ${robloxUserId}`}
              >
                Roblox <bdi>{robloxUsername ?? robloxUserId}</bdi>
              </Anchor>
            </>
          )}
        </Text>
      </div>
      <div className={classes.roles}>
        {roles.length === 0 ? (
          <Text size="sm" c="dimmed">
            No roles
          </Text>
        ) : (
          roles.map((role) => <RoleBadge key={role.id} role={role} />)
        )}
      </div>
      <div className={classes.menu}>
        <Actions member={member} changeRoles={changeRoles} linkPlayers={linkPlayers} />
      </div>
    </div>
  )
}

function Actions({ member, changeRoles, linkPlayers }: Props) {
  const { id: myId } = useMe()
  const workspace = useWorkspace()
  const canManage = useHasPermission('members.manage')
  const { confirmRemove, confirmLeave } = useEndMembership()
  const isMe = member.accountId === myId
  if (isMe && workspace.isOwner) {
    return (
      <RowMenu label="Your actions">
        <Menu.Item
          component={Link}
          to={`/w/${workspace.id}/configuration/workspace`}
          leftSection={<IconUserStar size={16} stroke={1.7} aria-hidden />}
        >
          Transfer ownership
        </Menu.Item>
        <PlayersItem linkPlayers={linkPlayers} />
      </RowMenu>
    )
  }
  if (isMe) {
    return (
      <RowMenu label="Your actions">
        {canManage ? <LockReason>Only someone with a higher rank can change your roles.</LockReason> : null}
        <Menu.Item
          leftSection={<IconFlag size={16} stroke={1.7} aria-hidden />}
          onClick={() => openReportDialog(workspace)}
        >
          Report this workspace…
        </Menu.Item>
        <DangerMenuItem
          leftSection={<IconDoorExit size={16} stroke={1.7} aria-hidden />}
          onClick={confirmLeave}
        >
          Leave this workspace
        </DangerMenuItem>
      </RowMenu>
    )
  }
  if (!canManage) return null
  const reason = explainCannotManageMember(workspace, member)
  return (
    <RowMenu label={`Actions for ${member.username}`}>
      {reason === null ? null : <LockReason>{reason}</LockReason>}
      <WriteGuard endpoint={null} isMenuItem>
        <Menu.Item
          disabled={reason !== null}
          leftSection={<IconShieldLock size={16} stroke={1.7} aria-hidden />}
          onClick={changeRoles}
        >
          Change roles
        </Menu.Item>
      </WriteGuard>
      <PlayersItem linkPlayers={linkPlayers} isDisabled={reason !== null} />
      <DangerMenuItem
        disabled={reason !== null}
        leftSection={<IconUserMinus size={16} stroke={1.7} aria-hidden />}
        onClick={() => confirmRemove(member)}
      >
        Remove
      </DangerMenuItem>
    </RowMenu>
  )
}

const PlayersItem = (props: { readonly linkPlayers: () => void; readonly isDisabled?: boolean }) => (
  <WriteGuard endpoint={null} isMenuItem>
    <Menu.Item
      disabled={props.isDisabled ?? false}
      leftSection={<IconDeviceGamepad2 size={16} stroke={1.7} aria-hidden />}
      onClick={props.linkPlayers}
    >
      Players
    </Menu.Item>
  </WriteGuard>
)

const RowMenu = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Menu position="bottom-end" width={240}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={label}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)

/** Why the items below are disabled. */
const LockReason = ({ children }: { readonly children: string }) => (
  <Menu.Label>
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconLock size={14} aria-hidden className={classes.lock} />
      <span>{children}</span>
    </Group>
  </Menu.Label>
)
