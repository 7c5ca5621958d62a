import { ActionIcon, Group } from '@mantine/core'
import { IconCommand } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspaceOrNull } from '../api/me.ts'
import { HeaderPlayerSearch } from '../components/player-search/header-player-search.tsx'
import { openCommandPalette, preloadCommandPalette } from './command-palette.tsx'
import classes from './header.module.css'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** The top bar: workspace switcher, player search, command palette and user menu. */
export function Header() {
  const workspace = useWorkspaceOrNull()
  return (
    <Group h="100%" gap="sm" wrap="nowrap" justify="space-between">
      <Group gap="xs" wrap="nowrap" className={classes.left}>
        <Link to="/" className={classes.wordmark} aria-label="Reeve, home page" data-tap>
          <span className={classes.long}>Reeve</span>
          <span className={classes.short} aria-hidden>
            R
          </span>
        </Link>
        <WorkspaceSwitcher />
      </Group>
      <Group gap="xs" wrap="nowrap" className={classes.icons}>
        {workspace?.permissions.has('moderation.view') ? (
          <HeaderPlayerSearch workspaceId={workspace.id} />
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Commands"
          onClick={openCommandPalette}
          onFocus={preloadCommandPalette}
          onMouseEnter={preloadCommandPalette}
        >
          <IconCommand size={20} stroke={1.7} />
        </ActionIcon>
        <UserMenu />
      </Group>
    </Group>
  )
}
