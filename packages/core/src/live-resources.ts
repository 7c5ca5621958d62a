import { hasPermission, type PermissionHolder } from './permission.ts'
import type { Permission } from './permission-catalog.ts'

/** The resources of a workspace whose changes are announced, with the permission to receive them; null for any member. */
const receivePermissions = {
  moderation: 'moderation.view',
  departments: 'departments.view',
  events: 'events.view',
  workspaces: null,
  roles: 'roles.view',
  members: 'members.view',
  'api-keys': 'api_keys.manage',
  'endpoint-controls': 'endpoint_controls.view',
  archives: 'workspace.view',
  jobs: 'workspace.view',
  invitations: 'members.manage',
  usage: 'usage.view',
} as const satisfies Record<string, Permission | null>

export type LiveResource = keyof typeof receivePermissions

export const liveResources = Object.keys(receivePermissions) as readonly LiveResource[]

/**
 * Whether a reader may learn that a resource has changed.
 * @param draftsOnly whether only drafts of it have changed, which editors alone see
 */
export function canReceive(holder: PermissionHolder, resource: LiveResource, draftsOnly: boolean): boolean {
  const required = receivePermissions[resource]
  if (required !== null && !hasPermission(holder, required)) return false
  return !draftsOnly || hasPermission(holder, 'events.manage')
}
