import { useMantineColorScheme } from '@mantine/core'
import { useMe, useWorkspaceOrNull } from '../../api/me.ts'
import { useSignOut } from '../use-sign-out.ts'
import { listActions, listWorkspaceSwitches } from './actions.ts'
import { listPages } from './pages.ts'
import { filterGroups, type PaletteGroup, type PaletteItem } from './palette-item.ts'
import { listRecentItems } from './recent-items.ts'
import { useHits } from './use-hits.ts'

/** How many pages, actions and workspaces a search shows, so that what the server finds stays in view. */
const MATCH_LIMIT = 6

/** What the palette shows for a text: what the portal knows itself, then what the server finds. */
export function usePaletteGroups(text: string) {
  const me = useMe()
  const workspace = useWorkspaceOrNull()
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const hits = useHits(workspace, text)
  const pages = listPages(me, workspace)
  const actions = listActions(workspace, { setColorScheme, signOut })
  const switches = listWorkspaceSwitches(me, workspace)
  const isEmpty = text.trim() === ''
  const recent = isEmpty ? listRecentItems(me.id, workspace, [...pages, ...actions, ...switches]) : []
  const withoutRecent = (items: readonly PaletteItem[]) =>
    items.filter(({ id }) => !recent.some((item) => item.id === id))
  const known: readonly PaletteGroup[] = [
    { title: 'Recent', items: recent },
    { title: 'Go to', items: withoutRecent(pages) },
    { title: 'Actions', items: withoutRecent(actions) },
    { title: 'Switch to', items: withoutRecent(switches) },
  ]
  const groups = [...(isEmpty ? known : filterGroups(known, text, MATCH_LIMIT)), ...hits.groups].filter(
    ({ items }) => items.length > 0,
  )
  return { groups, hits, me, workspace }
}
