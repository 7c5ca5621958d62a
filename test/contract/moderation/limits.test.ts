import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { compareApiKeys } from '@reeve/auth'
import { HOUR_MS, type RoleLimits } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, HOUR, type LimitsFixture, openLimitsFixture, summarize } from './limits-fixture.ts'

let instance: Instance
let fixture: LimitsFixture
beforeAll(async () => {
  instance = await openInstance()
  fixture = await openLimitsFixture(instance)
}, 60_000)
afterAll(() => instance.close())

let lastPlayer = 1000
const newPlayer = () => String(++lastPlayer)
const over = (name: keyof RoleLimits) => [403, 'over_limit', name]

describe('limits of a role', () => {
  test('bound the duration of bans and mutes, however it is reached', async () => {
    const { act } = await fixture.staff({ longestBanSeconds: DAY, longestMuteSeconds: HOUR })
    const userId = newPlayer()
    const ban = (durationSeconds: unknown) => act({ action: 'ban', userId, durationSeconds })
    for (const tooLong of [DAY + 1, 'permanent'])
      expect(summarize(await ban(tooLong))).toEqual(over('longestBanSeconds'))
    const { record } = (await ban(DAY)).body
    const longer = [
      { action: 'extend', id: record.id, value: '1' },
      { action: 'edit', id: record.id, durationSeconds: DAY + 1 },
      { action: 'edit', id: record.id, durationSeconds: 'permanent' },
    ]
    for (const body of longer) expect(summarize(await act(body))).toEqual(over('longestBanSeconds'))
    expect(summarize(await act({ action: 'extend', id: record.id, value: '-60' }))).toBe(200)
    const mute = await act({ action: 'mute', userId, durationSeconds: HOUR + 1 })
    expect(mute.body.limit).toEqual({ name: 'longestMuteSeconds', value: String(HOUR) })
    expect(mute.body.error).toBe('The longest mute that your roles allow is 1 hour.')
    // What others impose can be shortened, but not extended.
    const longBan = await fixture.ban(newPlayer(), { durationSeconds: 30 * DAY })
    expect(summarize(await act({ action: 'extend', id: longBan.id, value: '60' }))).toEqual(
      over('longestBanSeconds'),
    )
    expect(summarize(await act({ action: 'edit', id: longBan.id, durationSeconds: 29 * DAY }))).toBe(200)
  })

  test('bound the severity and require evidence, at creation and in edits', async () => {
    const { act } = await fixture.staff({ highestSeverity: 'high', evidenceFromSeverity: 'medium' })
    const warn = (fields: object) => act({ action: 'warn', userId: newPlayer(), ...fields })
    expect(summarize(await warn({ severity: 'critical', evidence: 'a' }))).toEqual(over('highestSeverity'))
    expect(summarize(await warn({ severity: 'medium' }))).toEqual(over('evidenceFromSeverity'))
    const { record } = (await warn({ severity: 'high', evidence: 'Seen by two of us' })).body
    const edit = (fields: object) => act({ action: 'edit', id: record.id, ...fields })
    expect(summarize(await edit({ severity: 'critical' }))).toEqual(over('highestSeverity'))
    expect(summarize(await edit({ evidence: '' }))).toEqual(over('evidenceFromSeverity'))
    expect(summarize(await edit({ severity: 'low', evidence: '' }))).toBe(200)
    expect(summarize(await edit({ severity: 'medium' }))).toEqual(over('evidenceFromSeverity'))
    // A default is lowered to the limit, because nobody has asked for it.
    const low = await fixture.staff({ highestSeverity: 'low' })
    const kept = await low.act({ action: 'mute', userId: newPlayer(), durationSeconds: 60 })
    expect(kept.body.record.severity).toBe('low')
    const { template } = (
      await instance.request('POST', `/api/moderation/templates?workspaceId=${fixture.id}`, {
        key: fixture.key,
        body: { name: 'Exploiting', publicReason: 'x', defaultSeverity: 'critical' },
      })
    ).body
    const byTemplate = await low.act({ action: 'warn', userId: newPlayer(), templateId: template.id })
    expect(byTemplate.body.record).toMatchObject({ severity: 'low', templateId: template.id })
  })

  test('bound the bans per hour of a person, whatever they do with them and with which credentials', async () => {
    const member = await fixture.staff({ bansPerHour: 3 }, ['api_keys.manage'])
    const created = await fixture.portal(
      'POST',
      'api-keys',
      { name: 'Way around', permissions: 'moderation.ban,moderation.unban' },
      member.session,
    )
    const userId = newPlayer()
    const ban = { action: 'ban', userId, durationSeconds: 60 }
    const byKey = (body: object) => fixture.act({ reason: 'x', ...body }, { key: created.body.secret })
    expect(summarize(await member.act(ban))).toBe(200)
    await member.act({ action: 'unban', userId })
    expect(summarize(await byKey(ban))).toBe(200)
    await byKey({ action: 'unban', userId })
    instance.clock.advance(HOUR_MS / 2)
    expect(summarize(await member.act(ban))).toBe(200)
    const refused = await byKey(ban)
    const resetsAt = fixture.timeFromNow(HOUR_MS / 2)
    expect(refused.body).toMatchObject({
      reason: 'over_limit',
      limit: { name: 'bansPerHour', value: '3', resetsAt },
    })
    const path = `/portal/api/moderation/limits?workspaceId=${fixture.id}`
    const own = await instance.request('GET', path, { session: member.session })
    expect(own.body).toMatchObject({ bansThisHour: '3', nextBanAt: resetsAt })
    instance.clock.advance(HOUR_MS / 2 - 1)
    expect(summarize(await member.act(ban))).toEqual(over('bansPerHour'))
    instance.clock.advance(1)
    expect([summarize(await member.act(ban)), summarize(await byKey(ban))]).toEqual([200, 200])
    expect(summarize(await member.act(ban))).toEqual(over('bansPerHour'))
  })

  test('do not outlast their reset in the stored response of an idempotency key', async () => {
    const { session } = await fixture.staff({ bansPerHour: 1 })
    const ban = (key: string) =>
      instance.request('POST', fixture.toPath({}), {
        session,
        headers: { 'idempotency-key': key },
        body: { action: 'ban', userId: newPlayer(), reason: 'x', durationSeconds: 60 },
      })
    const repeat = async (key: string, userId: string) =>
      instance.request('POST', fixture.toPath({}), {
        session,
        headers: { 'idempotency-key': key },
        body: { action: 'ban', userId, reason: 'x', durationSeconds: 60 },
      })
    expect((await ban('first')).status).toBe(200)
    const userId = newPlayer()
    expect(summarize(await repeat('second', userId))).toEqual(over('bansPerHour'))
    instance.clock.advance(HOUR_MS)
    expect(summarize(await repeat('second', userId))).toBe(200)
    expect((await repeat('second', userId)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('of several roles: the widest among those that grant the permission; the owner has none', async () => {
    const member = await fixture.staff({ longestBanSeconds: DAY })
    const addRole = async (permissions: Parameters<Instance['role']>[1], limits: Partial<RoleLimits>) => {
      const roleId = await instance.role(fixture.id, permissions, 5, limits)
      const current = await instance.request(
        'GET',
        `/portal/api/members?workspaceId=${fixture.id}&accountId=${member.accountId}`,
        { session: fixture.ownerSession },
      )
      const roleIds = [...current.body.member.roles.map(({ id }: { id: string }) => id), roleId].join()
      return fixture.portal('PATCH', 'members', { accountId: member.accountId, roleIds })
    }
    const ban = async (durationSeconds: unknown) =>
      summarize(await member.act({ action: 'ban', userId: newPlayer(), durationSeconds }))
    // A role that does not grant banning says nothing about bans.
    expect((await addRole(['events.view'], {})).status).toBe(200)
    expect(await ban(2 * DAY)).toEqual(over('longestBanSeconds'))
    await addRole(['moderation.ban'], { longestBanSeconds: 3 * DAY })
    expect([await ban(2 * DAY), await ban('permanent')]).toEqual([200, over('longestBanSeconds')])
    await addRole(['moderation.ban'], {})
    expect(await ban('permanent')).toBe(200)
    const byOwner = await fixture.act(
      { action: 'ban', userId: newPlayer(), reason: 'x' },
      { session: fixture.ownerSession },
    )
    expect(byOwner.status).toBe(200)
  })
})

describe('limits cannot be shaken off', () => {
  test('an API key has those of its creator, also those that the creator gets later', async () => {
    const member = await fixture.staff({}, ['api_keys.manage'])
    const fields = { name: 'Early', permissions: 'moderation.view,moderation.ban' }
    const early = (await fixture.portal('POST', 'api-keys', fields, member.session)).body
    const ban = async (key: string) =>
      summarize(await fixture.act({ action: 'ban', userId: newPlayer(), reason: 'x' }, { key }))
    expect(await ban(early.secret)).toBe(200)
    const role = await fixture.portal('PATCH', 'roles', { id: member.roleId, longestBanSeconds: String(DAY) })
    expect(role.body.role).toMatchObject({ longestBanSeconds: String(DAY), version: '2' })
    const late = (await fixture.portal('POST', 'api-keys', fields, member.session)).body
    const rotated = (await fixture.portal('POST', 'api-keys/rotate', { id: late.apiKey.id })).body
    const listed = await instance.request(
      'GET',
      `/portal/api/api-keys?workspaceId=${fixture.id}&ended=false`,
      {
        session: fixture.ownerSession,
      },
    )
    for (const { id } of [early.apiKey, rotated.apiKey])
      expect(listed.body.apiKeys.find((key: { id: string }) => key.id === id)).toMatchObject({
        longestBanSeconds: String(DAY),
      })
    for (const key of [early.secret, rotated.secret])
      expect(await ban(key)).toEqual(over('longestBanSeconds'))
    await fixture.portal('PATCH', 'roles', { id: member.roleId, longestBanSeconds: null })
    expect(await ban(early.secret)).toEqual(over('longestBanSeconds'))
    expect((await member.act({ action: 'ban', userId: newPlayer() })).status).toBe(200)
  })

  test('a key that a member with limits rotates gets these, and the audit log says so', async () => {
    const other = await fixture.staff({}, ['api_keys.manage'], 5)
    const member = await fixture.staff({ longestBanSeconds: DAY }, ['api_keys.manage'])
    const fields = { name: 'Game', permissions: 'moderation.view,moderation.ban' }
    const { apiKey } = (await fixture.portal('POST', 'api-keys', fields, other.session)).body
    const rotated = await fixture.portal('POST', 'api-keys/rotate', { id: apiKey.id }, member.session)
    expect(rotated.body.apiKey).toMatchObject({ longestBanSeconds: String(DAY) })
    const differences: unknown[] = []
    await compareApiKeys(instance.db.read, fixture.id, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })

  test('nobody grants a role with wider limits than their own, creates one, or widens one', async () => {
    const manager = await fixture.staff(
      { longestBanSeconds: DAY },
      ['roles.manage', 'roles.view', 'members.manage', 'members.view'],
      50,
    )
    const create = (name: string, fields: object) =>
      fixture.portal(
        'POST',
        'roles',
        { name, rank: '5', permissions: 'moderation.ban', ...fields },
        manager.session,
      )
    expect(summarize(await create('Wide', {}))).toEqual([403, 'over_limit', null])
    expect(summarize(await create('Two days', { longestBanSeconds: 2 * DAY }))).toEqual([
      403,
      'over_limit',
      null,
    ])
    const strict = await create('Strict', { longestBanSeconds: HOUR })
    expect(strict.status).toBe(200)
    const { id } = strict.body.role
    const change = (fields: object) => fixture.portal('PATCH', 'roles', { id, ...fields }, manager.session)
    expect(summarize(await change({ longestBanSeconds: null }))).toEqual([403, 'over_limit', null])
    expect(summarize(await change({ longestBanSeconds: DAY }))).toBe(200)
    const lead = await instance.member(fixture.id, ['roles.manage', 'roles.view'], 50)
    const widened = await fixture.portal('PATCH', 'roles', { id, longestBanSeconds: null }, lead.session)
    expect([widened.status, widened.body.error]).toEqual([403, expect.stringContaining('moderation.ban')])
    const wide = await instance.role(fixture.id, ['moderation.ban'], 5)
    const helper = await instance.member(fixture.id, [], 1)
    const assign = (roleIds: string) =>
      fixture.portal('PATCH', 'members', { accountId: helper.accountId, roleIds }, manager.session)
    expect(summarize(await assign(wide))).toEqual([403, 'over_limit', null])
    expect(summarize(await assign(id))).toBe(200)
  })
})

describe('a player who is a member', () => {
  test('can only be sanctioned by those who outrank them', async () => {
    const target = await instance.member(fixture.id, ['moderation.view'], 20)
    const userId = newPlayer()
    const link = await fixture.portal('PATCH', 'members/players', {
      accountId: target.accountId,
      userIds: userId,
    })
    expect([link.status, link.body]).toEqual([200, { accountId: target.accountId, userIds: [userId] }])
    const equal = await fixture.staff({}, ['moderation.kick'], 20)
    const higher = await fixture.staff({}, [], 21)
    for (const action of ['ban', 'mute', 'kick', 'warn'])
      expect(summarize(await equal.act({ action, userId }))).toEqual([403, 'insufficient_rank', null])
    expect(summarize(await equal.act({ action: 'note', userId }))).toBe(200)
    const { record } = (await higher.act({ action: 'ban', userId, durationSeconds: DAY })).body
    expect(summarize(await equal.act({ action: 'extend', id: record.id, value: '60' }))).toEqual([
      403,
      'insufficient_rank',
      null,
    ])
    expect(summarize(await equal.act({ action: 'unban', userId }))).toBe(200)
    const own = await fixture.portal('PATCH', 'members/players', { accountId: fixture.ownerId, userIds: '1' })
    expect(own.status).toBe(200)
    expect(summarize(await fixture.act({ action: 'ban', userId: '1', reason: 'x' }))).toEqual([
      403,
      'insufficient_rank',
      null,
    ])
  })
})
