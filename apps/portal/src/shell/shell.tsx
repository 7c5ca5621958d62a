import { AppShell, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { Outlet } from '@tanstack/react-router'
import { useMe, useNavigationWorkspace, useWorkspaceOrNull } from '../api/me.ts'
import { dialogProps } from '../components/dialog.tsx'
import { focusPlayerSearch } from '../components/player-search.tsx'
import { focusNewestToast, TOAST_KEY, Toasts } from '../components/toast.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Header } from './header.tsx'
import { MoreDrawer } from './more-drawer.tsx'
import { getSections } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'
import classes from './shell.module.css'

/** The layout of every signed-in screen. */
export function Shell() {
  const workspace = useWorkspaceOrNull()
  const navigationWorkspace = useNavigationWorkspace()
  const { isOperator } = useMe()
  const [isMoreOpen, moreDrawer] = useDisclosure(false)
  const sections = getSections({
    workspace: navigationWorkspace,
    isInWorkspace: workspace !== null,
    isOperator,
  })
  useHotkeys([['/', () => focusPlayerSearch()]])
  // Also in a field: what was just done may have to be undone at once.
  useHotkeys([[TOAST_KEY, focusNewestToast]], [])

  return (
    <ModalsProvider modalProps={dialogProps} labels={{ confirm: 'Continue', cancel: 'Cancel' }}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: true } }}
        footer={{
          height: { base: 'calc(60px + env(safe-area-inset-bottom, 0px))', md: 0 },
          collapsed: false,
        }}
      >
        <AppShell.Header className={classes.header}>
          <Header />
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar} aria-label="Sections" visibleFrom="md">
          <NavigationList sections={sections} />
          <Text size="xs" c="dimmed" className={classes.hint}>
            {workspace?.permissions.has('moderation.view') ? (
              <>
                <kbd>/</kbd> to find a player,{' '}
              </>
            ) : null}
            <kbd>{isMac ? '⌘' : 'Ctrl'} K</kbd> for commands
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
      <Toasts />
    </ModalsProvider>
  )
}

const isMac = navigator.userAgent.includes('Mac')
