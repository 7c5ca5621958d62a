import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY_MS, type Permission } from '@reeve/core'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import type { Fields } from './fixture.ts'
import { openLadders } from './ladder-fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('a moderator', () => {
  test('can choose less than the ladder with a reason, and more only with the permission', async () => {
    const { id, template, act, choose } = await openLadders(instance)
    const permissions: Permission[] = [
      'moderation.view',
      'moderation.warn',
      'moderation.mute',
      'moderation.ban',
    ]
    const moderator = await instance.key(id, permissions)
    const chooser = await instance.key(id, [...permissions, 'moderation.override'])
    await choose('1')
    const ask = (fields: Fields, key: string) =>
      act({ userId: '1', templateId: template.id, ...fields }, { key })
    const withoutReason = await ask({ action: 'mute', durationSeconds: '3599' }, moderator)
    expect(withoutReason.status).toBe(400)
    expect(withoutReason.body.details).toEqual([
      {
        field: 'reason',
        message: 'is required to choose less. Step 2 of the ladder Chat is: mute (3600 seconds).',
      },
    ])
    for (const more of [{ action: 'mute' }, { action: 'mute', durationSeconds: '3601' }, { action: 'ban' }]) {
      const rejected = await ask({ ...more, reason: 'Worse than usual' }, moderator)
      expect([rejected.status, rejected.body.permission]).toEqual([403, 'moderation.override'])
    }
    const less = await ask({ action: 'warn', reason: 'Apologised' }, moderator)
    expect(less.body.record).toMatchObject({
      action: 'warn',
      reason: 'Apologised',
      step: '2',
      countsUntil: null,
    })
    const exact = await ask({ action: 'mute', durationSeconds: '3600' }, moderator)
    expect(exact.body.record).toMatchObject({ step: '2', durationSeconds: '3600' })
    expect((await ask({ action: 'ban', durationSeconds: '60' }, moderator)).status).toBe(400)
    expect((await ask({ action: 'ban' }, chooser)).body.record).toMatchObject({ action: 'ban', step: '3' })
  })

  test('needs the permission of the action that the ladder decides', async () => {
    const { id, template, act, choose } = await openLadders(instance)
    const key = await instance.key(id, ['moderation.view', 'moderation.warn'])
    expect((await act({ userId: '1', templateId: template.id }, { key })).status).toBe(200)
    await choose('2')
    const rejected = await act({ userId: '2', templateId: template.id }, { key })
    expect([rejected.status, rejected.body.permission]).toEqual([403, 'moderation.mute'])
  })
})

describe('the preview', () => {
  test('shows the records that count and when each stops, and which no longer count', async () => {
    const { choose, preview, actOk, template, timeFromNow } = await openLadders(instance)
    const warning = await choose('1')
    expect(await preview('1')).toEqual({
      userId: '1',
      templateId: template.id,
      templateVersion: '1',
      ladderId: template.ladderId,
      ladderName: 'Chat',
      stepCount: '3',
      step: '2',
      action: 'mute',
      durationSeconds: '3600',
      severity: 'low',
      publicReason: template.publicReason,
      count: '1',
      records: [
        {
          id: warning.id,
          caseNumber: '1',
          action: 'warn',
          templateId: template.id,
          step: '1',
          createdAt: warning.createdAt,
          stopsCountingAt: timeFromNow(10 * DAY_MS),
        },
      ],
    })
    const mute = await choose('1')
    expect((await preview('1')).records[0].stopsCountingAt).toBe(timeFromNow(30 * DAY_MS))
    instance.clock.advance(10 * DAY_MS - 1)
    expect(await preview('1')).toMatchObject({ count: '2', step: '2' })
    instance.clock.advance(1)
    expect(await preview('1')).toMatchObject({ count: '1', step: '2' })
    await actOk({ action: 'revoke', id: mute.id, reason: 'Mistake' })
    expect(await preview('1')).toMatchObject({ count: '0', step: '1', action: 'warn' })
  })

  test('counts the cases of a player under every form of the id, also after a change of the default platform', async () => {
    const { id, ownerSession, choose, preview } = await openLadders(instance)
    await choose('steam:STEAM_0:0:11101')
    expect(await preview('steam:76561197960287930')).toMatchObject({ count: '1' })
    expect(await preview('76561197960287930')).toMatchObject({ count: '0' })
    await instance.request('PATCH', '/portal/api/workspace', {
      session: ownerSession,
      body: { workspaceId: id, defaultPlatform: 'steam' },
    })
    expect(await preview('76561197960287930')).toMatchObject({ count: '1', step: '2' })
    expect((await choose('76561197960287930')).step).toBe('2')
  })

  test('is for templates and ladders of the own workspace', async () => {
    const own = await openLadders(instance)
    const other = await openLadders(instance)
    expect((await own.read('preview', { userId: '1', templateId: other.template.id })).status).toBe(404)
    expect((await own.read('preview', { userId: '1' })).body.details).toEqual([
      { field: 'templateId', message: 'is required' },
    ])
    expect((await own.act({ userId: '1', templateId: other.template.id })).status).toBe(404)
    const foreign = await own.send('templates', { name: 'x', publicReason: 'x', ladderId: other.ladder.id })
    expect(foreign.body.details).toEqual([
      { field: 'ladderId', message: 'is not a ladder of this workspace' },
    ])
  })
})

