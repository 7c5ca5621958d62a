import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, NEVER_WAS, openInstance } from '../../support/instance.ts'
import { type Desk, openDesk, path } from './desk.ts'

let instance: Instance
let desk: Desk

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  desk = await openDesk(instance)
})
afterAll(async () => {
  expect(instance.failures).toEqual([])
  await instance.close()
})

describe('a request that cannot be told apart', () => {
  test('without a workspaceId is told so, whoever asks', async () => {
    for (const as of [{ key: desk.key }, {}, { key: 'rve_junk' }]) {
      for (const [method, given] of [
        ['GET', {}],
        ['POST', {}],
        ['POST', { body: { action: 'ban' } }],
      ] as const) {
        const { status, body } = await instance.call(method, path, { ...as, ...given })
        expect([status, body.code, body.error]).toEqual([400, 'missing_workspace_id', 'Missing workspaceId'])
      }
    }
  })

  test('with a body but no action is told every action there is', async () => {
    for (const body of [{ userId: '1' }, { workspaceId: desk.id }, { reason: 'x', banList: 'true' }]) {
      expect((await desk.refusedWrite(body)).status).toBe(400)
    }
    const { details } = await desk.refusedWrite({ userId: '1', reason: 'x' })
    for (const action of [
      'note',
      'warn',
      'kick',
      'mute',
      'unmute',
      'ban',
      'unban',
      'edit',
      'extend',
      'redact',
    ]) {
      expect(details[0]?.message).toContain(action)
    }
  })

  test('with an unknown action is told the one that was meant', async () => {
    const { details, fields } = await desk.refusedWrite({ action: 'bann', userId: '1', reason: 'x' })
    expect(fields).toEqual(['action'])
    expect(details[0]?.message).toContain('did you mean ban?')
    for (const action of ['', 'BAN', 'constructor', '__proto__', null, 7, ['ban'], { ban: 1 }]) {
      expect(await desk.refusedWrite({ action, userId: '1', reason: 'x' })).toMatchObject({
        status: 400,
        fields: ['action'],
      })
    }
  })

  test('that asks for a read and a write at once is refused', async () => {
    const ban = { action: 'ban', userId: '1', reason: 'x' }
    expect(await desk.refusedWrite(ban, { banList: 'true' })).toMatchObject({
      status: 400,
      fields: ['banList'],
    })
    expect(await desk.refusedWrite(ban, { banHistory: '1' })).toMatchObject({
      status: 400,
      fields: ['banHistory'],
    })
    expect(await desk.refusedWrite(ban, { status: 'active', limit: '5', actorUserId: 'a' })).toMatchObject({
      status: 400,
      fields: ['actorUserId', 'limit', 'status'],
    })
    expect(await desk.refusedRead({ banList: 'true', banHistory: 'true' })).toMatchObject({ status: 400 })
  })

  test('that differs between query and body is refused', async () => {
    const body = { action: 'ban', userId: '1', reason: 'x' }
    expect(await desk.refusedWrite(body, { userId: '2' })).toMatchObject({ status: 400, fields: ['userId'] })
  })
})

describe('a read', () => {
  test('with a body field that it has no use for is refused, never answered as if there were no bans', async () => {
    expect(
      await desk.refused(() =>
        instance.call('POST', desk.at({ banList: 'true' }), {
          key: desk.key,
          body: { userId: '1', reason: 'x', id: NEVER_WAS, durationSeconds: 5 },
        }),
      ),
    ).toMatchObject({ status: 400, fields: ['durationSeconds', 'id', 'reason'] })
  })

  test('with an unknown or mistyped parameter is refused, and told what was meant', async () => {
    const { details } = await desk.refusedRead({ banList: 'true', userid: '1' })
    expect(details).toEqual([
      { field: 'userid', message: 'is not a field of this request; did you mean userId?' },
    ])
    const bad: Record<string, string> = {
      banList: 'yes',
      banHistory: '',
      userId: 'a b',
      severity: 'extreme',
      status: 'banned',
      limit: '201',
      cursor: '!',
    }
    for (const [field, value] of Object.entries(bad)) {
      expect(await desk.refusedRead({ [field]: value })).toMatchObject({ status: 400, fields: [field] })
    }
    expect(await desk.refusedRead(bad)).toMatchObject({ fields: Object.keys(bad).sort() })
  })

  test('names from 1 to 200 players', async () => {
    const players = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join()
    expect((await desk.get({ banList: 'true', userId: players(200) })).status).toBe(200)
    for (const userId of [players(201), '', ',', '1,,2', '1,', 'x'.repeat(65)]) {
      expect(await desk.refusedRead({ banList: 'true', userId })).toMatchObject({
        status: 400,
        fields: ['userId'],
      })
    }
  })

  test('of one record is not filtered', async () => {
    const { id } = await desk.ban('1')
    expect(await desk.refusedRead({ id, userId: '1', banList: 'true' })).toMatchObject({
      status: 400,
      fields: ['banList', 'userId'],
    })
  })

  test('of a record that never was is not found', async () => {
    for (const id of [NEVER_WAS, 'x', '%', "' or 1=1 --"]) {
      expect(await desk.refusedRead({ id })).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('with a cursor of another list, or one that was changed, is refused', async () => {
    for (const userId of ['1', '2', '3']) await desk.ban(userId)
    const { body } = await desk.get({ limit: '1' })
    for (const query of [{ banList: 'true' }, { banHistory: 'true' }]) {
      expect(await desk.refusedRead({ ...query, cursor: body.nextCursor })).toMatchObject({
        status: 400,
        fields: ['cursor'],
      })
    }
    expect(await desk.refusedRead({ cursor: `${body.nextCursor}A` })).toMatchObject({ fields: ['cursor'] })
  })
})

test('a method that is none of this endpoint is answered with those that are', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await instance.call(method, desk.at({}), { key: desk.key })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  }
})
