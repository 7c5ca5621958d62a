import { AppShell, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useMe, useWorkspaceOrNull } from '../api/me.ts'
import { usePreferences } from '../app/preferences.ts'
import { dialogProps } from '../components/dialog.tsx'
import { focusPlayerSearch } from '../components/player-search.tsx'
import { useShortcut, useShortcutKeys } from '../components/shortcuts.ts'
import { BottomBar } from './bottom-bar.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Header } from './header.tsx'
import { MoreDrawer } from './more-drawer.tsx'
import { getSections } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'
import { PrintHeader } from './print-header.tsx'
import classes from './shell.module.css'
import { openShortcutSheet, ShortcutSheet } from './shortcut-sheet.tsx'

/** The layout of every signed-in screen. */
export function Shell() {
  const workspace = useWorkspaceOrNull()
  const { isOperator } = useMe()
  const { pathname } = useLocation()
  const [isMoreOpen, moreDrawer] = useDisclosure(false)
  const areSingleKeysOn = usePreferences().singleKeys === 'on'
  const sections = getSections(workspace, isOperator && pathname.startsWith('/operator'))
  const canFindPlayers = workspace?.permissions.has('moderation.view') ?? false
  useShortcutKeys()
  useShortcut(findPlayerShortcut, focusPlayerSearch, !canFindPlayers)
  useShortcut(commandsShortcut)
  useShortcut(sheetShortcut, openShortcutSheet)

  return (
    <ModalsProvider modalProps={dialogProps} labels={{ confirm: 'Continue', cancel: 'Cancel' }}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <PrintHeader />
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: true } }}
        footer={{ height: { base: 60, md: 0 }, collapsed: false }}
      >
        <AppShell.Header className={classes.header}>
          <Header />
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar} aria-label="Sections" visibleFrom="md">
          <NavigationList sections={sections} />
          <Text size="xs" c="dimmed" className={classes.hint}>
            {canFindPlayers && areSingleKeysOn ? (
              <>
                <kbd>/</kbd> to find a player,{' '}
              </>
            ) : null}
            <kbd>{commandKeys.join(' ')}</kbd> for commands
          </Text>
        </AppShell.Navbar>
        <AppShell.Main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </AppShell.Main>
        <AppShell.Footer className={classes.footer} hiddenFrom="md">
          <BottomBar sections={sections} onMore={moreDrawer.open} />
        </AppShell.Footer>
      </AppShell>
      <MoreDrawer sections={sections} isOpen={isMoreOpen} onClose={moreDrawer.close} />
      <CommandPalette sections={sections} />
      <ShortcutSheet />
      <Notifications position="bottom-right" containerWidth={400} />
    </ModalsProvider>
  )
}

const commandKeys = [navigator.userAgent.includes('Mac') ? '⌘' : 'Ctrl', 'K']
const findPlayerShortcut = { keys: ['/'], label: 'Find a player', group: 'Everywhere' }
const sheetShortcut = { keys: ['?'], label: 'Show the keyboard shortcuts', group: 'Everywhere' }
const commandsShortcut = { keys: commandKeys, label: 'Open the commands', group: 'Everywhere' }
