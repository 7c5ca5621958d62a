import { UNKNOWN_ID } from './instance.ts'
import type { SequenceStep } from './request-sequence.ts'

const withWorkspace = (path: string, query: Record<string, string> = {}) =>
  `/${path}?${new URLSearchParams({ workspaceId: 'WORKSPACE', ...query })}`
    .replaceAll('WORKSPACE', '{workspace}')
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}')

const readStep = (
  path: string,
  query: Record<string, string> = {},
  options: Partial<SequenceStep> = {},
): SequenceStep => ({
  method: 'GET',
  path: withWorkspace(path, query),
  ...options,
})
const writeStep = (
  method: 'POST' | 'PATCH',
  path: string,
  body: Record<string, unknown>,
  options: Partial<SequenceStep> = {},
): SequenceStep => ({ method, path: `/${path}`, body: { workspaceId: '{workspace}', ...body }, ...options })
const deleteStep = (path: string, id: string, options: Partial<SequenceStep> = {}): SequenceStep => ({
  method: 'DELETE',
  path: withWorkspace(path, { id }),
  ...options,
})

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

/** A write that is sent twice with one idempotency key. */
const repeatedBan = {
  action: 'ban',
  userId: '261',
  userUsername: 'Builderman',
  reason: '  Exploiting\nagain ',
  evidence: 'https://example.com/clip.mp4\nSeen by two of us',
  durationSeconds: 86_400,
}

const moderation: readonly SequenceStep[] = [
  writeStep('POST', 'moderation', repeatedBan, {
    save: { ban: 'record.id' },
    headers: { 'idempotency-key': 'ban-261' },
  }),
  writeStep('POST', 'moderation', repeatedBan, { headers: { 'idempotency-key': 'ban-261' } }),
  writeStep(
    'POST',
    'moderation',
    { action: 'ban', userId: '262', reason: 'Another' },
    { headers: { 'idempotency-key': 'ban-261' }, status: 422 },
  ),
  writeStep('POST', 'moderation', { action: 'note', userId: '156', reason: 'Asked for a mentor' }),
  writeStep('POST', 'moderation', {
    action: 'warning',
    userId: '156',
    reason: 'Language',
    severity: 'critical',
  }),
  writeStep('POST', 'moderation', { action: 'kick', userId: '4416', reason: 'Away' }),
  writeStep('POST', 'moderation', {
    action: 'mute',
    userId: '156',
    reason: 'Shouting',
    durationSeconds: '600',
  }),
  writeStep('POST', 'moderation', { action: 'unmute', userId: '156' }),
  writeStep('POST', 'moderation', { action: 'unmute', userId: '156' }, { status: 409 }),
  writeStep('POST', 'moderation', {
    action: 'edit',
    id: '{ban}',
    reason: 'Exploiting',
    severity: 'critical',
  }),
  writeStep('POST', 'moderation', { action: 'extend', id: '{ban}', value: -3600 }),
  writeStep('POST', 'moderation', { action: 'comment', id: '{ban}', value: 'Appeal pending' }),
  writeStep('POST', 'moderation', { action: 'evidence', id: '{ban}', value: 'https://example.com/2.mp4' }),
  writeStep('POST', 'moderation', { action: 'acknowledge', id: '{ban}' }, { headers: { 'if-match': '"5"' } }),
  writeStep(
    'POST',
    'moderation',
    { action: 'acknowledge', id: '{ban}' },
    { headers: { 'if-match': '"1"' }, status: 412 },
  ),
  readStep('moderation', { id: '{ban}' }),
  writeStep(
    'POST',
    'moderation',
    { action: 'perm_ban', userId: '261', reason: 'Exploiting, third time' },
    { save: { second: 'record.id' } },
  ),
  writeStep('POST', 'moderation', { action: 'pardon', userId: '261', reason: 'Appeal accepted' }),
  writeStep('POST', 'moderation', { action: 'unban', userId: '261' }, { status: 409 }),
  writeStep(
    'POST',
    'moderation',
    { action: 'temp_ban', userId: '4416', reason: 'Spam', durationSeconds: 60 },
    { save: { third: 'record.id' } },
  ),
  writeStep('POST', 'moderation', { action: 'revoke', id: '{third}', reason: 'Mistaken identity' }),
  writeStep('POST', 'moderation', { action: 'warn', userId: '4416', reason: 'Once more' }),
  writeStep(
    'POST',
    'moderation',
    { action: 'ban', userId: '4416', reason: 'Again' },
    { save: { fourth: 'record.id' } },
  ),
  writeStep('POST', 'moderation', { action: 'unban', id: '{fourth}' }),
  writeStep('POST', 'moderation', { action: 'redact', id: '{second}', reason: 'Asked to' }),
  readStep('moderation', { id: '{second}' }),
  readStep('moderation', { id: UNKNOWN_ID }, { status: 404 }),
  writeStep('POST', 'moderation', { userId: '261' }, { status: 400 }),
  writeStep('POST', 'moderation', { action: 'ban', userid: '261' }, { status: 400 }),
  readStep('moderation', { banList: 'perhaps', limit: '0' }, { status: 400 }),
  { method: 'PUT', path: withWorkspace('moderation'), body: {}, status: 405 },
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
  ...moderation,
  ...departments,
  ...events,
  ...rolePermissions,
  ...reads,
  ...rejectedSteps,
  ...workspaces,
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
  readStep('portal/api/overview'),
  readStep('portal/api/search', { q: '1' }),
  readStep('portal/api/content'),
  readStep('portal/api/jobs'),
  readStep('portal/api/departments'),
]
