import { NEVER_WAS } from './instance.ts'
import type { Step } from './walk.ts'

const at = (path: string, query: Record<string, string> = {}) =>
  `/${path}?${new URLSearchParams({ workspaceId: 'WORKSPACE', ...query })}`
    .replaceAll('WORKSPACE', '{workspace}')
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}')

const get = (path: string, query: Record<string, string> = {}, more: Partial<Step> = {}): Step => ({
  method: 'GET',
  path: at(path, query),
  ...more,
})
const write = (
  method: 'POST' | 'PATCH',
  path: string,
  body: Record<string, unknown>,
  more: Partial<Step> = {},
): Step => ({ method, path: `/${path}`, body: { workspaceId: '{workspace}', ...body }, ...more })
const drop = (path: string, id: string, more: Partial<Step> = {}): Step => ({
  method: 'DELETE',
  path: at(path, { id }),
  ...more,
})

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA6MdEIwAAAABJRU5ErkJggg=='

/** Every list, and one record each, as they stand at the time. */
const readings: readonly Step[] = [
  get('moderation'),
  get('moderation', { banList: 'true' }),
  get('moderation', { banList: 'true', userId: '261,156,4416' }),
  get('moderation', { banHistory: 'true', limit: '2' }),
  get('moderation', { userId: '261', severity: 'high', status: 'active' }),
  { method: 'POST', path: at('moderation', { banList: 'true', userId: '261' }) },
  { method: 'POST', path: at('moderation', { banHistory: 'true' }), body: {} },
  get('departments'),
  get('departments', { deleted: 'true' }),
  get('events'),
  get('events', { eventType: 'training', published: 'true', from: '2031-01-01T00:00:00Z' }),
  get('_workspace-permissions'),
  { method: 'GET', path: '/endpoint-controls' },
  { method: 'POST', path: '/endpoint-controls' },
  { method: 'GET', path: '/workspaces?id={workspace}' },
  { method: 'GET', path: '/workspaces?id={workspace}&archives=true' },
]

