/** Every permission, with the description that the portal and the API show. */
export const permissionCatalog = {
  'moderation.view': 'View bans, ban history and moderation records.',
  'moderation.note': 'Add notes, comments and evidence, and mark records as seen by the player.',
  'moderation.warn': 'Warn players.',
  'moderation.mute': 'Mute players and lift mutes.',
  'moderation.kick': 'Record kicks.',
  'moderation.ban': 'Ban players and extend bans.',
  'moderation.unban': 'Lift and shorten bans.',
  'moderation.edit': 'Edit the reason, severity, evidence and duration of a record.',
  'moderation.revoke': 'Revoke records.',
  'moderation.redact': 'Permanently redact a record.',
  'departments.view': 'View departments.',
  'departments.manage': 'Create, edit, delete and restore departments.',
  'events.view': 'View published events.',
  'events.manage': 'Create, edit and delete events, and view drafts.',
  'events.publish': 'Publish and unpublish events.',
  'workspace.view': 'View the workspace and the list of its archives.',
  'workspace.create': 'Create more workspaces with an API key.',
  'workspace.rename': 'Rename the workspace and change its settings.',
  'workspace.archive': 'Archive the workspace.',
  'workspace.restore': 'Restore the workspace and its archives.',
  'roles.view': 'View roles and their permissions.',
  'roles.manage': 'Create, edit, rank and delete roles of a lower rank.',
  'members.view': 'View the list of members.',
  'members.manage': 'Add and remove members, and assign roles of a lower rank.',
  'api_keys.manage': 'Create, list, rotate and revoke API keys.',
  'endpoint_controls.view': 'View which endpoints are disabled.',
  'endpoint_controls.manage': 'Enable and disable endpoints, or make them read-only.',
  'usage.view': 'View how much the workspace uses the service.',
  'audit.view': 'View the audit log.',
} as const

export type Permission = keyof typeof permissionCatalog

// Marked as pure, so that code of the portal that uses no permission does not contain all of them.
export const permissions = /* @__PURE__ */ Object.keys(permissionCatalog) as readonly Permission[]

/** Whether a text is the name of a permission. */
export const isPermission = (text: string): text is Permission => Object.hasOwn(permissionCatalog, text)
