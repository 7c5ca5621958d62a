import { erasureModes } from '@reeve/db'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickPlayer, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

/** After how many days records are deleted, and erasures of players. */
export function generateDeletionRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, pickFields } = random
  const { read, write, pickId, pickPageFields } = createRequestBuilder(context)
  const retention = '/moderation/retention'
  const erasures = '/moderation/erasures'
  const player = () => pickPlayer(random)
  const days = () => pick([1, '30', 365, 3650, chance(0.2) ? 0 : 7])
  const pickRules = (pickDays: () => unknown) =>
    pickFields({
      noteDays: [0.4, pickDays],
      warnDays: [0.4, pickDays],
      kickDays: [0.3, pickDays],
      muteDays: [0.3, pickDays],
      banDays: [0.3, pickDays],
    })

  return random.pickWeighted<() => RequestTemplate>([
    [1, () => read(retention)],
    [
      2,
      () =>
        write(
          'POST',
          retention,
          pickRules(() => (chance(0.3) ? null : days())),
        ),
    ],
    [2, () => read(`${retention}/preview`, pickRules(days))],
    [2, () => read(erasures, chance(0.5) ? { id: pickId('erasure') } : pickPageFields())],
    [2, () => read(`${erasures}/preview`, { userId: player() })],
    [
      1.5,
      () => {
        const userId = player()
        return write('POST', erasures, {
          userId,
          confirmUserId: chance(0.9) ? userId : player(),
          mode: chance(0.95) ? pick(erasureModes) : 'loud',
          reason: pickText(random),
        })
      },
    ],
  ])()
}
