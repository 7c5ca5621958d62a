import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openBatchFixture } from './batch-fixture.ts'
import { openTemplateFixture } from './batch-template-fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const DAY = 86_400

const summarize = ({ target, state, action, durationSeconds, step, code }: Record<string, unknown>) => [
  target,
  state,
  action,
  durationSeconds,
  step,
  code,
]

describe('a batch by template', () => {
  test('lets the ladder decide for each player, as its preview shows', async () => {
    const { templateId, actOk, sendOk, runBatch, get } = await openTemplateFixture(instance)
    await actOk({ userId: '2', templateId })
    const body = { templateId, userIds: '1,2,3' }
    const { preview } = await sendOk({ ...body, dryRun: true })
    const expected = [
      ['1', 'succeeded', 'warn', null, '1', null],
      ['2', 'succeeded', 'ban', String(7 * DAY), '2', null],
      ['3', 'succeeded', 'warn', null, '1', null],
    ]
    expect(preview.results.map(summarize)).toEqual(expected)
    expect(preview.actions).toEqual([
      { action: 'warn', count: '2' },
      { action: 'ban', count: '1' },
    ])
    expect((await get()).body.records).toHaveLength(1)
    const { batch, results } = await runBatch(body)
    expect([batch.action, batch.succeeded, batch.failed]).toEqual([null, '3', '0'])
    expect(results.map(summarize)).toEqual(expected)
    const { records } = (await get({ userId: '2' })).body
    expect(records[0]).toMatchObject({ action: 'ban', templateId, step: '2', reason: 'Exploiting' })
  })

  test('takes an action beside the template, for which the rules of the ladder apply', async () => {
    const { id, templateId, simpleId, send, runBatch } = await openTemplateFixture(instance)
    const { results } = await runBatch({ action: 'ban', templateId, durationSeconds: DAY, userIds: '1' })
    expect(results.map(summarize)).toEqual([['1', 'succeeded', 'ban', String(DAY), '1', null]])
    const simple = await runBatch({ action: 'kick', templateId: simpleId, userIds: '1' })
    expect(simple.results.map(summarize)).toEqual([['1', 'succeeded', 'kick', null, null, null]])
    const { session } = await instance.member(id, ['moderation.view', 'moderation.bulk', 'moderation.ban'])
    const more = await send(
      { action: 'ban', templateId, durationSeconds: DAY, userIds: '2', dryRun: true },
      { session },
    )
    expect(more.body.preview.results).toMatchObject([{ state: 'failed', code: 'forbidden' }])
    // The step is a warning, which this member may not give.
    const decided = await send({ templateId, userIds: '2', dryRun: true }, { session })
    expect(decided.body.preview.results).toMatchObject([{ state: 'failed', code: 'forbidden', action: null }])
  })

  test('is rejected with fields that an action needs, and is refused for a template without a ladder', async () => {
    const { templateId, simpleId, send, sendOk } = await openTemplateFixture(instance)
    const fieldsOf = async (body: object) => (await send({ ...body })).body.details
    expect(await fieldsOf({ userIds: '1' })).toMatchObject([
      { field: 'action', message: expect.stringMatching(/^is required without templateId: one of note, /) },
    ])
    expect(await fieldsOf({ templateId })).toEqual([{ field: 'userIds', message: 'is required' }])
    expect(await fieldsOf({ templateId, recordIds: instance.ports.newId() })).toEqual([
      { field: 'recordIds', message: 'is not used without an action, which needs userIds' },
    ])
    expect(await fieldsOf({ templateId, userIds: '1', durationSeconds: DAY })).toEqual([
      { field: 'durationSeconds', message: 'is not used without an action' },
    ])
    const { preview } = await sendOk({ templateId: simpleId, userIds: '1', dryRun: true })
    expect(preview.results).toMatchObject([{ state: 'failed', code: 'invalid_request' }])
  })
})

test('a preview of several groups of targets counts all bans against the number per hour', async () => {
  const fixture = await openBatchFixture(instance)
  const { session } = await instance.member(
    fixture.id,
    ['moderation.view', 'moderation.bulk', 'moderation.ban'],
    10,
    { bansPerHour: 55 },
  )
  const userIds = Array.from({ length: 60 }, (_, index) => String(index + 1)).join(',')
  const body = { action: 'ban', userIds, reason: 'Raid' }
  const { preview } = await fixture.sendOk({ ...body, dryRun: true }, { session })
  const { batch } = await fixture.runBatch(body, { session })
  expect([batch.succeeded, batch.failed]).toEqual(['55', '5'])
  expect([preview.succeeded, preview.failed]).toEqual(['55', '5'])
})
