import { ActionIcon, Badge, Menu, useMantineColorScheme } from '@mantine/core'
import {
  IconBook2,
  IconKeyboard,
  IconLogout,
  IconMailOpened,
  IconServerCog,
  IconUserCog,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { Initials } from '../components/initials.tsx'
import { KeyLabel } from '../components/key-label.tsx'
import { useKeyHint } from '../components/shortcuts.ts'
import { openShortcutSheet } from './shortcut-sheet.tsx'
import { useSignOut } from './use-sign-out.ts'

const colorSchemes = [
  { value: 'auto', label: 'Same as device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** The menu of the signed-in user. */
export function UserMenu() {
  const { username, isOperator, receivedInvitations } = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const hint = useKeyHint('?')
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          variant="transparent"
          size="lg"
          radius="xl"
          aria-label={`Signed in as ${username}. Your menu`}
        >
          <Initials name={username} size={32} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as <bdi>{username}</bdi>
          {isOperator ? ', operator' : ''}
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUserCog size={16} aria-hidden />}>
          Your account
        </Menu.Item>
        {receivedInvitations > 0 ? (
          <Menu.Item
            component={Link}
            to="/workspaces"
            leftSection={<IconMailOpened size={16} aria-hidden />}
            rightSection={<Badge size="sm">{receivedInvitations}</Badge>}
          >
            Invitations
          </Menu.Item>
        ) : null}
        {isOperator ? (
          <Menu.Item component={Link} to="/operator" leftSection={<IconServerCog size={16} aria-hidden />}>
            Manage this instance
          </Menu.Item>
        ) : null}
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          leftSection={<IconBook2 size={16} aria-hidden />}
        >
          API reference
        </Menu.Item>
        <Menu.Item
          visibleFrom="sm"
          leftSection={<IconKeyboard size={16} aria-hidden />}
          rightSection={hint ? <KeyLabel keys={[hint]} /> : null}
          aria-keyshortcuts={hint}
          onClick={openShortcutSheet}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Color scheme</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          {colorSchemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
