import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { controlled, quota } from '../../support/states.ts'
import { stored } from '../../support/stored.ts'
import { type Desk, type Fields, openDesk, path } from './desk.ts'

let instance: Instance
let desk: Desk
let players = 0

beforeAll(async () => {
  instance = await openInstance()
  desk = await openDesk(instance)
})
afterAll(() => instance.close())

const newPlayer = () => `player${++players}`

describe('who may not is told so, and nothing is changed', () => {
  const reads: Record<string, Record<string, string>> = {
    'the ban check': { banList: 'true', userId: '1' },
    'the bans in force': { banList: 'true' },
    'the ban history': { banHistory: 'true' },
    'the records': {},
  }
  for (const [what, query] of Object.entries(reads)) {
    for (const method of ['GET', 'POST'] as const) {
      test(`${method} of ${what} needs moderation.view`, async () => {
        await replay(instance, {
          method,
          path,
          workspaceId: desk.id,
          query: { workspaceId: desk.id, ...query },
          permission: 'moderation.view',
          reads: true,
        })
      })
    }
  }

  test('reading one record needs moderation.view', async () => {
    const { id } = await desk.ban(newPlayer())
    await replay(instance, {
      method: 'GET',
      path,
      workspaceId: desk.id,
      query: { workspaceId: desk.id, id },
      permission: 'moderation.view',
    })
  })

  const made = { userId: '1', reason: 'x' }
  const writes: [string, Permission, () => Fields | Promise<Fields>, Permission[]?][] = [
    ['note', 'moderation.note', () => made],
    ['warn', 'moderation.warn', () => made],
    ['warning', 'moderation.warn', () => made],
    ['kick', 'moderation.kick', () => made],
    ['mute', 'moderation.mute', () => made],
    ['ban', 'moderation.ban', () => made],
    ['temp_ban', 'moderation.ban', () => ({ ...made, userId: newPlayer(), durationSeconds: '60' })],
    ['perm_ban', 'moderation.ban', () => made],
    ['unmute', 'moderation.mute', async () => ({ userId: await muted() })],
    ['unban', 'moderation.unban', async () => ({ id: await banned() })],
    ['pardon', 'moderation.unban', async () => ({ id: await banned() })],
    ['edit', 'moderation.edit', async () => ({ id: await banned(), severity: 'low' })],
    ['extend', 'moderation.edit', async () => ({ id: await banned(), value: '60' }), ['moderation.ban']],
    ['comment', 'moderation.note', async () => ({ id: await banned(), value: 'x' })],
    ['evidence', 'moderation.note', async () => ({ id: await banned(), value: 'x' })],
    ['acknowledge', 'moderation.note', async () => ({ id: await banned() })],
    ['revoke', 'moderation.revoke', async () => ({ id: await banned(), reason: 'x' }), ['moderation.unban']],
    ['redact', 'moderation.redact', async () => ({ id: await banned(), reason: 'x' })],
  ]
  for (const [action, permission, fields, also = []] of writes) {
    test(`${action} needs ${[permission, ...also].join(' and ')}`, async () => {
      await replay(instance, {
        method: 'POST',
        path,
        workspaceId: desk.id,
        body: { workspaceId: desk.id, action, ...(await fields()) },
        permission,
        also,
      })
    })
  }
})

const banned = async (): Promise<string> => (await desk.ban(newPlayer(), { durationSeconds: 600 })).id
async function muted(): Promise<string> {
  const userId = newPlayer()
  await desk.done({ action: 'mute', userId, reason: 'x', durationSeconds: 600 })
  return userId
}

