import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { quota, setEndpointControl } from '../../support/workspace-states.ts'
import { type Fields, type ModerationFixture, openModerationFixture, path } from './fixture.ts'

let instance: Instance
let fixture: ModerationFixture
let players = 0

beforeAll(async () => {
  instance = await openInstance()
  fixture = await openModerationFixture(instance)
})
afterAll(() => instance.close())

const newPlayer = () => `player${++players}`

describe('a caller without permission gets 403 and changes nothing', () => {
  const reads: Record<string, Record<string, string>> = {
    'the ban check': { banList: 'true', userId: '1' },
    'the bans in force': { banList: 'true' },
    'the ban history': { banHistory: 'true' },
    'the records': {},
  }
  for (const [what, query] of Object.entries(reads)) {
    for (const method of ['GET', 'POST'] as const) {
      test(`${method} of ${what} needs moderation.view`, async () => {
        await expectAccessRules(instance, {
          method,
          path,
          workspaceId: fixture.id,
          query: { workspaceId: fixture.id, ...query },
          permission: 'moderation.view',
          reads: true,
        })
      })
    }
  }

  test('reading one record needs moderation.view', async () => {
    const { id } = await fixture.ban(newPlayer())
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspaceId: fixture.id,
      query: { workspaceId: fixture.id, id },
      permission: 'moderation.view',
    })
  })

  const banFields = { userId: '1', reason: 'x' }
  const writes: [string, Permission, () => Fields | Promise<Fields>, Permission[]?][] = [
    ['note', 'moderation.note', () => banFields],
    ['warn', 'moderation.warn', () => banFields],
    ['warning', 'moderation.warn', () => banFields],
    ['kick', 'moderation.kick', () => banFields],
    ['mute', 'moderation.mute', () => banFields],
    ['ban', 'moderation.ban', () => banFields],
    ['temp_ban', 'moderation.ban', () => ({ ...banFields, userId: newPlayer(), durationSeconds: '60' })],
    ['perm_ban', 'moderation.ban', () => banFields],
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
      await expectAccessRules(instance, {
        method: 'POST',
        path,
        workspaceId: fixture.id,
        body: { workspaceId: fixture.id, action, ...(await fields()) },
        permission,
        also,
      })
    })
  }
})

const banned = async (): Promise<string> => (await fixture.ban(newPlayer(), { durationSeconds: 600 })).id
async function muted(): Promise<string> {
  const userId = newPlayer()
  await fixture.actOk({ action: 'mute', userId, reason: 'x', durationSeconds: 600 })
  return userId
}

