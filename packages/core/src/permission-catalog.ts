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
  'moderation.evidence': 'View, attach and remove evidence files.',
  'moderation.redact': 'Permanently redact a record.',
  'moderation.erase': 'Erase a player on request: delete or pseudonymise everything about them.',
  'moderation.import': 'Import records from other tools.',
  'moderation.export': 'Export all records, and the data of a player.',
  'moderation.configure': 'Edit reason templates, escalation ladders, the appeal form and retention rules.',
  'appeals.submit': 'Submit appeals of players, reply and withdraw them (API keys of games).',
  'appeals.view': 'View appeals, and add internal messages.',
  'appeals.decide': 'Decide appeals, which can lift or shorten the ban, and write to players.',
  'moderation.approve': 'Approve or reject the permanent bans that others request.',
  'moderation.bulk': 'Act on many players or records at once, and undo what somebody did.',
  'moderation.insights': 'View how much staff moderate, and how quickly they respond.',
  'moderation.override': 'Choose more than the ladder of a template.',
  'moderation.link': 'Link players who may be the same person, and change and delete links.',
  'departments.view': 'View departments.',
  'departments.manage': 'Create, edit, delete and restore departments.',
  'events.view': 'View published events.',
  'events.manage': 'Create, edit and delete drafts of events, and view drafts.',
  'events.publish':
    'Publish and unpublish events, and change published ones with the permission to manage events.',
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
  'webhooks.manage': 'Create, change, test and delete webhooks, and see their deliveries.',
  'usage.view': 'View how much the workspace uses the service.',
  'audit.view': 'View the audit log.',
} as const

export type Permission = keyof typeof permissionCatalog

// Marked as pure, so that code of the portal that uses no permission does not contain all of them.
export const permissions = /* @__PURE__ */ Object.keys(permissionCatalog) as readonly Permission[]

/** Whether a text is the name of a permission. */
export const isPermission = (text: string): text is Permission => Object.hasOwn(permissionCatalog, text)
