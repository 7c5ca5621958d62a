import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core'
import {
  IconBuildingCommunity,
  IconDots,
  IconKey,
  IconShieldOff,
  IconTrash,
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
  readonly open: (dialog: 'password-link' | 'workspaces') => void
}

/** An account with its actions. */
export function AccountLine({ account, open }: Props) {
  const { username, isOperator, status, createdAt, lastSeenAt, workspaces, hasSecondFactor } = account
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
          {hasSecondFactor === 'true' ? ' · second factor' : ''}
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
          {isDisabled ? null : (
            <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => open('password-link')}>
              Create password link…
            </Menu.Item>
          )}
          {hasSecondFactor === 'true' && !isSelf ? (
            <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={actions.resetFactors}>
              Reset second factors…
            </Menu.Item>
          ) : null}
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
          {isSelf ? null : (
            <DangerMenuItem leftSection={<IconTrash size={16} aria-hidden />} onClick={actions.remove}>
              Delete…
            </DangerMenuItem>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
