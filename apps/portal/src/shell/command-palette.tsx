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
import type { Section } from './navigation.ts'
import { useSignOut } from './sign-out.ts'

const ICON = 18
const LIMIT = 12

/** Everything that can be gone to or done from anywhere, by its name. */
export function CommandPalette({ sections }: { readonly sections: readonly Section[] }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { workspaces } = useMe()
  const here = useWorkspaceOrNull()
  const { setColorScheme } = useMantineColorScheme()
  const [query, setQuery] = useState('')
  const player = query.trim()

  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Go to',
      actions: [
        ...sections
          .flatMap(({ places }) => places)
          .map(({ label, path, icon: Icon }) => ({
            id: path,
            label,
            leftSection: <Icon size={ICON} aria-hidden />,
            onClick: () => void navigate({ to: path }),
          })),
        ...(here
          ? [
              {
                id: 'account',
                label: 'Your account',
                leftSection: <IconUserCog size={ICON} aria-hidden />,
                onClick: () => void navigate({ to: '/account' }),
              },
            ]
          : []),
      ],
    },
    {
      group: 'Switch to',
      actions: workspaces
        .filter(({ id }) => id !== here?.id)
        .map(({ id, groupName }) => ({
          id,
          label: groupName,
          leftSection: <IconBuildingCommunity size={ICON} aria-hidden />,
          onClick: () => void navigate({ to: '/w/$workspaceId', params: { workspaceId: id } }),
        })),
    },
    {
      group: 'Do',
      actions: [
        {
          id: 'dark',
          label: 'Dark colours',
          leftSection: <IconMoon size={ICON} aria-hidden />,
          onClick: () => setColorScheme('dark'),
        },
        {
          id: 'light',
          label: 'Light colours',
          leftSection: <IconSun size={ICON} aria-hidden />,
          onClick: () => setColorScheme('light'),
        },
        {
          id: 'sign-out',
          label: 'Sign out',
          leftSection: <IconLogout size={ICON} aria-hidden />,
          onClick: () => void signOut(),
        },
      ],
    },
  ]
  if (here?.permissions.has('moderation.view') && player !== '') {
    groups.push({
      group: 'Players',
      actions: [
        {
          id: 'player',
          // The filter of the palette looks for what was typed.
          label: `Find the player ${player}`,
          leftSection: <IconSearch size={ICON} aria-hidden />,
          onClick: () =>
            void navigate({
              to: '/w/$workspaceId/moderation',
              params: { workspaceId: here.id },
              search: { q: player },
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
      limit={LIMIT}
      highlightQuery
      centered={false}
      yOffset="12vh"
      attributes={{ content: { 'aria-label': 'Commands' } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      scrollable
      maxHeight={400}
      nothingFound="Nothing is called that"
      searchProps={{
        leftSection: <IconSearch size={ICON} aria-hidden />,
        placeholder: 'Go to, switch to, do…',
        'aria-label': 'Commands',
      }}
    />
  )
}
