import { INBOX_PERMISSIONS, type Permission } from '@reeve/core'
import {
  type Icon,
  IconArchive,
  IconBuildingCommunity,
  IconCalendarEvent,
  IconChartBar,
  IconChartHistogram,
  IconEraser,
  IconFileImport,
  IconFlag,
  IconGavel,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconListDetails,
  IconMessageReport,
  IconPlugConnected,
  IconSettings,
  IconShieldLock,
  IconSitemap,
  IconStack2,
  IconStairsUp,
  IconToggleRight,
  IconUserCircle,
  IconUserCog,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { Workspace } from '../api/me.ts'

/** A screen in the navigation. */
export interface NavigationItem {
  readonly label: string
  /** One word for the bar on a phone, where the label would need two lines. */
  readonly shortLabel?: string
  readonly icon: Icon
  /** The path, relative to the workspace in a workspace section. */
  readonly path: string
  /** The permission needed to see it, or several of which one is enough; null for everyone. */
  readonly permission: Permission | readonly Permission[] | null
  /** Whether paths below this one do not count as this screen. */
  readonly isExact?: boolean
  /** Whether it shows how much waits for the user. */
  readonly hasCount?: boolean
}

export interface NavigationSection {
  /** Null for a section without a heading. */
  readonly title: string | null
  /** Whether its screens are not in the bar on a phone, but only under More. */
  readonly isOnlyUnderMore?: boolean
  readonly items: readonly NavigationItem[]
}

/** The screens of a workspace, most used first. */
const workspaceSections: readonly NavigationSection[] = [
  {
    title: null,
    items: [
      { label: 'Home', icon: IconHome, path: '', permission: null, isExact: true },
      { label: 'Moderation', icon: IconGavel, path: '/moderation', permission: 'moderation.view' },
      { label: 'Appeals', icon: IconMessageReport, path: '/appeals', permission: 'appeals.view' },
      {
        label: 'Inbox',
        icon: IconInbox,
        path: '/inbox',
        permission: Object.values(INBOX_PERMISSIONS),
        hasCount: true,
      },
      { label: 'Events', icon: IconCalendarEvent, path: '/events', permission: 'events.view' },
      { label: 'Departments', icon: IconSitemap, path: '/departments', permission: 'departments.view' },
      { label: 'People', icon: IconUsers, path: '/people', permission: 'members.view' },
      { label: 'Roles', icon: IconShieldLock, path: '/roles', permission: 'roles.view' },
      { label: 'Batches', icon: IconStack2, path: '/batches', permission: 'moderation.bulk' },
      { label: 'Insights', icon: IconChartHistogram, path: '/insights', permission: 'moderation.insights' },
    ],
  },
  {
    title: 'Configuration',
    isOnlyUnderMore: true,
    items: [
      {
        label: 'Connect your game',
        icon: IconPlugConnected,
        path: '/configuration/connect',
        permission: 'api_keys.manage',
      },
      {
        label: 'Appeal form',
        icon: IconMessageReport,
        path: '/configuration/appeals',
        permission: 'appeals.view',
      },
      { label: 'API keys', icon: IconKey, path: '/configuration/api/keys', permission: 'api_keys.manage' },
      {
        label: 'Endpoint controls',
        icon: IconToggleRight,
        path: '/configuration/api/controls',
        permission: 'endpoint_controls.view',
      },
      {
        label: 'Reasons and ladders',
        icon: IconStairsUp,
        path: '/configuration/reasons',
        permission: 'moderation.view',
      },
      {
        label: 'Retention',
        icon: IconArchive,
        path: '/configuration/retention',
        permission: 'moderation.configure',
      },
      {
        label: 'Erasures',
        icon: IconEraser,
        path: '/configuration/erasures',
        permission: 'moderation.erase',
      },
      {
        label: 'Webhooks',
        icon: IconWebhook,
        path: '/configuration/webhooks',
        permission: 'webhooks.manage',
      },
      {
        label: 'Import',
        icon: IconFileImport,
        path: '/configuration/import',
        permission: 'moderation.import',
      },
      { label: 'Usage', icon: IconChartBar, path: '/configuration/api/usage', permission: 'usage.view' },
      {
        label: 'Workspace',
        icon: IconSettings,
        path: '/configuration/workspace',
        permission: 'workspace.view',
      },
      { label: 'Audit log', icon: IconHistory, path: '/audit', permission: 'audit.view' },
    ],
  },
]

/** The screens of operators. */
export const operatorSection: NavigationSection = {
  title: 'This instance',
  items: [
    { label: 'Health', icon: IconHeartbeat, path: '/operator/instance', permission: null },
    { label: 'Accounts', icon: IconUserCog, path: '/operator/accounts', permission: null },
    { label: 'Workspaces', icon: IconListDetails, path: '/operator/workspaces', permission: null },
    { label: 'Reports', icon: IconFlag, path: '/operator/reports', permission: null },
    { label: 'Instance log', icon: IconHistory, path: '/operator/audit', permission: null },
  ],
}

const accountSection: NavigationSection = {
  title: 'You',
  items: [
    {
      label: 'Your workspaces',
      shortLabel: 'Workspaces',
      icon: IconBuildingCommunity,
      path: '/workspaces',
      permission: null,
      isExact: true,
    },
    { label: 'Your account', shortLabel: 'You', icon: IconUserCircle, path: '/account', permission: null },
  ],
}

const canVisit =
  ({ permissions }: Workspace) =>
  ({ permission }: NavigationItem): boolean =>
    permission === null || [permission].flat().some((one) => permissions.has(one))

interface NavigationContext {
  /** The workspace in the URL or to return to; null if the user has to choose one. */
  readonly workspace: Workspace | null
  /** Whether a screen of the workspace is open, rather than one of the account or the instance. */
  readonly isInWorkspace: boolean
  readonly isOperator: boolean
}

/** The sections that the user can see, with full paths: those of the workspace first, in the same place on every screen. */
export function getSections({
  workspace,
  isInWorkspace,
  isOperator,
}: NavigationContext): readonly NavigationSection[] {
  const sections = workspace ? getWorkspaceSections(workspace) : []
  if (isInWorkspace) return sections
  return [...sections, accountSection, ...(isOperator ? [operatorSection] : [])]
}

/** The screens of a workspace that the user can see, with full paths. */
export const getWorkspaceSections = (workspace: Workspace): readonly NavigationSection[] =>
  workspaceSections
    .map(({ items, ...section }) => ({
      ...section,
      items: items
        .filter(canVisit(workspace))
        .map((item) => ({ ...item, path: `/w/${workspace.id}${item.path}` })),
    }))
    .filter(({ items }) => items.length > 0)
