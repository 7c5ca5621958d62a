import { severities } from '@reeve/core'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickPlayer, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

const playerActions = ['note', 'warn', 'kick', 'mute', 'ban', 'temp_ban', 'unban', 'unmute', 'pardon']
const recordActions = ['edit', 'extend', 'comment', 'evidence', 'acknowledge', 'revoke', 'unban']
const results = ['pending', 'succeeded', 'unchanged', 'failed', 'loud']

/** Batches of actions, the undoing of what an actor did, and reversals. The instances do them before the next request. */
export function generateBatchRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, intBelow, pickFields } = random
  const { read, write, pickId, pickFlag, pickTime, pickPageFields } = createRequestBuilder(context)
  const path = '/moderation/batches'
  const reason = () => pickText(random)
  const pickSome = (pickOne: () => string) => Array.from({ length: 1 + intBelow(6) }, pickOne)
  const start = (fields: object) =>
    write('POST', path, { ...fields, ...pickFields({ dryRun: [0.25, pickFlag] }) })

  return random.pickWeighted<() => RequestTemplate>([
    [
      4,
      () =>
        start({
          action: pick(playerActions),
          userIds: pickSome(() => pickPlayer(random)).join(','),
          ...pickFields({
            reason: [0.9, reason],
            severity: [0.2, () => pick(severities)],
            durationSeconds: [0.3, () => pick([60, '3600', 'permanent', 0])],
            templateId: [0.1, () => pickId('template')],
          }),
        }),
    ],
    [
      3,
      () => {
        const action = pick(recordActions)
        const value = action === 'extend' ? pick([60, '-60']) : reason()
        const fields = ['extend', 'comment', 'evidence'].includes(action) ? { value } : { reason: reason() }
        return start({
          action,
          recordIds: pickSome(() => pickId('record')).join(','),
          ...(action === 'acknowledge' ? {} : fields),
        })
      },
    ],
    [1.5, () => start({ action: 'reverse', id: pickId('batch'), reason: reason() })],
    [
      0.7,
      () =>
        start({
          action: 'undo',
          actorUserId: pickId(pick(['member', 'apiKey'])),
          since: pickTime(),
          reason: reason(),
        }),
    ],
    [0.4, () => write('POST', path, { action: 'cancel', id: pickId('batch') })],
    [
      2,
      () =>
        read(
          path,
          chance(0.7)
            ? {
                id: pickId('batch'),
                ...pickFields({ result: [0.3, () => pick(results)] }),
                ...pickPageFields(),
              }
            : pickPageFields(),
        ),
    ],
  ])()
}
