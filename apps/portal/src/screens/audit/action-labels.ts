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
    attach_file: ['Attach a file', 'attached a file to the case of'],
    remove_file: ['Remove a file', 'removed a file from the case of'],
    acknowledge: ['Mark a case as seen', 'marked the case as seen for'],
    revoke: ['Revoke a case', 'revoked the case of'],
    redact: ['Redact a case', 'redacted the case of'],
    erase: ['Erase a case', 'erased'],
    pseudonymise: ['Pseudonymise a case', 'pseudonymised the case of'],
    approve: ['Approve a ban', 'approved the ban of'],
    reject: ['Reject a ban', 'rejected the ban of'],
    reject_permanence: ['Keep a ban temporary', 'rejected a permanent ban of'],
    supersede: ['Replace a sanction', 'replaced the sanction on'],
    expire: ['Expire a sanction', 'expired the sanction on'],
    import: ['Import a case', 'imported a case of'],
    restore: ['Revert a change of a case', 'reverted a change of the case of'],
    assign: ['Assign a case', 'assigned'],
    unassign: ['Unassign a case', 'unassigned'],
  }),
  createGroup('Batches', 'batches', {
    create: ['Start a batch', 'started'],
    cancel: ['Cancel a batch', 'cancelled'],
    finish: ['Finish a batch', 'finished'],
  }),
  createGroup('Pinned notes', 'pinned_notes', {
    create: ['Pin a note', 'pinned a note on'],
    delete: ['Unpin a note', 'unpinned a note on'],
  }),
  createGroup('Links between players', 'player_links', {
    create: ['Link two players', 'linked'],
    update: ['Change a link', 'changed the link of'],
    delete: ['Delete a link', 'deleted the link of'],
  }),
  createGroup('Templates', 'templates', {
    create: ['Create a template', 'created the template'],
    update: ['Edit a template', 'edited the template'],
    archive: ['Archive a template', 'archived the template'],
    restore: ['Restore a template', 'restored the template'],
    order: ['Reorder templates', 'reordered the templates of'],
  }),
  createGroup('Retention', 'retention', {
    configure: ['Change retention rules', 'changed'],
    delete: ['Delete old cases', 'deleted'],
  }),
  createGroup('Ladders', 'ladders', {
    create: ['Create a ladder', 'created the ladder'],
    update: ['Edit a ladder', 'edited the ladder'],
    archive: ['Archive a ladder', 'archived the ladder'],
    restore: ['Restore a ladder', 'restored the ladder'],
  }),
  createGroup('Appeals', 'appeals', {
    submit: ['Submit an appeal', 'submitted the appeal of'],
    reply: ['Reply to an appeal', 'replied to the appeal of'],
    withdraw: ['Withdraw an appeal', 'withdrew the appeal of'],
    review: ['Review an appeal', 'began to review the appeal of'],
    note: ['Note on an appeal', 'added an internal message to the appeal of'],
    message: ['Write to a player', 'wrote about the appeal to'],
    attach_file: ['Send a file with an appeal', 'sent a file with the appeal of'],
    decide: ['Decide an appeal', 'decided the appeal of'],
    expire: ['Close an appeal of a ban that ended', 'ended the ban and closed the appeal of'],
    supersede: ['Close an appeal of a ban that was replaced', 'replaced the ban and closed the appeal of'],
    restore: ['Restore an appeal', 'reversed changes and restored the appeal of'],
    configure: ['Change how appeals work', 'changed'],
  }),
  createGroup('Imports', 'imports', {
    start: ['Start an import', 'imported'],
    end: ['Complete an import', 'ended the import of'],
  }),
  createGroup('Erasures', 'players', {
    erase: ['Request the erasure of a player', 'requested'],
    finish_erasure: ['Complete the erasure of a player', 'completed'],
  }),
  createGroup('Exports', 'exports', { download: ['Download an export', 'downloaded cases of'] }),
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
    join: ['Join', 'joined as'],
    set_roles: ['Change roles', 'changed the roles of'],
    set_players: ['Link players', 'changed the players of'],
    remove: ['Remove a member', 'removed the member'],
    leave: ['Leave', 'left as'],
    blank_name: ['Remove the name of a deleted account', 'removed the name of'],
  }),
  createGroup('Invitations', 'invitations', {
    create: ['Create an invitation', 'created'],
    withdraw: ['Withdraw an invitation', 'withdrew'],
    accept: ['Accept an invitation', 'accepted'],
    decline: ['Decline an invitation', 'declined'],
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
    confirm: ['Confirm an API key after a restore', 'confirmed the API key'],
    lower_rank: ['Lower the rank of an API key', 'lowered the rank of the API key'],
    limit: ['Limit an API key', 'limited the API key'],
    set_expiry: ['Change the expiry of an API key', 'changed the expiry of the API key'],
  }),
  createGroup('Endpoint controls', 'endpoint_controls', {
    set: ['Change an endpoint mode', 'changed the mode of the endpoint'],
  }),
  createGroup('Webhooks', 'webhooks', {
    create: ['Create a webhook', 'created the webhook'],
    update: ['Edit a webhook', 'edited the webhook'],
    pause: ['Pause a webhook', 'paused the webhook'],
    resume: ['Resume a webhook', 'resumed the webhook'],
    rotate: ['Rotate the secret of a webhook', 'rotated the secret of the webhook'],
    disable: ['Disable a failing webhook', 'disabled the webhook'],
    delete: ['Delete a webhook', 'deleted the webhook'],
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
    request_deletion: ['Request the deletion', 'requested the deletion of'],
    undo_deletion: ['Undo the deletion', 'undid the deletion of'],
    set_second_factor_policy: ['Change who needs a second factor', 'changed who needs a second factor in'],
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
