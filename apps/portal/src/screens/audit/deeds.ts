/** What the log calls each thing that can be done: as a choice of the filter, and as it stands between who and what. */
interface Deed {
  readonly action: string
  readonly label: string
  readonly did: string
}

interface DeedGroup {
  readonly title: string
  readonly deeds: readonly Deed[]
}

const group = (
  title: string,
  resource: string,
  deeds: Readonly<Record<string, readonly [label: string, did: string]>>,
): DeedGroup => ({
  title,
  deeds: Object.entries(deeds).map(([verb, [label, did]]) => ({ action: `${resource}.${verb}`, label, did })),
})

/** Everything that a workspace's log can hold. */
export const deedGroups: readonly DeedGroup[] = [
  group('Moderation', 'moderation', {
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
  group('Events', 'events', {
    create: ['Plan an event', 'planned'],
    update: ['Change an event', 'changed'],
    publish: ['Publish an event', 'published'],
    unpublish: ['Take an event back', 'took back from publication'],
    delete: ['Delete an event', 'deleted'],
  }),
  group('Departments', 'departments', {
    create: ['Make a department', 'made the department'],
    update: ['Change a department', 'changed the department'],
    delete: ['Delete a department', 'deleted the department'],
    restore: ['Restore a department', 'restored the department'],
    set_members: ['Staff a department', 'changed who belongs to'],
    order: ['Order departments', 'put in another order the departments of'],
  }),
  group('People', 'members', {
    add: ['Add a member', 'added'],
    join: ['Join', 'let join'],
    set_roles: ['Give roles', 'changed the roles of'],
    remove: ['Remove a member', 'removed'],
    leave: ['Leave', 'left, being'],
  }),
  group('Invitations', 'invitations', {
    create: ['Invite', 'made'],
    withdraw: ['Withdraw an invitation', 'withdrew'],
    accept: ['Accept an invitation', 'accepted'],
  }),
  group('Roles', 'roles', {
    create: ['Make a role', 'made the role'],
    update: ['Change a role', 'changed the role'],
    delete: ['Delete a role', 'deleted the role'],
  }),
  group('API keys', 'api_keys', {
    create: ['Make an API key', 'made the API key'],
    rotate: ['Rotate an API key', 'rotated the API key'],
    revoke: ['Revoke an API key', 'revoked the API key'],
  }),
  group('Endpoint controls', 'endpoint_controls', { set: ['Switch an endpoint', 'switched the endpoint'] }),
  group('Quota', 'quotas', { set: ['Set the quota', 'set the quota of'] }),
  group('Workspace', 'workspaces', {
    create: ['Create the workspace', 'created'],
    rename: ['Rename', 'renamed'],
    archive: ['Archive', 'archived'],
    restore: ['Restore', 'restored'],
    roll_back: ['Roll back', 'rolled back'],
    copy: ['Copy an archive', 'made of an archive'],
    transfer: ['Transfer the ownership', 'transferred the ownership of'],
  }),
  group('Archives', 'archives', { download: ['Download an archive', 'downloaded'] }),
]

const known = new Map(deedGroups.flatMap(({ deeds }) => deeds).map((deed) => [deed.action, deed]))

/** What was done, to stand between who did it and what it was done to; in the log's own words where it has no others. */
export const didOf = (action: string): string => known.get(action)?.did ?? action

/** What stands in the filter for an action. */
export const labelOf = (action: string): string => known.get(action)?.label ?? action
