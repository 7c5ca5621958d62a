import { type Permission, permissionCatalog, permissions } from '@reeve/core'

const groupTitles: Readonly<Record<string, string>> = {
  moderation: 'Moderation',
  appeals: 'Appeals',
  departments: 'Departments',
  events: 'Events',
  workspace: 'Workspace',
  roles: 'Roles',
  members: 'People',
  api_keys: 'API keys',
  endpoint_controls: 'Endpoint controls',
  webhooks: 'Webhooks',
  usage: 'Usage',
  audit: 'Audit log',
}

export interface PermissionGroup {
  readonly title: string
  readonly permissions: readonly Permission[]
}

const getPrefix = (permission: Permission): string => permission.split('.')[0] ?? ''

/** Every permission, grouped by resource. */
export const permissionGroups: readonly PermissionGroup[] = [...new Set(permissions.map(getPrefix))].map(
  (prefix) => ({
    title: groupTitles[prefix] ?? prefix,
    permissions: permissions.filter((permission) => getPrefix(permission) === prefix),
  }),
)

/** The description of a permission without the final period, for lists and sentences. */
export const formatPermission = (permission: Permission): string =>
  permissionCatalog[permission].replace(/\.$/, '')
