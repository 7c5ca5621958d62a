import { appealDecisions, appealStates } from '@reeve/core'
import { createPng } from '../../support/images.ts'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickPlayer, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

const FILE = Buffer.from(createPng(200)).toString('base64')
/** Of a type that is not accepted, not base64, and empty. */
const INVALID_FILES = ['bm90IGFuIGltYWdl', '!', '']

/** What players and staff do with appeals. */
export function generateAppealRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, intBelow, pickFields } = random
  const { read, write, pickId, pickFlag, pickPageFields } = createRequestBuilder(context)
  const portal = '/portal/api/appeals'
  const code = () => (chance(0.95) ? pickId('appealCode') : pick(['00000-00000', 'UUUUU-UUUUU', 'x', '']))
  const message = () => pickText(random)
  const pickAnswers = () => Array.from({ length: intBelow(3) }, message)
  const pickQuestion = () => `${pick(['Why?', 'Wer war es?', 'ä'])}${chance(0.4) ? ' (optional)' : ''}`

  return random.pickWeighted<() => RequestTemplate>([
    [
      5,
      () =>
        write('POST', '/appeals', {
          code: code(),
          message: message(),
          ...pickFields({ answers: [0.2, pickAnswers], action: [0.2, () => 'submit'] }),
        }),
    ],
    [1, () => write('POST', '/appeals', { action: 'reply', code: code(), message: message() })],
    [0.5, () => write('POST', '/appeals', { action: 'withdraw', code: code() })],
    [
      2,
      () =>
        write('POST', '/appeals/files', {
          code: chance(0.5) ? pickId('openAppealCode') : code(),
          name: chance(0.9) ? 'proof.png' : message(),
          data: chance(0.85) ? FILE : pick(INVALID_FILES),
        }),
    ],
    [1, () => read('/appeals', { code: code() })],
    [
      1.5,
      () =>
        read(portal, {
          ...pickFields({
            state: [0.5, () => pick(['open', 'all', ...appealStates])],
            userId: [0.2, () => pickPlayer(random)],
            mine: [0.2, pickFlag],
          }),
          ...pickPageFields(),
        }),
    ],
    [1, () => read(`${portal}/appeal`, { id: pickId('appeal') })],
    [0.5, () => read(`${portal}/statistics`, pickFields({ days: [0.5, () => pick([1, '90', 367])] }))],
    [1, () => write('POST', `${portal}/claim`, { id: pickId('appeal') })],
    [0.5, () => write('POST', `${portal}/release`, { id: pickId('appeal') })],
    [
      1.5,
      () =>
        write('POST', `${portal}/message`, {
          id: pickId('appeal'),
          text: message(),
          ...pickFields({ internal: [0.6, pickFlag] }),
        }),
    ],
    [
      3,
      () =>
        write('POST', `${portal}/decide`, {
          id: pickId('appeal'),
          decision: pick(appealDecisions),
          ...pickFields({
            message: [0.7, message],
            durationSeconds: [0.35, () => pick([60, '3600', 86_400, 'permanent', 0])],
            final: [0.2, pickFlag],
          }),
        }),
    ],
    [0.4, () => read(`${portal}/settings`)],
    [
      0.6,
      () =>
        write(
          'PATCH',
          `${portal}/settings`,
          pickFields({
            enabled: [0.15, () => pick(['true', 'true', 'false'])],
            afterDays: [0.1, () => pick([0, '0', '3', 366])],
            windowDays: [0.2, () => pick([null, '90', 1, 0])],
            cooldownDays: [0.2, () => pick([0, '7'])],
            allowOwnDecision: [0.7, () => pick(['true', 'true', 'false'])],
            allowFiles: [0.7, () => pick(['true', 'true', 'false'])],
            introduction: [0.3, message],
            questions: [0.2, () => Array.from({ length: intBelow(3) }, pickQuestion)],
          }),
        ),
    ],
  ])()
}
