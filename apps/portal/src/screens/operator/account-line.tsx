import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core'
import {
  IconBuildingCommunity,
  IconDots,
  IconKey,
  IconUserCheck,
  IconUserOff,
  IconUserStar,
} from '@tabler/icons-react'
import { useMe } from '../../api/me.ts'
import { DangerMenuItem } from '../../components/danger-menu-item.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Initials } from '../../components/initials.tsx'
import { pluralize } from '../../format/number.ts'
import classes from './operator.module.css'
import type { AccountRow } from './operator-data.ts'
import { useAccountActions } from './use-account-actions.ts'

interface Props {
  readonly account: AccountRow
  readonly open: (dialog: 'password' | 'workspaces') => void
}

/** An account with its actions. */
export function AccountLine({ account, open }: Props) {
  const { username, isOperator, status, createdAt, lastSeenAt, workspaces } = account
  const { id: ownId } = useMe()
  const isSelf = account.id === ownId
  const isDisabled = status === 'disabled'
  const actions = useAccountActions(account)
  return (
    <div className={classes.row}>
      <Initials name={username} size={36} />
      <div className={classes.text}>
        <Group gap={6}>
          <Text component="bdi" fw={550} size="sm">
            {username}
          </Text>
          {isSelf ? (
            <Badge size="sm" variant="light" color="gray">
              You
            </Badge>
          ) : null}
          {isOperator === 'true' ? (
            <Badge size="sm" variant="light">
              Operator
            </Badge>
          ) : null}
          {isDisabled ? (
            <Badge size="sm" variant="light" color="red">
              Disabled
            </Badge>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed">
          {pluralize(workspaces, 'workspace')} · created <FormattedTime value={createdAt} format="date" /> ·{' '}
          {lastSeenAt ? (
            <>
              last seen <FormattedTime value={lastSeenAt} />
            </>
          ) : (
            'no active session'
          )}
        </Text>
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${username}`}>
            <IconDots size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconBuildingCommunity size={16} aria-hidden />}
            onClick={() => open('workspaces')}
          >
            Workspaces
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => open('password')}>
            Reset password…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUserStar size={16} aria-hidden />}
            onClick={isOperator === 'true' ? actions.revokeOperator : actions.grantOperator}
          >
            {isOperator === 'true' ? 'Revoke operator access…' : 'Make operator…'}
          </Menu.Item>
          {isDisabled ? (
            <Menu.Item leftSection={<IconUserCheck size={16} aria-hidden />} onClick={actions.enable}>
              Enable…
            </Menu.Item>
          ) : isSelf ? null : (
            <DangerMenuItem leftSection={<IconUserOff size={16} aria-hidden />} onClick={actions.disable}>
              Disable…
            </DangerMenuItem>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