describe('a ladder', () => {
  test('with invalid steps is rejected with the step that is wrong', async () => {
    const { send } = await openLadders(instance)
    const step = (fields: Fields) => JSON.stringify([{ count: 1, action: 'warn', ...fields }])
    const problems: Record<string, string> = {
      x: 'must be a JSON array of steps, as a string',
      '[]': 'must have 1 to 20 steps',
      '[1]': 'step 1: must be an object',
      [step({ count: 2 })]: 'must begin with a step whose count is 1',
      [step({ count: 1.5 })]: 'step 1: count must be a whole number from 1 to 100',
      [step({ action: 'unban' })]: 'step 1: action must be one of ban, mute, kick, warn, note',
      [step({ durationSeconds: 60 })]: 'step 1: durationSeconds is only for ban and mute, not for warn',
      [step({ decayDays: 0 })]: 'step 1: decayDays must be a whole number from 1 to 3650',
      [step({ days: 3 })]: 'step 1: days is not a field of a step',
      [`${step({}).slice(0, -1)},${step({}).slice(1)}`]:
        'must be sorted by count: that of step 2 is not higher than the one before it',
    }
    for (const [steps, message] of Object.entries(problems)) {
      const { body } = await send('ladders', { name: 'x', steps })
      expect([steps, body.details]).toEqual([steps, [{ field: 'steps', message }]])
    }
  })

  test('decides by the order in which requests are applied, whatever races', async () => {
    const { act, template } = await openLadders(instance)
    const requests = Array.from({ length: 6 }, () => act({ userId: '1', templateId: template.id }))
    const records = (await Promise.all(requests)).map(({ body }) => body.record)
    const byCase = records.toSorted((one, other) => Number(one.caseNumber) - Number(other.caseNumber))
    expect(byCase.map(({ step }) => step)).toEqual(['1', '2', '2', '3', '3', '3'])
  })
})

test('templates, ladders, their versions and the steps of records come back with an archive: in a copy and a roll-back', async () => {
  const { id, ownerSession, template, ladder, sendOk, choose, read } = await openLadders(instance)
  await choose('1')
  await sendOk('templates', { action: 'update', id: template.id, publicReason: 'New text' })
  const session = { session: ownerSession }
  const readAll = async (workspaceId: string) => {
    const queries: [string, Record<string, string>][] = [
      ['preview', { userId: '1', templateId: template.id }],
      ['templates', { id: template.id }],
      ['ladders', { id: ladder.id }],
    ]
    const responses = queries.map(([path, query]) => read(path, { ...query, workspaceId }, session))
    const bodies = (await Promise.all(responses)).map(({ body }) => body)
    return JSON.parse(JSON.stringify(bodies).replaceAll(workspaceId, id))
  }
  const before = await readAll(id)
  const sendWorkspace = async (body: object) => {
    const response = await instance.request('POST', '/api/workspaces', { ...session, body })
    await instance.runJobs()
    return response.body
  }
  const { archive } = await sendWorkspace({ id, archive: 'true' })
  const { workspace } = await sendWorkspace({ fromArchive: archive.id, groupName: 'Copy' })
  expect(await readAll(workspace.id)).toEqual(before)
  await sendWorkspace({ id, archive: 'false' })
  await choose('1')
  await sendOk('templates', { action: 'update', id: template.id, publicReason: 'Newer text' })
  await sendOk('ladders', { action: 'update', id: ladder.id, windowDays: '1' })
  await sendWorkspace({ id, archive: 'true' })
  await sendWorkspace({ id, fromArchive: archive.id })
  expect(await readAll(id)).toEqual(before)
})

test('the legacy prefix has the same routes', async () => {
  const { id, key, template } = await openLadders(instance)
  const query = new URLSearchParams({ workspaceId: id, userId: '1', templateId: template.id })
  const response = await instance.request('GET', `${LEGACY_PREFIX}/moderation/preview?${query}`, { key })
  expect(response.body.preview).toMatchObject({ step: '1' })
})
