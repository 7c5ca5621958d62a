import { AppError, forbidden } from './error.ts'

/** The catalogue: every permission, with the sentence the portal and the API show for it. */
export const permissionCatalog = {
  'moderation.view': 'Read bans, ban history and moderation records.',
  'moderation.note': 'Add notes, comments and evidence, and mark records as seen by the player.',
  'moderation.warn': 'Warn players.',
  'moderation.mute': 'Mute players and lift mutes.',
  'moderation.kick': 'Record kicks.',
  'moderation.ban': 'Ban players, and make a ban run longer.',
  'moderation.unban': 'Lift bans, and make a ban end sooner.',
  'moderation.edit': 'Change the reason, severity, evidence and duration of a record.',
  'moderation.revoke': 'Take records back.',
  'moderation.redact': 'Blank the texts of a record for good.',
  'departments.view': 'Read departments.',
  'departments.manage': 'Create, change, delete and restore departments.',
  'events.view': 'Read published events.',
  'events.manage': 'Create, change and delete events, and read drafts.',
  'events.publish': 'Publish events and take them back.',
  'workspace.view': 'Read the workspace and the list of its archives.',
  'workspace.create': 'Create further workspaces with an API key.',
  'workspace.rename': 'Change the group name.',
  'workspace.archive': 'Archive the workspace.',
  'workspace.restore': 'Take the workspace back into use, and restore archives.',
  'roles.view': 'Read roles and their permissions.',
  'roles.manage': 'Create, change, rank and delete roles below their own.',
  'members.view': 'Read the list of members.',
  'members.manage': 'Add and remove members, and assign roles below their own.',
  'api_keys.manage': 'Create, list, rotate and revoke API keys.',
  'endpoint_controls.view': 'Read which endpoints are switched off.',
  'endpoint_controls.manage': 'Switch endpoints on, to read-only, or off.',
  'usage.view': 'Read how much the workspace used the service.',
  'audit.view': 'Read the audit log.',
} as const

export type Permission = keyof typeof permissionCatalog

export const permissions = Object.keys(permissionCatalog) as readonly Permission[]

/** Whether a text names a permission of the catalogue. */
export const isPermission = (text: string): text is Permission => Object.hasOwn(permissionCatalog, text)

/** What a decision about a caller needs to know: the set it holds in the workspace at hand. */
export interface PermissionHolder {
  readonly permissions: ReadonlySet<Permission>
}

/** Whether the holder has the permission. Pure. */
export const hasPermission = (holder: PermissionHolder, permission: Permission): boolean =>
  holder.permissions.has(permission)

/** A 403 that names the permission the caller lacks. */
export const missingPermission = (permission: Permission): AppError =>
  new AppError('forbidden', {
    reason: 'missing_permission',
    permission,
    message: `This needs the permission ${permission}, which the caller lacks.`,
  })

/** @throws AppError `forbidden` with reason `missing_permission` and the permission's name. */
export function requirePermission(holder: PermissionHolder, permission: Permission): void {
  if (!hasPermission(holder, permission)) throw missingPermission(permission)
}

/**
 * Nobody grants what they lack.
 * @throws AppError `forbidden`, naming the first permission the grantor does not hold.
 */
export function assertCanGrant(grantor: PermissionHolder, granted: Iterable<Permission>): void {
  for (const permission of granted) requirePermission(grantor, permission)
}

/**
 * Nobody reaches their equals or those above them.
 * @param rank of the role, key or member that is to be touched, or that is to be given
 * @throws AppError `forbidden` with reason `insufficient_rank` where it is not below the actor's own
 */
export function assertOutranks(actor: { readonly rank: number }, rank: number): void {
  if (rank >= actor.rank) throw forbidden('insufficient_rank')
}

/** What the owner of a copy of a workspace reads in it: whoever makes one must be allowed to read that already. */
const READ_COPY_PERMISSIONS: readonly Permission[] = [
  'moderation.view',
  'departments.view',
  'events.view',
  'events.manage',
  'roles.view',
  'members.view',
  'endpoint_controls.view',
]

/** What it takes to make a new workspace of an archive. */
export const COPY_ARCHIVE_PERMISSIONS: readonly Permission[] = ['workspace.restore', ...READ_COPY_PERMISSIONS]

/** What it takes to take an archive away as a file. */
export const DOWNLOAD_ARCHIVE_PERMISSIONS: readonly Permission[] = [
  'workspace.archive',
  ...COPY_ARCHIVE_PERMISSIONS,
]
