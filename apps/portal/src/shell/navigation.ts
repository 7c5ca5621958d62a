import type { Permission } from '@reeve/core'
import {
  type Icon,
  IconBuildingCommunity,
  IconCalendarEvent,
  IconChartBar,
  IconGavel,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconSettings,
  IconShieldLock,
  IconSitemap,
  IconToggleRight,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react'
import type { Workspace } from '../api/me.ts'

/** One place to go to. */
export interface Place {
  readonly label: string
  readonly icon: Icon
  /** The address, below that of the workspace where there is one. */
  readonly path: string
  /** What the reader needs to see it; null is for everybody. */
  readonly needs: Permission | null
  /** Only this very address is this place, not those below it. */
  readonly isExact?: boolean
}

export interface Section {
  /** Null where the places speak for themselves. */
  readonly title: string | null
  readonly places: readonly Place[]
}

/** Everything in a workspace, in the order of how often it is needed. */
const workspaceSections: readonly Section[] = [
  {
    title: null,
    places: [
      { label: 'Home', icon: IconHome, path: '', needs: null, isExact: true },
      { label: 'Moderation', icon: IconGavel, path: '/moderation', needs: 'moderation.view' },
      { label: 'Events', icon: IconCalendarEvent, path: '/events', needs: 'events.view' },
      { label: 'Departments', icon: IconSitemap, path: '/departments', needs: 'departments.view' },
      { label: 'People', icon: IconUsers, path: '/people', needs: 'members.view' },
      { label: 'Roles', icon: IconShieldLock, path: '/roles', needs: 'roles.view' },
    ],
  },
  {
    title: 'Configuration',
    places: [
      { label: 'API keys', icon: IconKey, path: '/configuration/api/keys', needs: 'api_keys.manage' },
      {
        label: 'Endpoint controls',
        icon: IconToggleRight,
        path: '/configuration/api/controls',
        needs: 'endpoint_controls.view',
      },
      { label: 'Usage', icon: IconChartBar, path: '/configuration/api/usage', needs: 'usage.view' },
      { label: 'Workspace', icon: IconSettings, path: '/configuration/workspace', needs: 'workspace.view' },
      { label: 'Audit log', icon: IconHistory, path: '/audit', needs: 'audit.view' },
    ],
  },
]

const operatorSections: readonly Section[] = [
  {
    title: 'This instance',
    places: [
      { label: 'Health', icon: IconHeartbeat, path: '/operator/instance', needs: null },
      { label: 'Accounts', icon: IconUserCog, path: '/operator/accounts', needs: null },
      { label: 'Workspaces', icon: IconListDetails, path: '/operator/workspaces', needs: null },
    ],
  },
]

const ownSections: readonly Section[] = [
  {
    title: null,
    places: [
      {
        label: 'Your workspaces',
        icon: IconBuildingCommunity,
        path: '/workspaces',
        needs: null,
        isExact: true,
      },
      { label: 'Your account', icon: IconUserCog, path: '/account', needs: null },
    ],
  },
]

const mayGo =
  ({ permissions }: Workspace) =>
  ({ needs }: Place): boolean =>
    needs === null || permissions.has(needs)

/** Where the reader may go from here, with whole addresses. */
export function sectionsFor(workspace: Workspace | null, isOperating: boolean): readonly Section[] {
  if (!workspace) return isOperating ? operatorSections : ownSections
  return workspaceSections
    .map(({ title, places }) => ({
      title,
      places: places
        .filter(mayGo(workspace))
        .map((place) => ({ ...place, path: `/w/${workspace.id}${place.path}` })),
    }))
    .filter(({ places }) => places.length > 0)
}
