import { UNKNOWN_ID } from './instance.ts'
import type { SequenceStep } from './request-sequence.ts'
import { readStep, withWorkspace, writeStep } from './request-steps.ts'

/** A write that is sent twice with one idempotency key. */
const repeatedBan = {
  action: 'ban',
  userId: '261',
  userUsername: 'Builderman',
  reason: '  Exploiting\nagain ',
  evidence: 'https://example.com/clip.mp4\nSeen by two of us',
  durationSeconds: 86_400,
}

/** Requests to every endpoint and action of records and links, in a workspace without any. */
export const moderationSteps: readonly SequenceStep[] = [
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
  writeStep('POST', 'moderation/approvals', { id: UNKNOWN_ID, action: 'approve' }, { status: 404 }),
  writeStep('POST', 'moderation/batches', {
    action: 'warn',
    userIds: '261,156',
    reason: 'Raid',
    dryRun: 'true',
  }),
  writeStep(
    'POST',
    'moderation/links',
    { userId: '261', linkedUserId: '156', confidence: 'high', reason: 'Same voice' },
    { save: { link: 'link.id' } },
  ),
  writeStep('POST', 'moderation/links', { action: 'update', id: '{link}', confidence: 'low' }),
  writeStep('POST', 'moderation/links', { action: 'delete', id: '{link}' }),
  writeStep('POST', 'moderation', { userId: '261' }, { status: 400 }),
  writeStep('POST', 'moderation', { action: 'ban', userid: '261' }, { status: 400 }),
  readStep('moderation', { banList: 'perhaps', limit: '0' }, { status: 400 }),
  { method: 'PUT', path: withWorkspace('moderation'), body: {}, status: 405 },
]
