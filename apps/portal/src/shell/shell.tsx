import { Text } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { type ComponentProps, useEffect } from 'react'
import { useMe, useNavigationWorkspace, useWorkspaceOrNull } from '../api/me.ts'
import { usePreferences } from '../app/preferences.ts'
import { preloadSessionExpired } from '../app/session-expired.tsx'
import { preloadPopovers } from '../components/deferred-popover.tsx'
import { preloadDialogs } from '../components/dialog.tsx'
import { loadOnOpen } from '../components/load-on-open.tsx'
import { Modals, preloadModals } from '../components/modals.tsx'
import { focusPlayerSearch } from '../components/player-search/focus-player-search.ts'
import { preloadLater } from '../components/preload-later.ts'
import { useShortcut, useShortcutKeys } from '../components/shortcuts.ts'
import { focusNewestToast, preloadToasts, Toasts } from '../components/toast.tsx'
import { TOAST_KEY } from '../components/toast-content.ts'
import { BottomBar } from './bottom-bar.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Header } from './header.tsx'
import { getSections } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'
import { PrintHeader } from './print-header.tsx'
import classes from './shell.module.css'
import { openShortcutSheet, ShortcutSheet } from './shortcut-sheet.tsx'

/** The layout of every signed-in screen. */
export function Shell() {
  const workspace = useWorkspaceOrNull()
  const navigationWorkspace = useNavigationWorkspace()
  const { isOperator } = useMe()
  const [isMoreOpen, moreDrawer] = useDisclosure(false)
  // Only one navigation is rendered: together they have more links than most screens.
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const areSingleKeysOn = usePreferences().singleKeys === 'on'
  const sections = getSections({
    workspace: navigationWorkspace,
    isInWorkspace: workspace !== null,
    isOperator,
  })
  const canFindPlayers = workspace?.permissions.has('moderation.view') ?? false
  useShortcutKeys()
  useShortcut(findPlayerShortcut, focusPlayerSearch, !canFindPlayers)
  useShortcut(commandsShortcut)
  useShortcut(toastShortcut)
  useShortcut(sheetShortcut, openShortcutSheet)
  // Also in a field: what was just done may have to be undone at once.
  useHotkeys([[TOAST_KEY, focusNewestToast]], [])
  useEffect(preloadOverlays, [])

  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <PrintHeader />
      <header className={`${classes.header} ${STAYS_IN_PLACE}`} data-no-print>
        <Header />
      </header>
      {isWide ? (
        <nav className={classes.navbar} aria-label="Sections">
          <NavigationList sections={sections} />
          <Text size="xs" c="dimmed" className={classes.hint}>
            {canFindPlayers && areSingleKeysOn ? (
              <>
                <kbd>/</kbd> to find a player,{' '}
              </>
            ) : null}
            <kbd>{commandKeys.join(' ')}</kbd> to find anything
          </Text>
        </nav>
      ) : null}
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      {isWide ? null : (
        <footer className={`${classes.footer} ${STAYS_IN_PLACE}`} data-no-print>
          <BottomBar sections={sections} onMore={moreDrawer.open} />
        </footer>
      )}
      <MoreDrawer sections={sections} isOpen={isMoreOpen} onClose={moreDrawer.close} />
      <CommandPalette />
      <ShortcutSheet />
      <Modals />
      <Toasts />
    </>
  )
}

const loadMoreDrawer = () => import('./more-drawer.tsx')
const MoreDrawer = loadOnOpen<ComponentProps<Awaited<ReturnType<typeof loadMoreDrawer>>['MoreDrawer']>>(
  async () => (await loadMoreDrawer()).MoreDrawer,
  ({ isOpen }) => isOpen,
  ({ onClose }) => onClose(),
)

/**
 * Loads menus, dialogs and toasts once the screen is shown, and at the latest when the user does something for the first time, so that
 * they open at once, also without a network. A user who saves data loads them only then.
 */
function preloadOverlays(): () => void {
  const listening = new AbortController()
  const preload = () => {
    listening.abort()
    preloadPopovers()
    preloadDialogs()
    preloadModals()
    preloadToasts()
    preloadSessionExpired()
  }
  for (const type of ['pointermove', 'pointerdown', 'keydown'])
    window.addEventListener(type, preload, { capture: true, passive: true, signal: listening.signal })
  const cancel = preloadLater(preload)
  return () => {
    cancel()
    listening.abort()
  }
}

/** Tells react-remove-scroll not to move an element when it hides the scrollbar behind a dialog. */
const STAYS_IN_PLACE = 'right-scroll-bar-position'

const commandKeys = [navigator.userAgent.includes('Mac') ? '⌘' : 'Ctrl', 'K']
const findPlayerShortcut = { keys: ['/'], label: 'Find a player', group: 'Everywhere' }
const toastShortcut = { keys: [TOAST_KEY], label: 'Go to the newest message', group: 'Everywhere' }
const sheetShortcut = { keys: ['?'], label: 'Show the keyboard shortcuts', group: 'Everywhere' }
const commandsShortcut = { keys: commandKeys, label: 'Find anything, or do something', group: 'Everywhere' }
