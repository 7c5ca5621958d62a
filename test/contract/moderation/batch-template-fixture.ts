import type { Instance } from '../../support/instance.ts'
import { openBatchFixture } from './batch-fixture.ts'

const DAY = 86_400

/** A workspace with a template whose ladder warns first, and then bans. */
export async function openTemplateFixture(instance: Instance) {
  const fixture = await openBatchFixture(instance)
  const create = async (path: string, body: object) =>
    (
      await instance.request('POST', `/api/moderation/${path}`, {
        key: fixture.key,
        body: { workspaceId: fixture.id, ...body },
      })
    ).body
  const { ladder } = await create('ladders', {
    name: 'Cheating',
    windowDays: 90,
    steps: JSON.stringify([
      { count: '1', action: 'warn', durationSeconds: null, decayDays: null },
      { count: '2', action: 'ban', durationSeconds: String(7 * DAY), decayDays: null },
    ]),
  })
  const { template } = await create('templates', {
    name: 'Exploit',
    publicReason: 'Exploiting',
    defaultSeverity: 'high',
    ladderId: ladder.id,
  })
  const { template: simple } = await create('templates', {
    name: 'Simple',
    publicReason: 'Be kind',
    defaultSeverity: 'low',
  })
  return {
    ...fixture,
    create,
    ladderId: ladder.id as string,
    templateId: template.id as string,
    simpleId: simple.id as string,
  }
}
