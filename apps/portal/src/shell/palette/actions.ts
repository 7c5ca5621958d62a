import type { Permission, SwitchableEndpoint } from '@reeve/core'
import {
  type Icon,
  IconArchive,
  IconArchiveOff,
  IconArrowsExchange,
  IconBuildingCommunity,
  IconCalendarPlus,
  IconDeviceDesktop,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconShieldPlus,
  IconSitemap,
  IconSun,
  IconUserPlus,
} from '@tabler/icons-react'
import type { Me, Workspace } from '../../api/me.ts'
import { openShortcutSheet } from '../shortcut-sheet.tsx'
import type { PaletteItem } from './palette-item.ts'

interface WorkspaceAction {
  readonly id: string
  readonly label: string
  readonly keywords: readonly string[]
  readonly icon: Icon
  /** The path in the workspace that opens the form. */
  readonly path: string
  readonly isAllowed: (workspace: Workspace) => boolean
}

/** Whether a workspace that is not archived allows something, and the endpoint that does it is on. */
const withPermission =
  (permission: Permission, endpoint?: SwitchableEndpoint) =>
  ({ permissions, isArchived, restrictedEndpoints }: Workspace): boolean =>
    permissions.has(permission) &&
    !isArchived &&
    (endpoint === undefined || !restrictedEndpoints.has(endpoint))

const WORKSPACE_ACTIONS: readonly WorkspaceAction[] = [
  {
    id: 'new-event',
    label: 'New event',
    keywords: ['create event', 'schedule', 'plan training'],
    icon: IconCalendarPlus,
    path: '/events?open=new',
    isAllowed: withPermission('events.manage', 'events'),
  },
  {
    id: 'invite',
    label: 'Invite someone',
    keywords: ['new invitation', 'add member', 'invitation link', 'add staff'],
    icon: IconUserPlus,
    path: '/people?open=invite',
    isAllowed: (workspace) =>
      withPermission('members.manage')(workspace) && workspace.permissions.has('members.view'),
  },
  {
    id: 'new-role',
    label: 'New role',
    keywords: ['create role', 'add role'],
    icon: IconShieldPlus,
    path: '/roles?open=new',
    isAllowed: withPermission('roles.manage'),
  },
  {
    id: 'new-department',
    label: 'New department',
    keywords: ['create department', 'add team'],
    icon: IconSitemap,
    path: '/departments?open=new',
    isAllowed: withPermission('departments.manage', 'departments'),
  },
  {
    id: 'new-key',
    label: 'New API key',
    keywords: ['create key', 'new token', 'connect game', 'add bot'],
    icon: IconKey,
    path: '/configuration/api/keys?open=new',
    isAllowed: withPermission('api_keys.manage'),
  },
  {
    id: 'archive',
    label: 'Archive the workspace',
    keywords: ['freeze', 'read-only', 'close workspace', 'delete workspace'],
    icon: IconArchive,
    path: '/configuration/workspace?open=archive',
    isAllowed: withPermission('workspace.archive', 'workspaces'),
  },
  {
    id: 'restore',
    label: 'Restore the workspace',
    keywords: ['unarchive', 'reopen'],
    icon: IconArchiveOff,
    path: '/configuration/workspace?open=restore',
    isAllowed: ({ permissions, isArchived, restrictedEndpoints }) =>
      isArchived && permissions.has('workspace.restore') && !restrictedEndpoints.has('workspaces'),
  },
  {
    id: 'transfer',
    label: 'Transfer ownership',
    keywords: ['new owner', 'hand over'],
    icon: IconArrowsExchange,
    path: '/configuration/workspace?open=transfer',
    isAllowed: ({ isOwner, isArchived }) => isOwner && !isArchived,
  },
]

/** What actions need that are not a page. */
export interface ActionTools {
  readonly setColorScheme: (scheme: 'auto' | 'light' | 'dark') => void
  readonly signOut: () => unknown
}

/** What the user can do here: in the workspace, and everywhere. */
export function listActions(workspace: Workspace | null, tools: ActionTools): PaletteItem[] {
  const { setColorScheme, signOut } = tools
  const colorScheme = ['theme', 'color scheme', 'appearance']
  return [
    ...WORKSPACE_ACTIONS.flatMap(({ path, isAllowed, ...action }) =>
      workspace && isAllowed(workspace) ? [{ ...action, target: `/w/${workspace.id}${path}` }] : [],
    ),
    {
      id: 'dark',
      label: 'Dark mode',
      keywords: ['night', ...colorScheme],
      icon: IconMoon,
      target: () => setColorScheme('dark'),
    },
    {
      id: 'light',
      label: 'Light mode',
      keywords: ['day', ...colorScheme],
      icon: IconSun,
      target: () => setColorScheme('light'),
    },
    {
      id: 'auto',
      label: 'Same color scheme as the device',
      keywords: ['automatic', 'system', ...colorScheme],
      icon: IconDeviceDesktop,
      target: () => setColorScheme('auto'),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      keywords: ['keys', 'help', 'hotkeys'],
      icon: IconKeyboard,
      target: openShortcutSheet,
    },
    { id: 'sign-out', label: 'Sign out', keywords: ['log out', 'leave'], icon: IconLogout, target: signOut },
  ]
}

/** The other workspaces of the user. */
export const listWorkspaceSwitches = ({ workspaces }: Me, current: Workspace | null): PaletteItem[] =>
  workspaces
    .filter(({ id }) => id !== current?.id)
    .map(({ id, groupName }) => ({
      id: `workspace:${id}`,
      label: groupName,
      detail: 'Workspace',
      keywords: ['switch workspace'],
      icon: IconBuildingCommunity,
      target: `/w/${id}`,
    }))