describe('banning and lifting have separate permissions', () => {
  /** API keys with every permission but that to lift bans, and but that to ban. */
  async function createSeparateKeys() {
    const basePermissions: Permission[] = ['moderation.edit', 'moderation.revoke', 'moderation.mute']
    const banKey = await instance.key(fixture.id, [...basePermissions, 'moderation.ban'])
    const unbanKey = await instance.key(fixture.id, [...basePermissions, 'moderation.unban'])
    const expectMissingPermission = async (key: string, body: Fields) => {
      const before = await readStoredRows(instance)
      const response = await fixture.act(body, { key })
      expect(await readStoredRows(instance)).toEqual(before)
      return [response.status, response.body.reason, response.body.permission].join(' ')
    }
    return { banKey, unbanKey, expectMissingPermission }
  }
  const NEEDS = '403 missing_permission'

  test('the permission to ban cannot make a ban end sooner, by any action', async () => {
    const { banKey, expectMissingPermission } = await createSeparateKeys()
    const userId = newPlayer()
    const { id } = await fixture.ban(userId, { durationSeconds: 600 })
    for (const body of [
      { action: 'revoke', id, reason: 'x' },
      { action: 'extend', id, value: '-60' },
      { action: 'edit', id, durationSeconds: '60' },
      // A shorter ban in its place would amount to a lift.
      { action: 'ban', userId, reason: 'x', durationSeconds: '1' },
    ]) {
      expect(await expectMissingPermission(banKey, body)).toBe(`${NEEDS} moderation.unban`)
    }
    await fixture.actOk({ action: 'extend', id, value: '60' }, { key: banKey })
    await fixture.actOk({ action: 'edit', id, durationSeconds: 'permanent' }, { key: banKey })
    expect(
      await expectMissingPermission(banKey, { action: 'edit', id, durationSeconds: '315576000000' }),
    ).toBe(`${NEEDS} moderation.unban`)
    await fixture.actOk({ action: 'ban', userId, reason: 'x' }, { key: banKey })
  })

  test('the permission to lift cannot make a ban run longer, by any action', async () => {
    const { unbanKey, expectMissingPermission } = await createSeparateKeys()
    const { id } = await fixture.ban(newPlayer(), { durationSeconds: 600 })
    for (const body of [
      { action: 'extend', id, value: '60' },
      { action: 'edit', id, durationSeconds: '6000' },
      { action: 'edit', id, durationSeconds: 'permanent' },
    ]) {
      expect(await expectMissingPermission(unbanKey, body)).toBe(`${NEEDS} moderation.ban`)
    }
    await fixture.actOk({ action: 'extend', id, value: '-60' }, { key: unbanKey })
    await fixture.actOk({ action: 'edit', id, durationSeconds: '60' }, { key: unbanKey })
    await fixture.actOk({ action: 'revoke', id, reason: 'x' }, { key: unbanKey })
  })

  test('an expired ban can be revoked and replaced without the permission to lift', async () => {
    const { banKey } = await createSeparateKeys()
    const userId = newPlayer()
    const { id } = await fixture.ban(userId, { durationSeconds: 600 })
    const revoked = await fixture.ban(newPlayer(), { durationSeconds: 600 })
    instance.clock.advance(600_000)
    await fixture.actOk({ action: 'ban', userId, reason: 'x', durationSeconds: '1' }, { key: banKey })
    await fixture.actOk({ action: 'revoke', id: revoked.id, reason: 'x' }, { key: banKey })
    await fixture.actOk({ action: 'revoke', id, reason: 'x' }, { key: banKey })
  })

  test('the expiry of a mute moves either way with the permission to mute, and not without it', async () => {
    const { expectMissingPermission } = await createSeparateKeys()
    const muteKey = await instance.key(fixture.id, ['moderation.edit', 'moderation.mute'])
    const otherKey = await instance.key(fixture.id, [
      'moderation.edit',
      'moderation.revoke',
      'moderation.ban',
    ])
    const { id } = await fixture.actOk({
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
      expect(await expectMissingPermission(otherKey, body)).toBe(`${NEEDS} moderation.mute`)
    }
    await fixture.actOk({ action: 'extend', id, value: '60' }, { key: muteKey })
    await fixture.actOk({ action: 'extend', id, value: '-60' }, { key: muteKey })
  })

  test('editing any field but the duration needs neither', async () => {
    const editKey = await instance.key(fixture.id, ['moderation.edit'])
    const { id } = await fixture.ban(newPlayer())
    await fixture.actOk({ action: 'edit', id, reason: 'x', severity: 'low', evidence: 'x' }, { key: editKey })
  })
})

describe("another workspace's record", () => {
  test('is not found, with the same response as for an id that does not exist', async () => {
    const otherKey = await openModerationFixture(instance)
    const { id } = await fixture.ban('1', { durationSeconds: 600 })
    const before = await readStoredRows(instance)
    const readResponses = async (target: string) => {
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
        otherKey.get({ id: target }),
        ...bodies.map((body) => otherKey.act({ ...body, id: target })),
        otherKey.act({ action: 'edit', reason: 'x', id: target }, { headers: { 'if-match': '"1"' } }),
      ]
      return (await Promise.all(calls)).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    }
    const actual = await readResponses(id)
    expect(actual).toEqual(await readResponses('0198c0de-dead-7000-8000-00000000dead'))
    expect(new Set(actual.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test("appears in no other workspace's list, and cannot be lifted from another workspace", async () => {
    const otherKey = await openModerationFixture(instance)
    const { actorUserId } = await fixture.ban('1')
    for (const query of [{}, { banList: 'true' }, { banHistory: 'true' }, { userId: '1' }, { actorUserId }]) {
      const { body } = await otherKey.get(query)
      expect(body.bans ?? body.history ?? body.records).toEqual([])
    }
    expect((await otherKey.act({ action: 'unban', userId: '1' })).status).toBe(409)
    expect(await fixture.listActiveBans('1')).toHaveLength(1)
  })
})

describe('the ban check', () => {
  test('works over the monthly quota, where bans are rejected', async () => {
    await fixture.ban('quota')
    await quota(instance, fixture.id, 1)
    expect(await fixture.listActiveBans('quota')).toHaveLength(1)
    const quotaQuery = { banList: 'true', userId: 'quota' }
    expect(
      (await instance.request('POST', fixture.toPath(quotaQuery), { key: fixture.key })).body.bans,
    ).toHaveLength(1)
    expect(await fixture.act({ action: 'ban', userId: 'quota', reason: 'x' })).toMatchObject({
      status: 429,
      body: { code: 'quota_exceeded' },
    })
    await quota(instance, fixture.id, null)
  })

  test('that is switched off is rejected, never answered with an empty list', async () => {
    await setEndpointControl(instance, fixture.id, 'moderation', 'off')
    const { status, body } = await fixture.get({ banList: 'true', userId: 'quota' })
    expect([status, body.reason, body.bans]).toEqual([403, 'endpoint_disabled', undefined])
    await setEndpointControl(instance, fixture.id, 'moderation', null)
  })
})
