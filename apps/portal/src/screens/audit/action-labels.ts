/** What the log calls each thing that can be done: as a choice of the filter, and as it stands between who and what. */
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

/** Everything that a workspace's log can hold. */
export const actionGroups: readonly ActionGroup[] = [
  createGroup('Moderation', 'moderation', {
    ban: ['Ban', 'banned'],
    unban: ['Lift a ban', 'lifted the ban of'],
    mute: ['Mute', 'muted'],
    unmute: ['Lift a mute', 'lifted the mute of'],
    kick: ['Kick', 'kicked'],
    warn: ['Warn', 'warned'],
    note: ['Note', 'wrote a note on'],
    edit: ['Edit a record', 'edited the record of'],
    extend: ['Move an end', 'moved the end for'],
    comment: ['Comment', 'commented on the record of'],
    evidence: ['Add evidence', 'added evidence to the record of'],
    acknowledge: ['Seen by the player', 'marked as seen by the player the record of'],
    revoke: ['Take a record back', 'took back the record of'],
    redact: ['Redact', 'redacted the record of'],
    supersede: ['Replace one in force', 'replaced what was in force for'],
    expire: ['Run out', 'found run out what was in force for'],
  }),
  createGroup('Events', 'events', {
    create: ['Plan an event', 'planned'],
    update: ['Change an event', 'changed'],
    publish: ['Publish an event', 'published'],
    unpublish: ['Take an event back', 'took back from publication'],
    delete: ['Delete an event', 'deleted'],
  }),
  createGroup('Departments', 'departments', {
    create: ['Make a department', 'made the department'],
    update: ['Change a department', 'changed the department'],
    delete: ['Delete a department', 'deleted the department'],
    restore: ['Restore a department', 'restored the department'],
    set_members: ['Staff a department', 'changed who belongs to'],
    order: ['Order departments', 'put in another order the departments of'],
  }),
  createGroup('People', 'members', {
    add: ['Add a member', 'added'],
    join: ['Join', 'let join'],
    set_roles: ['Give roles', 'changed the roles of'],
    remove: ['Remove a member', 'removed'],
    leave: ['Leave', 'left, being'],
  }),
  createGroup('Invitations', 'invitations', {
    create: ['Invite', 'made'],
    withdraw: ['Withdraw an invitation', 'withdrew'],
    accept: ['Accept an invitation', 'accepted'],
  }),
  createGroup('Roles', 'roles', {
    create: ['Make a role', 'made the role'],
    update: ['Change a role', 'changed the role'],
    delete: ['Delete a role', 'deleted the role'],
  }),
  createGroup('API keys', 'api_keys', {
    create: ['Make an API key', 'made the API key'],
    rotate: ['Rotate an API key', 'rotated the API key'],
    revoke: ['Revoke an API key', 'revoked the API key'],
  }),
  createGroup('Endpoint controls', 'endpoint_controls', {
    set: ['Switch an endpoint', 'switched the endpoint'],
  }),
  createGroup('Quota', 'quotas', { set: ['Set the quota', 'set the quota of'] }),
  createGroup('Workspace', 'workspaces', {
    create: ['Create the workspace', 'created'],
    rename: ['Rename', 'renamed'],
    archive: ['Archive', 'archived'],
    restore: ['Restore', 'restored'],
    roll_back: ['Roll back', 'rolled back'],
    copy: ['Copy an archive', 'made of an archive'],
    transfer: ['Transfer the ownership', 'transferred the ownership of'],
  }),
  createGroup('Archives', 'archives', { download: ['Download an archive', 'downloaded'] }),
]

const actionsById = new Map(
  actionGroups.flatMap(({ actions }) => actions).map((entry) => [entry.action, entry]),
)

/** What was done, to stand between who did it and what it was done to; in the log's own words where it has no others. */
export const describeAction = (action: string): string => actionsById.get(action)?.pastTense ?? action

/** What stands in the filter for an action. */
export const getActionLabel = (action: string): string => actionsById.get(action)?.label ?? action
