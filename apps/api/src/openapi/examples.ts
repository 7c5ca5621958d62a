import type { Example } from './example.ts'
import { exampleIds } from './example-ids.ts'
import { moderationExamples } from './moderation-examples.ts'
import { webhookExamples } from './webhook-examples.ts'

const workspaceId = exampleIds.workspace

/** A PNG of one gray pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA6MdEIwAAAABJRU5ErkJggg=='

const examples: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  ...moderationExamples,
  'get appeals': {
    read: {
      summary: 'A ban and its appeal, as the player may see them',
      query: { workspaceId, code: exampleIds.appealCode },
    },
  },
  'post appeals': {
    submit: {
      summary: 'Submit an appeal',
      body: {
        workspaceId,
        code: exampleIds.appealCode,
        message: 'My account was stolen. I have it back now.',
      },
    },
  },
  'post appeals/files': {
    send: {
      summary: 'Send a file with an appeal',
      body: { workspaceId, code: exampleIds.openAppealCode, name: 'chat.log', data: 'SGUgc2F5cyBzby4=' },
    },
  },
  'get changes': {
    follow: {
      summary: 'The changes since the snapshot or the previous response',
      query: { workspaceId, since: '0', epoch: exampleIds.epoch },
    },
    bans: {
      summary: 'Only bans',
      query: { workspaceId, since: '0', epoch: exampleIds.epoch, kinds: 'ban', limit: '100' },
    },
  },
  'get changes/snapshot': {
    all: { summary: 'All bans and mutes in force', query: { workspaceId } },
    bans: { summary: 'All bans in force', query: { workspaceId, kinds: 'ban' } },
    ids: {
      summary: 'The players who are banned, in one small body',
      query: { workspaceId, kinds: 'ban', format: 'ids' },
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
  ...webhookExamples(exampleIds),
}

/** The examples of an operation, by name. */
export const findExamples = (method: string, name: string): Readonly<Record<string, Example>> =>
  examples[`${method} ${name}`] ?? {}
