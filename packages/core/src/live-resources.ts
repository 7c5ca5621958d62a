import { INBOX_PERMISSIONS } from './inbox.ts'
import { hasPermission, type PermissionHolder } from './permission.ts'
import type { Permission } from './permission-catalog.ts'

/**
 * The resources of a workspace whose changes are announced, with the permissions of which one is required to receive
 * them; empty for any member.
 */
const receivePermissions = {
  moderation: ['moderation.view'],
  // Who works on a case or an appeal, and that something is new in an inbox: whose it is, a reader does not learn.
  claims: ['moderation.view', 'appeals.view'],
  inbox: [...Object.values(INBOX_PERMISSIONS), 'appeals.view'],
  appeals: ['appeals.view'],
  departments: ['departments.view'],
  events: ['events.view'],
  workspaces: [],
  roles: ['roles.view'],
  members: ['members.view'],
  'api-keys': ['api_keys.manage'],
  'endpoint-controls': ['endpoint_controls.view'],
  archives: ['workspace.view'],
  jobs: ['workspace.view'],
  invitations: ['members.manage'],
  webhooks: ['webhooks.manage'],
  imports: ['moderation.import'],
  erasures: ['moderation.erase'],
  usage: ['usage.view'],
} as const satisfies Record<string, readonly Permission[]>

export type LiveResource = keyof typeof receivePermissions

export const liveResources = Object.keys(receivePermissions) as readonly LiveResource[]

/**
 * Whether a reader may learn that a resource has changed.
 * @param draftsOnly whether only drafts of it have changed, which editors alone see
 */
export function canReceive(holder: PermissionHolder, resource: LiveResource, draftsOnly: boolean): boolean {
  const required: readonly Permission[] = receivePermissions[resource]
  if (required.length > 0 && !required.some((permission) => hasPermission(holder, permission))) return false
  return !draftsOnly || hasPermission(holder, 'events.manage')
}