const moderation: readonly Step[] = [
  write(
    'POST',
    'moderation',
    {
      action: 'ban',
      userId: '261',
      userUsername: 'Builderman',
      reason: '  Exploiting\nagain ',
      evidence: 'https://example.com/clip.mp4\nSeen by two of us',
      durationSeconds: 86_400,
    },
    { keep: { ban: 'record.id' }, headers: { 'idempotency-key': 'ban-261' } },
  ),
  write(
    'POST',
    'moderation',
    {
      action: 'ban',
      userId: '261',
      userUsername: 'Builderman',
      reason: '  Exploiting\nagain ',
      evidence: 'https://example.com/clip.mp4\nSeen by two of us',
      durationSeconds: 86_400,
    },
    { headers: { 'idempotency-key': 'ban-261' } },
  ),
  write(
    'POST',
    'moderation',
    { action: 'ban', userId: '262', reason: 'Another' },
    { headers: { 'idempotency-key': 'ban-261' }, status: 422 },
  ),
  write('POST', 'moderation', { action: 'note', userId: '156', reason: 'Asked for a mentor' }),
  write('POST', 'moderation', { action: 'warning', userId: '156', reason: 'Language', severity: 'critical' }),
  write('POST', 'moderation', { action: 'kick', userId: '4416', reason: 'Away' }),
  write('POST', 'moderation', { action: 'mute', userId: '156', reason: 'Shouting', durationSeconds: '600' }),
  write('POST', 'moderation', { action: 'unmute', userId: '156' }),
  write('POST', 'moderation', { action: 'unmute', userId: '156' }, { status: 409 }),
  write('POST', 'moderation', { action: 'edit', id: '{ban}', reason: 'Exploiting', severity: 'critical' }),
  write('POST', 'moderation', { action: 'extend', id: '{ban}', value: -3600 }),
  write('POST', 'moderation', { action: 'comment', id: '{ban}', value: 'Appeal pending' }),
  write('POST', 'moderation', { action: 'evidence', id: '{ban}', value: 'https://example.com/2.mp4' }),
  write('POST', 'moderation', { action: 'acknowledge', id: '{ban}' }, { headers: { 'if-match': '"5"' } }),
  write(
    'POST',
    'moderation',
    { action: 'acknowledge', id: '{ban}' },
    { headers: { 'if-match': '"1"' }, status: 412 },
  ),
  get('moderation', { id: '{ban}' }),
  write(
    'POST',
    'moderation',
    { action: 'perm_ban', userId: '261', reason: 'Exploiting, third time' },
    { keep: { second: 'record.id' } },
  ),
  write('POST', 'moderation', { action: 'pardon', userId: '261', reason: 'Appeal accepted' }),
  write('POST', 'moderation', { action: 'unban', userId: '261' }, { status: 409 }),
  write(
    'POST',
    'moderation',
    { action: 'temp_ban', userId: '4416', reason: 'Spam', durationSeconds: 60 },
    { keep: { third: 'record.id' } },
  ),
  write('POST', 'moderation', { action: 'revoke', id: '{third}', reason: 'Mistaken identity' }),
  write('POST', 'moderation', { action: 'warn', userId: '4416', reason: 'Once more' }),
  write(
    'POST',
    'moderation',
    { action: 'ban', userId: '4416', reason: 'Again' },
    { keep: { fourth: 'record.id' } },
  ),
  write('POST', 'moderation', { action: 'unban', id: '{fourth}' }),
  write('POST', 'moderation', { action: 'redact', id: '{second}', reason: 'Asked to' }),
  get('moderation', { id: '{second}' }),
  get('moderation', { id: NEVER_WAS }, { status: 404 }),
  write('POST', 'moderation', { userId: '261' }, { status: 400 }),
  write('POST', 'moderation', { action: 'ban', userid: '261' }, { status: 400 }),
  get('moderation', { banList: 'perhaps', limit: '0' }, { status: 400 }),
  { method: 'PUT', path: at('moderation'), body: {}, status: 405 },
]

const departments: readonly Step[] = [
  write(
    'POST',
    'departments',
    { name: 'Public relations', color: '#ABC' },
    { keep: { department: 'department.id' } },
  ),
  write('POST', 'departments', { name: 'PUBLIC RELATIONS' }, { status: 409 }),
  write('POST', 'departments', { name: 'Builders' }, { keep: { builders: 'department.id' } }),
  write('PATCH', 'departments', { id: '{department}', description: 'Answers.', color: null }),
  write(
    'PATCH',
    'departments',
    { id: '{department}', name: 'X' },
    { headers: { 'if-match': '"1"' }, status: 412 },
  ),
  get('departments', { id: '{department}' }),
  drop('departments', '{builders}'),
  get('departments', { id: '{builders}' }, { status: 404 }),
  write('PATCH', 'departments', { action: 'restore', id: '{builders}' }),
  write('POST', 'departments', { action: 'delete', id: '{builders}' }),
  get('departments', { limit: '1' }),
  write('POST', 'departments', { nmae: 'X', color: 'red' }, { status: 400 }),
]

const events: readonly Step[] = [
  write(
    'POST',
    'events',
    {
      title: 'Cadet training',
      scheduledFor: '2031-03-01T19:00:00+01:00',
      eventType: 'training',
      trainingHost: 'Ossian',
      imageDataUrl: PIXEL,
    },
    { keep: { event: 'event.id' } },
  ),
  write(
    'POST',
    'events',
    { title: 'Meeting', scheduledFor: 1_930_327_200_000, imageUrl: 'https://example.com/a.png' },
    { keep: { meeting: 'event.id' } },
  ),
  write('PATCH', 'events', { id: '{event}', published: true }),
  write('POST', 'events', { id: '{event}', trainingEnd: '2031-03-01T20:30:00Z' }),
  write('PATCH', 'events', { id: '{event}', trainingEnd: '2031-03-01T17:00:00Z' }, { status: 400 }),
  get('events', { id: '{event}' }),
  get('events', { limit: '1' }),
  write(
    'POST',
    'events',
    { title: '', imageUrl: 'http://example.com', image_url: 'https://b.example/' },
    { status: 400 },
  ),
  drop('events', '{meeting}'),
  drop('events', '{meeting}', { status: 404 }),
]

