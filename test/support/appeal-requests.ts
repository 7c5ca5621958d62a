import type { SequenceStep } from './request-sequence.ts'
import { readStep, writeStep } from './request-steps.ts'

/** Requests to the endpoint for appeals. The workspace has to receive files with appeals: see `allowAppealFiles`. */
export const appealSteps: readonly SequenceStep[] = [
  writeStep(
    'POST',
    'moderation',
    { action: 'ban', userId: '77', reason: 'Alternate account' },
    { save: { code: 'record.appealCode' } },
  ),
  readStep('appeals', { code: '{code}' }),
  writeStep('POST', 'appeals', { code: '{code}', message: ' It was\nmy brother ' }),
  writeStep('POST', 'appeals', { code: '{code}', message: 'Again' }, { status: 409 }),
  writeStep('POST', 'appeals', { action: 'reply', code: '{code}', message: 'Please' }),
  writeStep('POST', 'appeals/files', { code: '{code}', name: 'chat.log', data: 'aGVsbG8=' }),
  writeStep('POST', 'appeals', { action: 'withdraw', code: '{code}' }),
  writeStep('POST', 'appeals/files', { code: '{code}', name: 'late.log', data: 'aGVsbG8h' }, { status: 409 }),
  writeStep('POST', 'appeals', { action: 'withdraw', code: '{code}' }, { status: 409 }),
  writeStep('POST', 'appeals', { code: '{code}', answers: ['One'] }, { status: 400 }),
  readStep('appeals', { code: '00000-00000' }, { status: 404 }),
  readStep('appeals', { code: 'UUUUU-UUUUU' }, { status: 400 }),
]
