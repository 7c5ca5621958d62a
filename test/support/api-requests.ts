import { appealSteps } from './appeal-requests.ts'
import { erasureSteps } from './erasure-requests.ts'
import { UNKNOWN_ID } from './instance.ts'
import { ladderSteps } from './ladder-requests.ts'
import { moderationSteps } from './moderation-requests.ts'
import type { SequenceStep } from './request-sequence.ts'
import { deleteStep, readStep, withWorkspace, writeStep } from './request-steps.ts'
import { webhookSteps } from './webhook-requests.ts'

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA6MdEIwAAAABJRU5ErkJggg=='

/** Reads of every list and of one record each. */
const reads: readonly SequenceStep[] = [
  readStep('moderation'),
  readStep('moderation', { banList: 'true' }),
  readStep('moderation', { banList: 'true', userId: '261,156,4416' }),
  readStep('moderation', { banHistory: 'true', limit: '2' }),
  readStep('moderation', { userId: '261', severity: 'high', status: 'active' }),
  readStep('moderation', { action: 'warn,note', text: 'x', from: '2026-01-01T00:00:00Z' }),
  { method: 'POST', path: withWorkspace('moderation', { banList: 'true', userId: '261' }) },
  { method: 'POST', path: withWorkspace('moderation', { banHistory: 'true' }), body: {} },
  { method: 'POST', path: '/moderation/check', body: { workspaceId: '{workspace}', userIds: '261,156' } },
  readStep('moderation/approvals'),
  readStep('moderation/approvals', { state: 'pending' }),
  readStep('moderation/batches'),
  // Of a month without records, because whether a record is a report depends on its creator.
  readStep('moderation/insights', { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' }),
  readStep('moderation/links'),
  readStep('moderation/links', { userId: '261' }),
  readStep('changes/snapshot', {}, { save: { epoch: 'epoch' } }),
  readStep('changes', { since: '0', epoch: '{epoch}' }),
  readStep('departments'),
  readStep('departments', { deleted: 'true' }),
  readStep('events'),
  readStep('events', { eventType: 'training', published: 'true', from: '2031-01-01T00:00:00Z' }),
  readStep('_workspace-permissions'),
  { method: 'GET', path: '/endpoint-controls' },
  { method: 'POST', path: '/endpoint-controls' },
  { method: 'GET', path: '/workspaces?id={workspace}' },
  { method: 'GET', path: '/workspaces?id={workspace}&archives=true' },
]

const departments: readonly SequenceStep[] = [
  writeStep(
    'POST',
    'departments',
    { name: 'Public relations', color: '#ABC' },
    { save: { department: 'department.id' } },
  ),
  writeStep('POST', 'departments', { name: 'PUBLIC RELATIONS' }, { status: 409 }),
  writeStep('POST', 'departments', { name: 'Builders' }, { save: { builders: 'department.id' } }),
  writeStep('PATCH', 'departments', { id: '{department}', description: 'Answers.', color: null }),
  writeStep(
    'PATCH',
    'departments',
    { id: '{department}', name: 'X' },
    { headers: { 'if-match': '"1"' }, status: 412 },
  ),
  readStep('departments', { id: '{department}' }),
  deleteStep('departments', '{builders}'),
  readStep('departments', { id: '{builders}' }, { status: 404 }),
  writeStep('PATCH', 'departments', { action: 'restore', id: '{builders}' }),
  writeStep('POST', 'departments', { action: 'delete', id: '{builders}' }),
  readStep('departments', { limit: '1' }),
  writeStep('POST', 'departments', { nmae: 'X', color: 'red' }, { status: 400 }),
]

const events: readonly SequenceStep[] = [
  writeStep(
    'POST',
    'events',
    {
      title: 'Cadet training',
      scheduledFor: '2031-03-01T19:00:00+01:00',
      eventType: 'training',
      trainingHost: 'Ossian',
      imageDataUrl: PIXEL,
    },
    { save: { event: 'event.id' } },
  ),
  writeStep(
    'POST',
    'events',
    { title: 'Meeting', scheduledFor: 1_930_327_200_000, imageUrl: 'https://example.com/a.png' },
    { save: { meeting: 'event.id' } },
  ),
  writeStep('PATCH', 'events', { id: '{event}', published: true }),
  writeStep('POST', 'events', { id: '{event}', trainingEnd: '2031-03-01T20:30:00Z' }),
  writeStep('PATCH', 'events', { id: '{event}', trainingEnd: '2031-03-01T17:00:00Z' }, { status: 400 }),
  readStep('events', { id: '{event}' }),
  readStep('events', { limit: '1' }),
  writeStep(
    'POST',
    'events',
    { title: '', imageUrl: 'http://example.com', image_url: 'https://b.example/' },
    { status: 400 },
  ),
  deleteStep('events', '{meeting}'),
  deleteStep('events', '{meeting}', { status: 404 }),
]

const rolePermissions: readonly SequenceStep[] = [
  writeStep('POST', '_workspace-permissions', {
    roleId: '{role}',
    permissions: 'moderation.view, moderation.ban',
  }),
  writeStep('POST', '_workspace-permissions', { roleId: '{role}', permissions: '[]' }),
  writeStep(
    'POST',
    '_workspace-permissions',
    { roleId: '{role}', permissions: 'moderation.bna' },
    { status: 400 },
  ),
  writeStep('POST', '_workspace-permissions', { roleId: UNKNOWN_ID, permissions: '' }, { status: 404 }),
  readStep('_workspace-permissions', { roleId: '{role}' }),
]

const workspaceStep = (body: Record<string, unknown>, options: Partial<SequenceStep> = {}): SequenceStep => ({
  method: 'POST',
  path: '/workspaces',
  body,
  ...options,
})

const workspaces: readonly SequenceStep[] = [
  workspaceStep({ id: '{workspace}', groupName: 'Day shift' }),
  workspaceStep({ action: 'archive', id: '{workspace}' }, { save: { archive: 'archive.id' } }),
  ...reads,
  writeStep('POST', 'departments', { name: 'Too late' }, { status: 403 }),
  workspaceStep({ id: '{workspace}', archive: true }, { status: 409 }),
  workspaceStep({ id: '{workspace}', fromArchive: '{archive}' }),
  ...reads,
  workspaceStep({ id: '{workspace}', archive: 'false' }, { status: 409 }),
  workspaceStep({ action: 'create', id: '{workspace}', groupName: 'X' }, { status: 400 }),
  workspaceStep({ fromArchive: '{archive}', groupName: 'Copy' }),
  workspaceStep({ groupName: 'Night shift' }),
  workspaceStep({ fromArchive: UNKNOWN_ID, groupName: 'X' }, { status: 404 }),
]

const rejectedSteps: readonly SequenceStep[] = [
  { method: 'GET', path: '/departments', status: 400 },
  { method: 'POST', path: '/events', body: { title: 'X' }, status: 400 },
  readStep('departments', { workspaceid: '1' }, { status: 400 }),
  { method: 'POST', path: '/endpoint-controls', body: { workspaceId: '{workspace}' }, status: 400 },
  { method: 'GET', path: '/nothing', status: 404 },
  { method: 'DELETE', path: '/workspaces?id={workspace}', status: 405 },
]

/**
 * Requests to every endpoint and action of the public API, with every error that does not depend on the caller. They start in a
 * new workspace with one role; they need the variables `workspace` and `role`.
 */
export const publicApiSteps: readonly SequenceStep[] = [
  ...reads,
  ...moderationSteps,
  ...appealSteps,
  ...departments,
  ...events,
  ...rolePermissions,
  ...reads,
  ...webhookSteps,
  ...ladderSteps,
  ...rejectedSteps,
  ...workspaces,
  ...erasureSteps,
]

/** Reads of every list that only the portal has. These paths have no legacy form. */
export const portalReadSteps: readonly SequenceStep[] = [
  { method: 'GET', path: '/portal/api/me' },
  { method: 'GET', path: '/portal/api/sessions' },
  readStep('portal/api/members'),
  readStep('portal/api/invitations'),
  readStep('portal/api/roles'),
  readStep('portal/api/api-keys'),
  readStep('portal/api/usage'),
  readStep('portal/api/audit'),
  readStep('portal/api/audit.csv'),
  readStep('portal/api/usage.csv'),
  readStep('portal/api/moderation.csv'),
  readStep('portal/api/players', { q: 'b' }),
  readStep('portal/api/reasons', { action: 'ban' }),
  readStep('portal/api/saved-views'),
  readStep('portal/api/appeals'),
  readStep('portal/api/appeals', { mine: 'true', state: 'denied' }),
  readStep('portal/api/appeals/statistics'),
  readStep('portal/api/appeals/settings'),
  readStep('portal/api/moderation/limits'),
  readStep('portal/api/overview'),
  readStep('portal/api/search', { q: '1' }),
  readStep('portal/api/content'),
  readStep('portal/api/jobs'),
  readStep('portal/api/imports'),
  readStep('portal/api/departments'),
]
