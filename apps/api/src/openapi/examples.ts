/** A valid request for the document. The tests send every one of them. */
export interface Example {
  readonly summary: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, string>>
}

/** The IDs used in examples: placeholders for the caller's own. */
export const exampleIds = {
  workspace: '0198c0de-0000-7000-8000-000000000001',
  archivedWorkspace: '0198c0de-0000-7000-8000-000000000002',
  archive: '0198c0de-0000-7000-8000-000000000003',
  role: '0198c0de-0000-7000-8000-000000000004',
  department: '0198c0de-0000-7000-8000-000000000005',
  deletedDepartment: '0198c0de-0000-7000-8000-000000000006',
  event: '0198c0de-0000-7000-8000-000000000007',
  ban: '0198c0de-0000-7000-8000-000000000008',
  archiveOfArchived: '0198c0de-0000-7000-8000-000000000009',
} as const

/** The players used in examples: one banned, one muted, and one neither. */
export const examplePlayers = { banned: '261', muted: '156', other: '4416' } as const

const workspaceId = exampleIds.workspace
const { banned, muted, other } = examplePlayers

/** A PNG of one gray pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA6MdEIwAAAABJRU5ErkJggg=='

const examples: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  'get moderation': {
    banCheck: {
      summary: 'Check whether a player is banned: an empty list means no',
      query: { workspaceId, banList: 'true', userId: banned },
    },
    banCheckOfServer: {
      summary: 'Check all players of a server',
      query: { workspaceId, banList: 'true', userId: [banned, muted, other].join(',') },
    },
    history: { summary: 'All bans and unbans', query: { workspaceId, banHistory: 'true', limit: '20' } },
    records: { summary: 'All records of one player', query: { workspaceId, userId: banned } },
    one: { summary: 'One record with its earlier versions', query: { workspaceId, id: exampleIds.ban } },
  },
  'post moderation': {
    banCheck: {
      summary: 'Check whether a player is banned, without a body',
      query: { workspaceId, banList: 'true', userId: banned },
    },
    ban: {
      summary: 'Ban a player permanently',
      body: {
        workspaceId,
        action: 'ban',
        userId: other,
        userUsername: 'Builderman',
        reason: 'Exploiting',
        evidence: 'https://example.com/clip.mp4',
      },
    },
    banForADay: {
      summary: 'Ban a player for a day',
      body: { workspaceId, action: 'ban', userId: other, reason: 'Spamming', durationSeconds: '86400' },
    },
    banOnBehalf: {
      summary: 'Ban a player on behalf of a staff member',
      body: {
        workspaceId,
        action: 'ban',
        userId: other,
        reason: 'Exploiting',
        actorPlatformUserId: '77',
        actorUsername: 'Ossian',
      },
    },
    unban: {
      summary: 'Lift the ban of a player',
      body: { workspaceId, action: 'unban', userId: banned, reason: 'Appeal accepted' },
    },
    note: {
      summary: 'Add a note',
      body: { workspaceId, action: 'note', userId: other, reason: 'Asked for a mentor' },
    },
    warn: {
      summary: 'Warn a player',
      body: { workspaceId, action: 'warn', userId: other, reason: 'Language', severity: 'medium' },
    },
    kick: { summary: 'Record a kick', body: { workspaceId, action: 'kick', userId: other, reason: 'Away' } },
    mute: {
      summary: 'Mute a player for ten minutes',
      body: { workspaceId, action: 'mute', userId: other, reason: 'Shouting', durationSeconds: '600' },
    },
    unmute: { summary: 'Lift a mute', body: { workspaceId, action: 'unmute', userId: muted } },
    edit: {
      summary: 'Correct a record',
      body: { workspaceId, action: 'edit', id: exampleIds.ban, reason: 'Exploiting, second time' },
    },
    extend: {
      summary: 'Extend a ban by one hour',
      body: { workspaceId, action: 'extend', id: exampleIds.ban, value: '3600' },
    },
    comment: {
      summary: 'Comment on a record',
      body: { workspaceId, action: 'comment', id: exampleIds.ban, value: 'Seen by two of us.' },
    },
    evidence: {
      summary: 'Add evidence to a record',
      body: { workspaceId, action: 'evidence', id: exampleIds.ban, value: 'https://example.com/clip.mp4' },
    },
    acknowledge: {
      summary: 'Mark a record as seen by the player',
      body: { workspaceId, action: 'acknowledge', id: exampleIds.ban },
    },
    revoke: {
      summary: 'Revoke a record',
      body: { workspaceId, action: 'revoke', id: exampleIds.ban, reason: 'Mistaken identity' },
    },
    redact: {
      summary: 'Permanently redact a record',
      body: { workspaceId, action: 'redact', id: exampleIds.ban, reason: 'Request of the player' },
    },
  },
  'get departments': {
    list: { summary: 'All departments', query: { workspaceId } },
    one: { summary: 'One department', query: { workspaceId, id: exampleIds.department } },
    deleted: { summary: 'Deleted departments', query: { workspaceId, deleted: 'true' } },
  },
  'post departments': {
    create: {
      summary: 'Create a department',
      body: {
        workspaceId,
        name: 'Public relations',
        color: '#3366ff',
        description: 'Answers the community.',
      },
    },
    update: {
      summary: 'Rename a department',
      body: { workspaceId, action: 'update', id: exampleIds.department, name: 'Community' },
    },
  },
  'patch departments': {
    update: {
      summary: 'Change the color',
      body: { workspaceId, id: exampleIds.department, color: '#ff6633' },
    },
    delete: {
      summary: 'Delete a department',
      body: { workspaceId, action: 'delete', id: exampleIds.department },
    },
    restore: {
      summary: 'Restore a deleted department',
      body: { workspaceId, action: 'restore', id: exampleIds.deletedDepartment },
    },
  },
  'delete departments': {
    one: { summary: 'Delete a department', query: { workspaceId, id: exampleIds.department } },
  },
  'get workspaces': {
    list: { summary: 'All workspaces that the caller can see', query: { limit: '50' } },
    one: { summary: 'One workspace, with the progress of its job', query: { id: workspaceId } },
    archives: { summary: 'The archives of a workspace', query: { id: workspaceId, archives: 'true' } },
  },
  'post workspaces': {
    create: { summary: 'Create a workspace', body: { groupName: 'Night shift' } },
    rename: { summary: 'Rename a workspace', body: { id: workspaceId, groupName: 'Day shift' } },
    archive: {
      summary: 'Archive a workspace: the response has the job',
      body: { id: workspaceId, action: 'archive' },
    },
    restore: {
      summary: 'Restore an archived workspace',
      body: { id: exampleIds.archivedWorkspace, action: 'restore' },
    },
    copy: {
      summary: 'Create a workspace from an archive: the response has the job',
      body: { fromArchive: exampleIds.archive, groupName: 'Night shift, copied' },
    },
    rollBack: {
      summary: 'Roll an archived workspace back to one of its archives: the response has the job',
      body: {
        id: exampleIds.archivedWorkspace,
        action: 'restore',
        fromArchive: exampleIds.archiveOfArchived,
      },
    },
  },
  'get _workspace-permissions': {
    list: { summary: 'All roles and the catalog of permissions', query: { workspaceId } },
    one: { summary: 'One role', query: { workspaceId, roleId: exampleIds.role } },
  },
  'post _workspace-permissions': {
    json: {
      summary: 'Replace the permissions of a role',
      body: { workspaceId, roleId: exampleIds.role, permissions: '["moderation.view","moderation.ban"]' },
    },
    commas: {
      summary: 'Replace the permissions of a role, as a comma-separated list',
      body: { workspaceId, roleId: exampleIds.role, permissions: 'moderation.view,moderation.ban' },
    },
  },
  'get events': {
    upcoming: {
      summary: 'Upcoming events',
      query: { workspaceId, from: '2026-03-01T00:00:00Z', limit: '20' },
    },
    trainings: {
      summary: 'Published trainings',
      query: { workspaceId, eventType: 'training', published: 'true' },
    },
    one: { summary: 'One event', query: { workspaceId, id: exampleIds.event } },
  },
  'post events': {
    training: {
      summary: 'Schedule a training with an image',
      body: {
        workspaceId,
        title: 'Cadet training',
        scheduledFor: '2026-03-01T18:00:00Z',
        eventType: 'training',
        trainingHost: 'Ossian',
        experienceId: '4416',
        experienceName: 'Training grounds',
        imageDataUrl: PIXEL,
      },
    },
    meeting: {
      summary: 'Schedule a meeting, with the time in epoch milliseconds',
      body: {
        workspaceId,
        title: 'Staff meeting',
        scheduledFor: '1772388000000',
        endsAt: '1772395200000',
        eventType: 'meeting',
      },
    },
  },
  'patch events': {
    publish: {
      summary: 'Publish an event',
      body: { workspaceId, id: exampleIds.event, published: 'true' },
    },
    move: {
      summary: 'Reschedule an event',
      body: { workspaceId, id: exampleIds.event, scheduledFor: '2026-03-02T18:00:00+01:00' },
    },
  },
  'delete events': {
    one: { summary: 'Delete an event', query: { workspaceId, id: exampleIds.event } },
  },
}

/** The examples of an operation, by name. */
export const findExamples = (method: string, name: string): Readonly<Record<string, Example>> =>
  examples[`${method} ${name}`] ?? {}
