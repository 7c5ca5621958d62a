import type { SequenceStep } from './request-sequence.ts'
import { readStep, writeStep } from './request-steps.ts'

/** Requests to every endpoint of erasures, the last ones in a workspace: no job of it can start until an erasure is complete. */
export const erasureSteps: readonly SequenceStep[] = [
  readStep('moderation/erasures'),
  readStep('moderation/erasures/preview', { userId: '261' }),
  writeStep(
    'POST',
    'moderation/erasures',
    { userId: '999', confirmUserId: '99', mode: 'erase', reason: 'On request' },
    { status: 400 },
  ),
  writeStep(
    'POST',
    'moderation/erasures',
    { userId: '999', confirmUserId: '999', mode: 'erase', reason: 'On request' },
    { save: { erasure: 'erasure.id' } },
  ),
]
