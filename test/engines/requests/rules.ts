import { isSanctionKind, recordActions, severities } from '@reeve/core'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickName, pickPlayer, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

const MAX_COUNTS = [2, 3, 5]

/** Reads and changes of templates and ladders, and actions that they decide. */
export function generateRuleRequest(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, pickFields } = random
  const { read, write, pickId, pickFlag, pickPageFields } = createRequestBuilder(context)
  const templates = '/moderation/templates'
  const ladders = '/moderation/ladders'
  const name = () => pickName(random)

  const pickStep = (count: number) => {
    const action = pick(recordActions)
    return {
      count,
      action,
      ...pickFields({
        durationSeconds: [isSanctionKind(action) ? 0.5 : 0.02, () => pick([60, '3600', null])],
        decayDays: [0.3, () => pick([1, '30', 365])],
      }),
    }
  }
  const pickSteps = () =>
    chance(0.95)
      ? JSON.stringify([1, ...MAX_COUNTS.filter(() => chance(0.5))].map(pickStep))
      : pick(['[]', '{', '[{"count":2,"action":"ban"}]'])
  const pickLadderFields = () =>
    pickFields({ windowDays: [0.5, () => pick([1, '30', 3650, null, 0])], name: [0.4, name] })
  const pickLadder = () => pickId('ladder')
  const pickTemplateFields = () =>
    pickFields({
      name: [0.4, name],
      publicReason: [0.4, () => pickText(random)],
      defaultSeverity: [0.3, () => pick([...severities, null])],
      appealable: [0.2, pickFlag],
      appealAfterDays: [0.2, () => pick([0, '7', 365, 366])],
      ladderId: [0.3, () => (chance(0.8) ? pickLadder() : null)],
    })
  const readList = (path: string, kind: 'template' | 'ladder') =>
    read(
      path,
      chance(0.3)
        ? { id: pickId(kind), ...pickPageFields() }
        : { ...pickFields({ archived: [0.3, pickFlag] }), ...pickPageFields() },
    )
  const change = (path: string, kind: 'template' | 'ladder', fields: object) =>
    write('POST', path, {
      action: pick(['update', 'update', 'archive', 'restore']),
      id: pickId(kind),
      ...fields,
    })

  return random.pickWeighted<() => RequestTemplate>([
    [2, () => write('POST', ladders, { ...pickLadderFields(), name: name(), steps: pickSteps() })],
    [
      1,
      () =>
        write('POST', ladders, {
          action: 'update',
          id: pickLadder(),
          ...pickLadderFields(),
          ...pickFields({ steps: [0.5, pickSteps] }),
        }),
    ],
    [0.5, () => change(ladders, 'ladder', {})],
    [
      3,
      () =>
        write('POST', templates, {
          ladderId: chance(0.6) ? pickLadder() : null,
          ...pickTemplateFields(),
          name: name(),
          publicReason: pickText(random),
        }),
    ],
    [
      1,
      () => write('POST', templates, { action: 'update', id: pickId('template'), ...pickTemplateFields() }),
    ],
    [0.6, () => change(templates, 'template', {})],
    [
      0.6,
      () => {
        const known = context.workspace.ids.get('template') ?? []
        const ids = chance(0.7) ? known.toSorted(() => (chance(0.5) ? 1 : -1)) : [pickId('template')]
        return write('POST', templates, { action: 'order', ids: ids.join(',') })
      },
    ],
    [1, () => readList(templates, 'template')],
    [1, () => readList(ladders, 'ladder')],
    [1.5, () => read('/moderation/preview', { userId: pickPlayer(random), templateId: pickId('template') })],
    [
      5,
      () =>
        write('POST', '/moderation', {
          userId: pickPlayer(random),
          templateId: pickId('template'),
          ...pickFields({
            action: [0.25, () => pick(recordActions)],
            reason: [0.3, () => pickText(random)],
          }),
        }),
    ],
  ])()
}
