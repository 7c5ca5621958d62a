import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core'
import {
  IconDoorExit,
  IconDots,
  IconLock,
  IconShieldLock,
  IconUserMinus,
  IconUserStar,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay, useMe, useWorkspace } from '../../api/me.ts'
import { DangerItem } from '../../components/danger-item.tsx'
import { Initials } from '../../components/initials.tsx'
import { PlainTime } from '../../components/plain-time.tsx'
import { RoleBadge } from '../../components/role-badge.tsx'
import { whyOutOfReach } from '../roles/reach.ts'
import { useLeaving } from './leaving.tsx'
import classes from './member-row.module.css'
import type { Member } from './people-data.ts'

interface Props {
  readonly member: Member
  readonly changeRoles: () => void
}

/** One member: who it is, what they are here, and what the reader can do about it. */
export function MemberRow({ member, changeRoles }: Props) {
  const { username, roles, joinedAt } = member
  const { id: myId } = useMe()
  return (
    <div className={classes.row}>
      <Initials name={username} size={36} />
      <div className={classes.who}>
        <Group gap="xs">
          <Text component="bdi" fw={600} size="sm">
            {username}
          </Text>
          {member.accountId === myId ? (
            <Badge size="sm" variant="light">
              You
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="dimmed">
          Joined <PlainTime at={joinedAt} as="date" />
        </Text>
      </div>
      <div className={classes.roles}>
        {roles.length === 0 ? (
          <Text size="sm" c="dimmed">
            No role: may not do anything
          </Text>
        ) : (
          roles.map((role) => <RoleBadge key={role.id} role={role} />)
        )}
      </div>
      <div className={classes.menu}>
        <Actions member={member} changeRoles={changeRoles} />
      </div>
    </div>
  )
}

function Actions({ member, changeRoles }: Props) {
  const { id: myId } = useMe()
  const workspace = useWorkspace()
  const mayManage = useMay('members.manage')
  const { askToRemove, askToLeave } = useLeaving()
  const isMe = member.accountId === myId
  if (isMe && workspace.isOwner) {
    return (
      <RowMenu label="What you can do">
        <Menu.Item
          component={Link}
          to={`/w/${workspace.id}/configuration/workspace`}
          leftSection={<IconUserStar size={16} stroke={1.7} aria-hidden />}
        >
          Hand the workspace over
        </Menu.Item>
      </RowMenu>
    )
  }
  if (isMe) {
    return (
      <RowMenu label="What you can do">
        {mayManage ? <Why>Your own roles are changed by somebody above you.</Why> : null}
        <DangerItem leftSection={<IconDoorExit size={16} stroke={1.7} aria-hidden />} onClick={askToLeave}>
          Leave this workspace
        </DangerItem>
      </RowMenu>
    )
  }
  if (!mayManage) return null
  const reason = whyOutOfReach(workspace, member)
  return (
    <RowMenu label={`What to do with ${member.username}`}>
      {reason === null ? null : <Why>{reason}</Why>}
      <Menu.Item
        disabled={reason !== null || workspace.isArchived}
        leftSection={<IconShieldLock size={16} stroke={1.7} aria-hidden />}
        onClick={changeRoles}
      >
        Change roles
      </Menu.Item>
      <DangerItem
        disabled={reason !== null}
        leftSection={<IconUserMinus size={16} stroke={1.7} aria-hidden />}
        onClick={() => askToRemove(member)}
      >
        Remove
      </DangerItem>
    </RowMenu>
  )
}

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

/** Why what follows is locked. */
const Why = ({ children }: { readonly children: string }) => (
  <Menu.Label>
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconLock size={14} aria-hidden className={classes.lock} />
      <span>{children}</span>
    </Group>
  </Menu.Label>
)
