import { linkConfidences } from '@reeve/core'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickPlayer, pickSearch, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

const approvalStates = ['pending', 'approved', 'rejected', 'expired', 'loud']
const inboxSources = ['assigned', 'approvals', 'appeals', 'mentions', 'loud']

/** How staff work together: claims, assignments, approvals, mentions, the inbox, and figures about that. */
export function generateCaseWorkRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { pick, intBelow, pickFields } = random
  const { read, write, pickId, pickFlag, pickTime, pickPageFields } = createRequestBuilder(context)
  const claims = '/portal/api/claims'
  const assignments = '/portal/api/assignments'
  const recordId = () => pickId('record')
  const pickRecords = () => Array.from({ length: 1 + intBelow(4) }, recordId).join(',')

  return random.pickWeighted<() => RequestTemplate>([
    [3, () => write('POST', claims, { recordId: recordId() })],
    [1, () => ({ ...read(claims, { recordId: recordId() }), method: 'DELETE' })],
    [2, () => write('POST', assignments, { recordId: recordId(), accountId: pickId('member') })],
    [1, () => ({ ...read(assignments, { recordId: recordId() }), method: 'DELETE' })],
    [1, () => read('/portal/api/case-work', { recordIds: pickRecords() })],
    [0.5, () => read('/portal/api/assignees', pickFields({ q: [0.7, () => pickSearch(random)] }))],
    [
      1.5,
      () =>
        write('POST', '/moderation', {
          action: 'comment',
          id: recordId(),
          value: `${pickText(random)} <@${pickId('member')}>`,
        }),
    ],
    [0.5, () => read('/moderation/approvals', pickFields({ state: [0.3, () => pick(approvalStates)] }))],
    [
      2,
      () =>
        write('POST', '/moderation/approvals', {
          id: pickId('approval'),
          action: pick(['approve', 'reject']),
          ...pickFields({ reason: [0.8, () => pickText(random)] }),
        }),
    ],
    [0.5, () => read('/portal/api/inbox/counts')],
    [1.5, () => read('/portal/api/inbox', { source: pick(inboxSources), ...pickPageFields() })],
    [
      1,
      () =>
        write(
          'POST',
          '/portal/api/inbox/mentions',
          pickFields({ recordId: [0.5, recordId], read: [0.5, pickFlag] }),
        ),
    ],
    [0.5, () => read('/moderation/insights', pickFields({ from: [0.4, pickTime], to: [0.4, pickTime] }))],
  ])()
}

/** What is known about players: pinned notes, links, bans then and now, and the platform that ids without one mean. */
export function generatePlayerNoteRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, intBelow, pickFields } = random
  const { read, write, pickId, pickFlag, pickTime, pickPageFields } = createRequestBuilder(context)
  const pins = '/portal/api/pinned-notes'
  const links = '/moderation/links'
  const player = () => pickPlayer(random)
  const text = () => pickText(random)
  const confidence = () => pick([...linkConfidences, 'loud'])

  return random.pickWeighted<() => RequestTemplate>([
    [2, () => write('POST', pins, { userId: player(), text: text() })],
    [1, () => write('POST', pins, { recordId: pickId('record') })],
    [1, () => ({ ...read(pins, { id: pickId('pinnedNote') }), method: 'DELETE' })],
    [1.5, () => read('/portal/api/players', { userId: player() })],
    [
      3,
      () =>
        write('POST', links, {
          userId: player(),
          linkedUserId: player(),
          confidence: confidence(),
          reason: text(),
        }),
    ],
    [
      1,
      () =>
        write('POST', links, {
          action: 'update',
          id: pickId('link'),
          ...pickFields({ confidence: [0.6, confidence], reason: [0.5, text] }),
        }),
    ],
    [0.7, () => write('POST', links, { action: 'delete', id: pickId('link') })],
    [
      1.5,
      () =>
        read(
          links,
          chance(0.3)
            ? { id: pickId('link') }
            : { ...pickFields({ userId: [0.6, player] }), ...pickPageFields() },
        ),
    ],
    [
      1.5,
      () =>
        read('/moderation', {
          banList: 'true',
          userId: player(),
          ...pickFields({ links: [0.5, pickFlag], asOf: [0.4, pickTime] }),
        }),
    ],
    [
      1,
      () =>
        write('POST', '/moderation/check', {
          userIds: Array.from({ length: 1 + intBelow(6) }, player).join(','),
        }),
    ],
    [
      0.3,
      () =>
        write('PATCH', '/portal/api/workspace', {
          defaultPlatform: pick(['roblox', 'steam', 'minecraft', 'Our-Game', '1x']),
        }),
    ],
  ])()
}
