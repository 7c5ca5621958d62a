import { useMantineColorScheme } from '@mantine/core'
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import {
  IconBuildingCommunity,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconUserCog,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe, useWorkspaceOrNull } from '../api/me.ts'
import type { NavigationSection } from './navigation.ts'
import { useSignOut } from './use-sign-out.ts'

const ICON_SIZE = 18
const MAX_RESULTS = 12

/** The command palette: screens, workspaces and global actions by name. */
export function CommandPalette({ sections }: { readonly sections: readonly NavigationSection[] }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { workspaces } = useMe()
  const currentWorkspace = useWorkspaceOrNull()
  const { setColorScheme } = useMantineColorScheme()
  const [query, setQuery] = useState('')
  const searchText = query.trim()

  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Go to',
      actions: [
        ...sections
          .flatMap(({ items }) => items)
          .map(({ label, path, icon: Icon }) => ({
            id: path,
            label,
            leftSection: <Icon size={ICON_SIZE} aria-hidden />,
            onClick: () => void navigate({ to: path }),
          })),
        ...(currentWorkspace
          ? [
              {
                id: 'account',
                label: 'Your account',
                leftSection: <IconUserCog size={ICON_SIZE} aria-hidden />,
                onClick: () => void navigate({ to: '/account' }),
              },
            ]
          : []),
      ],
    },
    {
      group: 'Switch to',
      actions: workspaces
        .filter(({ id }) => id !== currentWorkspace?.id)
        .map(({ id, groupName }) => ({
          id,
          label: groupName,
          leftSection: <IconBuildingCommunity size={ICON_SIZE} aria-hidden />,
          onClick: () => void navigate({ to: '/w/$workspaceId', params: { workspaceId: id } }),
        })),
    },
    {
      group: 'Actions',
      actions: [
        {
          id: 'dark',
          label: 'Dark mode',
          leftSection: <IconMoon size={ICON_SIZE} aria-hidden />,
          onClick: () => setColorScheme('dark'),
        },
        {
          id: 'light',
          label: 'Light mode',
          leftSection: <IconSun size={ICON_SIZE} aria-hidden />,
          onClick: () => setColorScheme('light'),
        },
        {
          id: 'sign-out',
          label: 'Sign out',
          leftSection: <IconLogout size={ICON_SIZE} aria-hidden />,
          onClick: () => void signOut(),
        },
      ],
    },
  ]
  if (currentWorkspace?.permissions.has('moderation.view') && searchText !== '') {
    groups.push({
      group: 'Players',
      actions: [
        {
          id: 'player',
          // The label includes the query, or the palette's own filter would hide the item.
          label: `Find player ${searchText}`,
          leftSection: <IconSearch size={ICON_SIZE} aria-hidden />,
          onClick: () =>
            void navigate({
              to: '/w/$workspaceId/moderation',
              params: { workspaceId: currentWorkspace.id },
              search: { q: searchText },
            }),
        },
      ],
    })
  }
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      limit={MAX_RESULTS}
      highlightQuery
      centered={false}
      yOffset="12vh"
      attributes={{ content: { 'aria-label': 'Commands' } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      scrollable
      maxHeight={400}
      nothingFound="No results"
      searchProps={{
        leftSection: <IconSearch size={ICON_SIZE} aria-hidden />,
        placeholder: 'Search screens, workspaces and actions…',
        'aria-label': 'Commands',
      }}
    />
  )
}