const roles: readonly Step[] = [
  write('POST', '_workspace-permissions', {
    roleId: '{role}',
    permissions: 'moderation.view, moderation.ban',
  }),
  write('POST', '_workspace-permissions', { roleId: '{role}', permissions: '[]' }),
  write(
    'POST',
    '_workspace-permissions',
    { roleId: '{role}', permissions: 'moderation.bna' },
    { status: 400 },
  ),
  write('POST', '_workspace-permissions', { roleId: NEVER_WAS, permissions: '' }, { status: 404 }),
  get('_workspace-permissions', { roleId: '{role}' }),
]

const workspace = (body: Record<string, unknown>, more: Partial<Step> = {}): Step => ({
  method: 'POST',
  path: '/workspaces',
  body,
  ...more,
})

const workspaces: readonly Step[] = [
  workspace({ id: '{workspace}', groupName: 'Day shift' }),
  workspace({ action: 'archive', id: '{workspace}' }, { keep: { archive: 'archive.id' } }),
  ...readings,
  write('POST', 'departments', { name: 'Too late' }, { status: 403 }),
  workspace({ id: '{workspace}', archive: true }, { status: 409 }),
  workspace({ id: '{workspace}', fromArchive: '{archive}' }),
  ...readings,
  workspace({ id: '{workspace}', archive: 'false' }, { status: 409 }),
  workspace({ action: 'create', id: '{workspace}', groupName: 'X' }, { status: 400 }),
  workspace({ fromArchive: '{archive}', groupName: 'Copy' }),
  workspace({ groupName: 'Night shift' }),
  workspace({ fromArchive: NEVER_WAS, groupName: 'X' }, { status: 404 }),
]

const refusals: readonly Step[] = [
  { method: 'GET', path: '/departments', status: 400 },
  { method: 'POST', path: '/events', body: { title: 'X' }, status: 400 },
  get('departments', { workspaceid: '1' }, { status: 400 }),
  { method: 'POST', path: '/endpoint-controls', body: { workspaceId: '{workspace}' }, status: 400 },
  { method: 'GET', path: '/nothing', status: 404 },
  { method: 'DELETE', path: '/workspaces?id={workspace}', status: 405 },
]

/**
 * A walk over the whole public interface: every endpoint, every action, every kind of refusal that does not depend on who
 * asks. It begins in a fresh workspace with one role; `{workspace}` and `{role}` are given.
 */
export const wholeInterface: readonly Step[] = [
  ...readings,
  ...moderation,
  ...departments,
  ...events,
  ...roles,
  ...readings,
  ...refusals,
  ...workspaces,
]

/** Every list that the portal alone reads. Addresses stand as they are. */
export const portalReadings: readonly Step[] = [
  { method: 'GET', path: '/portal/api/me' },
  { method: 'GET', path: '/portal/api/sessions' },
  get('portal/api/members'),
  get('portal/api/invitations'),
  get('portal/api/roles'),
  get('portal/api/api-keys'),
  get('portal/api/usage'),
  get('portal/api/audit'),
  get('portal/api/audit.csv'),
  get('portal/api/usage.csv'),
  get('portal/api/moderation.csv'),
  get('portal/api/players', { q: 'b' }),
  get('portal/api/reasons', { action: 'ban' }),
  get('portal/api/overview'),
  get('portal/api/content'),
  get('portal/api/departments'),
]
