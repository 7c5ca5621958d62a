/** An audited action: its label in the filter, and a phrase that reads well between the actor and the target. */
interface ActionLabel {
  readonly action: string
  readonly label: string
  readonly pastTense: string
}

interface ActionGroup {
  readonly title: string
  readonly actions: readonly ActionLabel[]
}

const createGroup = (
  title: string,
  resource: string,
  actions: Readonly<Record<string, readonly [label: string, pastTense: string]>>,
): ActionGroup => ({
  title,
  actions: Object.entries(actions).map(([name, [label, pastTense]]) => ({
    action: `${resource}.${name}`,
    label,
    pastTense,
  })),
})

/** All actions that the audit log of a workspace can contain. */
export const actionGroups: readonly ActionGroup[] = [
  createGroup('Moderation', 'moderation', {
    // Without the last two, which follow from time or from another action.
    '*': ['Any moderation action', 'moderated'],
    ban: ['Ban', 'banned'],
    unban: ['Lift a ban', 'lifted the ban of'],
    mute: ['Mute', 'muted'],
    unmute: ['Lift a mute', 'lifted the mute of'],
    kick: ['Kick', 'kicked'],
    warn: ['Warn', 'warned'],
    note: ['Note', 'added a note on'],
    edit: ['Edit a case', 'edited the case of'],
    extend: ['Change an expiry', 'changed the expiry of the sanction on'],
    comment: ['Comment on a case', 'commented on the case of'],
    evidence: ['Add evidence', 'added evidence to the case of'],
    acknowledge: ['Mark a case as seen', 'marked the case as seen for'],
    revoke: ['Revoke a case', 'revoked the case of'],
    redact: ['Redact a case', 'redacted the case of'],
    supersede: ['Replace a sanction', 'replaced the sanction on'],
    expire: ['Expire a sanction', 'expired the sanction on'],
  }),
  createGroup('Shared views', 'saved_views', {
    create: ['Share a view', 'shared the view'],
    update: ['Change a shared view', 'changed the shared view'],
    delete: ['Delete a shared view', 'deleted the shared view'],
  }),
  createGroup('Events', 'events', {
    create: ['Create an event', 'created the event'],
    update: ['Edit an event', 'edited the event'],
    publish: ['Publish an event', 'published the event'],
    unpublish: ['Unpublish an event', 'unpublished the event'],
    delete: ['Delete an event', 'deleted the event'],
  }),
  createGroup('Departments', 'departments', {
    create: ['Create a department', 'created the department'],
    update: ['Edit a department', 'edited the department'],
    delete: ['Delete a department', 'deleted the department'],
    restore: ['Restore a department', 'restored the department'],
    set_members: ['Change department members', 'changed the members of'],
    order: ['Reorder departments', 'reordered the departments of'],
  }),
  createGroup('People', 'members', {
    add: ['Add a member', 'added the member'],
    join: ['Join', 'joined as'],
    set_roles: ['Change roles', 'changed the roles of'],
    remove: ['Remove a member', 'removed the member'],
    leave: ['Leave', 'left as'],
  }),
  createGroup('Invitations', 'invitations', {
    create: ['Create an invitation', 'created'],
    withdraw: ['Withdraw an invitation', 'withdrew'],
    accept: ['Accept an invitation', 'accepted'],
  }),
  createGroup('Roles', 'roles', {
    create: ['Create a role', 'created the role'],
    update: ['Edit a role', 'edited the role'],
    delete: ['Delete a role', 'deleted the role'],
  }),
  createGroup('API keys', 'api_keys', {
    create: ['Create an API key', 'created the API key'],
    rotate: ['Rotate an API key', 'rotated the API key'],
    revoke: ['Revoke an API key', 'revoked the API key'],
  }),
  createGroup('Endpoint controls', 'endpoint_controls', {
    set: ['Change an endpoint mode', 'changed the mode of the endpoint'],
  }),
  createGroup('Quota', 'quotas', { set: ['Set the quota', 'set the quota of'] }),
  createGroup('Workspace', 'workspaces', {
    create: ['Create the workspace', 'created'],
    rename: ['Rename', 'renamed'],
    update: ['Change settings', 'changed the settings of'],
    archive: ['Archive', 'archived'],
    restore: ['Restore', 'restored'],
    roll_back: ['Roll back', 'rolled back'],
    copy: ['Copy an archive', 'copied an archive to'],
    transfer: ['Transfer ownership', 'transferred ownership of'],
  }),
  createGroup('Archives', 'archives', {
    create: ['Create an archive', 'created'],
    download: ['Download an archive', 'downloaded'],
    delete: ['Delete an archive', 'deleted'],
  }),
]

const actionsById = new Map(
  actionGroups.flatMap(({ actions }) => actions).map((entry) => [entry.action, entry]),
)

/** The phrase between actor and target, such as `banned`. An unknown action is returned as it is. */
export const describeAction = (action: string): string => actionsById.get(action)?.pastTense ?? action
