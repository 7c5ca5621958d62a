import { hasPermission, type Permission, type PermissionHolder } from '@reeve/core'
import type { DataChange } from '@reeve/db'

/** What may be told to have changed, each with what it takes to hear of it; null where belonging is enough. */
const requiredPermissions = {
  moderation: 'moderation.view',
  departments: 'departments.view',
  events: 'events.view',
  workspaces: null,
  roles: 'roles.view',
  members: 'members.view',
  'api-keys': 'api_keys.manage',
  'endpoint-controls': 'endpoint_controls.view',
  archives: 'workspace.view',
  invitations: 'members.manage',
  usage: 'usage.view',
} as const satisfies Record<string, Permission | null>

export type LiveResource = keyof typeof requiredPermissions

export const liveResources = Object.keys(requiredPermissions) as readonly LiveResource[]

/** What a change shows in: a list of members tells their roles, a department who is in it, a workspace its quota. */
const resourcesByKind: Readonly<Record<DataChange['kind'], readonly LiveResource[]>> = {
  record: ['moderation'],
  department: ['departments'],
  event: ['events'],
  workspace: ['workspaces', 'archives', 'usage'],
  role: ['roles', 'members'],
  member: ['members', 'roles', 'departments'],
  api_key: ['api-keys'],
  endpoint_control: ['endpoint-controls'],
  invitation: ['invitations'],
}

export const affectedResources = ({ kind }: Pick<DataChange, 'kind'>): readonly LiveResource[] =>
  resourcesByKind[kind]

export const isChangeKind = (kind: string): kind is DataChange['kind'] => Object.hasOwn(resourcesByKind, kind)

/** What waits to be told: a resource, and whether only drafts of it have changed. */
export type PendingChanges = Map<LiveResource, { draftsOnly: boolean }>

/** Adds a change to what waits; that of a published event is wider than that of a draft. */
export function addPending(pending: PendingChanges, resource: LiveResource, draftsOnly: boolean): void {
  pending.set(resource, { draftsOnly: draftsOnly && (pending.get(resource)?.draftsOnly ?? true) })
}

/** Whether someone may hear that it has changed. */
export function canReceive(holder: PermissionHolder, resource: LiveResource, draftsOnly: boolean): boolean {
  const required = requiredPermissions[resource]
  if (required !== null && !hasPermission(holder, required)) return false
  return !draftsOnly || hasPermission(holder, 'events.manage')
}
