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
import { DangerItem } from '../../components/danger-item.tsx'
import { Initials } from '../../components/initials.tsx'
import { PlainTime } from '../../components/plain-time.tsx'
import { count } from '../../format/number.ts'
import { useAccountChange } from './account-change.tsx'
import type { AccountRow } from './data.ts'
import classes from './operator.module.css'

interface Props {
  readonly account: AccountRow
  readonly open: (dialog: 'password' | 'workspaces') => void
}

/** An account, and what can be done with it. */
export function AccountLine({ account, open }: Props) {
  const { username, isOperator, status, createdAt, lastSeenAt, workspaces } = account
  const { id: ownId } = useMe()
  const isSelf = account.id === ownId
  const isDisabled = status === 'disabled'
  const change = useAccountChange(account)
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
          {count(workspaces, 'workspace')} · made <PlainTime at={createdAt} as="date" /> ·{' '}
          {lastSeenAt ? (
            <>
              last seen <PlainTime at={lastSeenAt} />
            </>
          ) : (
            'signed in nowhere'
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
            Its workspaces
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => open('password')}>
            Reset the password…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUserStar size={16} aria-hidden />}
            onClick={isOperator === 'true' ? change.unmakeOperator : change.makeOperator}
          >
            {isOperator === 'true' ? 'Take operating away…' : 'Make it an operator…'}
          </Menu.Item>
          {isDisabled ? (
            <Menu.Item leftSection={<IconUserCheck size={16} aria-hidden />} onClick={change.enable}>
              Enable…
            </Menu.Item>
          ) : isSelf ? null : (
            <DangerItem leftSection={<IconUserOff size={16} aria-hidden />} onClick={change.disable}>
              Disable…
            </DangerItem>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
