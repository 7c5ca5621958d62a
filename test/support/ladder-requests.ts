import type { SequenceStep } from './request-sequence.ts'
import { readStep, writeStep } from './request-steps.ts'

const steps = JSON.stringify([
  { count: 1, action: 'warn', decayDays: 30 },
  { count: 2, action: 'mute', durationSeconds: 3600 },
])

/** Requests to every endpoint of templates, ladders and retention rules, in a workspace without any. */
export const ladderSteps: readonly SequenceStep[] = [
  writeStep('POST', 'moderation/ladders', { name: 'Chat', steps }, { save: { ladder: 'ladder.id' } }),
  writeStep('POST', 'moderation/ladders', { name: 'chat', steps }, { status: 409 }),
  writeStep('POST', 'moderation/ladders', { name: 'Other', steps: '[]' }, { status: 400 }),
  writeStep('POST', 'moderation/ladders', { action: 'update', id: '{ladder}', windowDays: 90 }),
  writeStep(
    'POST',
    'moderation/templates',
    { name: 'Spamming', publicReason: 'You spammed.', ladderId: '{ladder}' },
    { save: { template: 'template.id' } },
  ),
  writeStep('POST', 'moderation/templates', { action: 'update', id: '{template}', appealAfterDays: 7 }),
  writeStep('POST', 'moderation/templates', { action: 'order', ids: '{template}' }),
  readStep('moderation/preview', { userId: '262', templateId: '{template}' }),
  writeStep('POST', 'moderation', { userId: '262', templateId: '{template}' }),
  writeStep('POST', 'moderation', { userId: '262', templateId: '{template}' }),
  writeStep(
    'POST',
    'moderation',
    { action: 'warn', userId: '262', templateId: '{template}' },
    { status: 400 },
  ),
  readStep('moderation/preview', { userId: '262', templateId: '{template}' }),
  writeStep('POST', 'moderation/ladders', { action: 'archive', id: '{ladder}' }, { status: 409 }),
  writeStep('POST', 'moderation/templates', { action: 'archive', id: '{template}' }),
  writeStep('POST', 'moderation/templates', { action: 'restore', id: '{template}' }),
  readStep('moderation/templates'),
  readStep('moderation/templates', { archived: 'true' }),
  readStep('moderation/templates', { id: '{template}', limit: '1' }),
  readStep('moderation/ladders'),
  readStep('moderation/ladders', { archived: 'true' }),
  readStep('moderation/ladders', { id: '{ladder}' }),
  writeStep('POST', 'moderation/retention', { noteDays: 365, warnDays: '730' }),
  writeStep('POST', 'moderation/retention', { noteDays: 0 }, { status: 400 }),
  writeStep('POST', 'moderation/retention', { noteDays: null, warnDays: null }),
  readStep('moderation/retention'),
  readStep('moderation/retention/preview', { noteDays: '365' }),
]
