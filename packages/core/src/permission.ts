import { AppError } from './error.ts'
import type { Permission } from './permission-catalog.ts'

/** Anyone with a set of permissions in the current workspace. */
export interface PermissionHolder {
  readonly permissions: ReadonlySet<Permission>
}

export const hasPermission = (holder: PermissionHolder, permission: Permission): boolean =>
  holder.permissions.has(permission)

/** A 403 that names the missing permission. */
export const missingPermission = (permission: Permission): AppError =>
  new AppError('forbidden', {
    reason: 'missing_permission',
    permission,
    message: `Missing permission: ${permission}.`,
  })

/** @throws AppError `forbidden` with reason `missing_permission` and the name of the permission */
export function requirePermission(holder: PermissionHolder, permission: Permission): void {
  if (!hasPermission(holder, permission)) throw missingPermission(permission)
}

/** The owner of a copied workspace can read all of this in it, so creating a copy requires permission to read it. */
const READ_COPY_PERMISSIONS: readonly Permission[] = [
  'moderation.view',
  'moderation.evidence',
  'appeals.view',
  'departments.view',
  'events.view',
  'events.manage',
  'roles.view',
  'members.view',
  'endpoint_controls.view',
]

/** Required to create a workspace from an archive. */
export const COPY_ARCHIVE_PERMISSIONS: readonly Permission[] = ['workspace.restore', ...READ_COPY_PERMISSIONS]

/** Required to download an archive. */
export const DOWNLOAD_ARCHIVE_PERMISSIONS: readonly Permission[] = [
  'workspace.archive',
  ...COPY_ARCHIVE_PERMISSIONS,
]