describe('banning and lifting are apart', () => {
  /** Who may do all but lift bans, and who may do all but ban. */
  async function apart() {
    const rest: Permission[] = ['moderation.edit', 'moderation.revoke', 'moderation.mute']
    const banner = await instance.key(desk.id, [...rest, 'moderation.ban'])
    const lifter = await instance.key(desk.id, [...rest, 'moderation.unban'])
    const lacks = async (key: string, body: Fields) => {
      const before = await stored(instance)
      const answer = await desk.act(body, { key })
      expect(await stored(instance)).toEqual(before)
      return [answer.status, answer.body.reason, answer.body.permission].join(' ')
    }
    return { banner, lifter, lacks }
  }
  const NEEDS = '403 missing_permission'

  test('who may ban cannot make a ban end sooner, by whatever way', async () => {
    const { banner, lacks } = await apart()
    const userId = newPlayer()
    const { id } = await desk.ban(userId, { durationSeconds: 600 })
    for (const body of [
      { action: 'revoke', id, reason: 'x' },
      { action: 'extend', id, value: '-60' },
      { action: 'edit', id, durationSeconds: '60' },
      // A shorter ban in its place would be a lift by another name.
      { action: 'ban', userId, reason: 'x', durationSeconds: '1' },
    ]) {
      expect(await lacks(banner, body)).toBe(`${NEEDS} moderation.unban`)
    }
    await desk.done({ action: 'extend', id, value: '60' }, { key: banner })
    await desk.done({ action: 'edit', id, durationSeconds: 'permanent' }, { key: banner })
    expect(await lacks(banner, { action: 'edit', id, durationSeconds: '315576000000' })).toBe(
      `${NEEDS} moderation.unban`,
    )
    await desk.done({ action: 'ban', userId, reason: 'x' }, { key: banner })
  })

  test('who may lift cannot make a ban run longer, by whatever way', async () => {
    const { lifter, lacks } = await apart()
    const { id } = await desk.ban(newPlayer(), { durationSeconds: 600 })
    for (const body of [
      { action: 'extend', id, value: '60' },
      { action: 'edit', id, durationSeconds: '6000' },
      { action: 'edit', id, durationSeconds: 'permanent' },
    ]) {
      expect(await lacks(lifter, body)).toBe(`${NEEDS} moderation.ban`)
    }
    await desk.done({ action: 'extend', id, value: '-60' }, { key: lifter })
    await desk.done({ action: 'edit', id, durationSeconds: '60' }, { key: lifter })
    await desk.done({ action: 'revoke', id, reason: 'x' }, { key: lifter })
  })

  test('a ban whose time has passed can be revoked and replaced without the permission to lift', async () => {
    const { banner } = await apart()
    const userId = newPlayer()
    const { id } = await desk.ban(userId, { durationSeconds: 600 })
    const revoked = await desk.ban(newPlayer(), { durationSeconds: 600 })
    instance.clock.advance(600_000)
    await desk.done({ action: 'ban', userId, reason: 'x', durationSeconds: '1' }, { key: banner })
    await desk.done({ action: 'revoke', id: revoked.id, reason: 'x' }, { key: banner })
    await desk.done({ action: 'revoke', id, reason: 'x' }, { key: banner })
  })

  test('a mute is moved either way by who may mute, and by nobody else', async () => {
    const { lacks } = await apart()
    const muter = await instance.key(desk.id, ['moderation.edit', 'moderation.mute'])
    const other = await instance.key(desk.id, ['moderation.edit', 'moderation.revoke', 'moderation.ban'])
    const { id } = await desk.done({
      action: 'mute',
      userId: newPlayer(),
      reason: 'x',
      durationSeconds: 600,
    })
    for (const body of [
      { action: 'extend', id, value: '60' },
      { action: 'extend', id, value: '-60' },
      { action: 'revoke', id, reason: 'x' },
    ]) {
      expect(await lacks(other, body)).toBe(`${NEEDS} moderation.mute`)
    }
    await desk.done({ action: 'extend', id, value: '60' }, { key: muter })
    await desk.done({ action: 'extend', id, value: '-60' }, { key: muter })
  })

  test('editing anything but the duration needs neither', async () => {
    const editor = await instance.key(desk.id, ['moderation.edit'])
    const { id } = await desk.ban(newPlayer())
    await desk.done({ action: 'edit', id, reason: 'x', severity: 'low', evidence: 'x' }, { key: editor })
  })
})

describe("another workspace's record", () => {
  test('is not found, never forbidden, and answered exactly as one that never was', async () => {
    const other = await openDesk(instance)
    const { id } = await desk.ban('1', { durationSeconds: 600 })
    const before = await stored(instance)
    const answers = async (target: string) => {
      const bodies = [
        { action: 'unban' },
        { action: 'unmute' },
        { action: 'edit', reason: 'x' },
        { action: 'extend', value: '60' },
        { action: 'comment', value: 'x' },
        { action: 'evidence', value: 'x' },
        { action: 'acknowledge' },
        { action: 'revoke', reason: 'x' },
        { action: 'redact', reason: 'x' },
      ]
      const calls = [
        other.get({ id: target }),
        ...bodies.map((body) => other.act({ ...body, id: target })),
        other.act({ action: 'edit', reason: 'x', id: target }, { headers: { 'if-match': '"1"' } }),
      ]
      return (await Promise.all(calls)).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    }
    const seen = await answers(id)
    expect(seen).toEqual(await answers('0198c0de-dead-7000-8000-00000000dead'))
    expect(new Set(seen.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
    expect(await stored(instance)).toEqual(before)
  })

  test('is in no list but its own, and its player can be lifted nowhere else', async () => {
    const other = await openDesk(instance)
    const { actorUserId } = await desk.ban('1')
    for (const query of [{}, { banList: 'true' }, { banHistory: 'true' }, { userId: '1' }, { actorUserId }]) {
      const { body } = await other.get(query)
      expect(body.bans ?? body.history ?? body.records).toEqual([])
    }
    expect((await other.act({ action: 'unban', userId: '1' })).status).toBe(409)
    expect(await desk.bans('1')).toHaveLength(1)
  })
})

describe('the ban check', () => {
  test('answers past the monthly quota, where bans are refused', async () => {
    await desk.ban('quota')
    await quota(instance, desk.id, 1)
    expect(await desk.bans('quota')).toHaveLength(1)
    const asked = { banList: 'true', userId: 'quota' }
    expect((await instance.call('POST', desk.at(asked), { key: desk.key })).body.bans).toHaveLength(1)
    expect(await desk.act({ action: 'ban', userId: 'quota', reason: 'x' })).toMatchObject({
      status: 429,
      body: { code: 'quota_exceeded' },
    })
    await quota(instance, desk.id, null)
  })

  test('switched off is refused, never answered as if there were no bans', async () => {
    await controlled(instance, desk.id, 'moderation', 'off')
    const { status, body } = await desk.get({ banList: 'true', userId: 'quota' })
    expect([status, body.reason, body.bans]).toEqual([403, 'endpoint_disabled', undefined])
    await controlled(instance, desk.id, 'moderation', null)
  })
})
