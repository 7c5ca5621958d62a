import type { Permission } from '@reeve/core'
import {
  IconApi,
  IconBuildingCommunity,
  IconBuildingPlus,
  IconDeviceDesktop,
  IconPassword,
  IconUserCog,
} from '@tabler/icons-react'
import type { Me, Workspace } from '../../api/me.ts'
import { getWorkspaceSections, operatorSection } from '../navigation.ts'
import type { PaletteItem } from './palette-item.ts'

/** Other words for the pages of the navigation, by label. */
const PAGE_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  Home: ['overview', 'dashboard', 'today'],
  Moderation: ['find a player', 'players', 'bans'],
  Events: ['calendar', 'schedule', 'shifts', 'trainings', 'agenda'],
  Departments: ['teams', 'divisions'],
  People: ['members', 'staff', 'moderators', 'change roles', 'remove member'],
  Roles: ['ranks', 'permissions'],
  'Connect your game': ['roblox', 'integrations', 'set up', 'typescript', 'curl', 'first request'],
  Webhooks: ['discord', 'notifications', 'integrations', 'bots', 'deliveries', 'callbacks'],
  'API keys': ['tokens', 'secrets', 'bots', 'game servers', 'rotate', 'revoke key', 'integrations'],
  'Endpoint controls': ['endpoints', 'switch off', 'turn off', 'disable', 'read-only', 'maintenance'],
  Usage: ['quota', 'requests', 'statistics', 'traffic', 'limits'],
  Workspace: ['settings', 'configuration', 'group name'],
  'Audit log': ['history', 'changes', 'who did what', 'activity'],
  Health: ['status', 'version', 'backups', 'disk', 'database', 'instance'],
  Accounts: ['users', 'reset password', 'disable account', 'operators'],
  Workspaces: ['quota', 'owners', 'all workspaces'],
  Reports: ['abuse', 'complaints', 'reported workspaces'],
}

interface Place {
  readonly label: string
  /** The path in the workspace. */
  readonly path: string
  /** Like a page of the navigation, whose icon it has. */
  readonly parent: string
  readonly permission: Permission
  readonly keywords: readonly string[]
}

/** Parts of pages that are worth going to directly. */
const PLACES: readonly Place[] = [
  {
    label: 'Active bans',
    path: '/moderation/bans',
    parent: '/moderation',
    permission: 'moderation.view',
    keywords: ['banned players', 'ban list'],
  },
  {
    label: 'Active mutes',
    path: '/moderation/mutes',
    parent: '/moderation',
    permission: 'moderation.view',
    keywords: ['muted players', 'mute list'],
  },
  {
    label: 'Ban history',
    path: '/moderation/history',
    parent: '/moderation',
    permission: 'moderation.view',
    keywords: ['expired bans', 'lifted bans', 'unbans'],
  },
  {
    label: 'All cases',
    path: '/moderation/records',
    parent: '/moderation',
    permission: 'moderation.view',
    keywords: ['records', 'warnings', 'notes', 'kicks', 'mutes'],
  },
  {
    label: 'Role permissions',
    path: '/roles?view=permissions',
    parent: '/roles',
    permission: 'roles.view',
    keywords: ['permission matrix', 'what roles may do'],
  },
  {
    label: 'Invitations',
    path: '/people?tab=invitations',
    parent: '/people',
    permission: 'members.manage',
    keywords: ['pending invitations', 'withdraw', 'links'],
  },
  {
    label: 'Deleted departments',
    path: '/departments?view=deleted',
    parent: '/departments',
    permission: 'departments.manage',
    keywords: ['restore department'],
  },
  {
    label: 'Revoked and expired API keys',
    path: '/configuration/api/keys?show=ended',
    parent: '/configuration/api/keys',
    permission: 'api_keys.manage',
    keywords: ['old keys', 'ended keys'],
  },
  {
    label: 'Rename the workspace',
    path: '/configuration/workspace',
    parent: '/configuration/workspace',
    permission: 'workspace.rename',
    keywords: ['group name', 'settings'],
  },
  {
    label: 'Archives',
    path: '/configuration/workspace',
    parent: '/configuration/workspace',
    permission: 'workspace.view',
    keywords: ['roll back', 'download', 'copy workspace', 'backup', 'export'],
  },
]

/** The pages of the workspace, of the user's account and of the instance, and their sections. */
export function listPages(me: Me, workspace: Workspace | null): PaletteItem[] {
  const workspacePages = workspace ? getWorkspaceSections(workspace).flatMap(({ items }) => items) : []
  const operatorPages = me.isOperator ? operatorSection.items : []
  const places = PLACES.filter(({ permission }) => workspace?.permissions.has(permission)).flatMap(
    (place) => {
      const parent = workspacePages.find(({ path }) => path === `/w/${workspace?.id}${place.parent}`)
      return parent
        ? [
            {
              id: `place:${place.label}`,
              label: place.label,
              keywords: place.keywords,
              icon: parent.icon,
              target: `/w/${workspace?.id}${place.path}`,
            },
          ]
        : []
    },
  )
  return [
    ...workspacePages.map(({ label, path, icon }) => ({
      id: `page:${label}`,
      label,
      keywords: PAGE_KEYWORDS[label] ?? [],
      icon,
      target: path,
    })),
    ...places,
    ...accountPages,
    ...operatorPages.map(({ label, path, icon }) => ({
      id: `operator:${label}`,
      label: label === 'Workspaces' ? 'All workspaces' : label,
      detail: 'This instance',
      keywords: [...(PAGE_KEYWORDS[label] ?? []), 'operator', 'manage this instance'],
      icon,
      target: path,
    })),
  ]
}

const accountPages: readonly PaletteItem[] = [
  {
    id: 'account',
    label: 'Your account',
    keywords: ['profile', 'username'],
    icon: IconUserCog,
    target: '/account',
  },
  {
    id: 'password',
    label: 'Change your password',
    keywords: ['new password', 'security'],
    icon: IconPassword,
    target: '/account#password',
  },
  {
    id: 'sessions',
    label: 'Active sessions',
    keywords: ['devices', 'sign out everywhere', 'signed in', 'security'],
    icon: IconDeviceDesktop,
    target: '/account#sessions',
  },
  {
    id: 'workspaces',
    label: 'Your workspaces',
    keywords: ['communities', 'groups'],
    icon: IconBuildingCommunity,
    target: '/workspaces',
  },
  {
    id: 'new-workspace',
    label: 'Create a workspace',
    keywords: ['new workspace', 'add workspace', 'new community'],
    icon: IconBuildingPlus,
    target: '/workspaces/new',
  },
  {
    id: 'api-reference',
    label: 'API reference',
    detail: 'Opens in a new tab',
    keywords: ['documentation', 'docs', 'developers', 'openapi'],
    icon: IconApi,
    target: () => window.open('/docs', '_blank', 'noopener'),
  },
]
