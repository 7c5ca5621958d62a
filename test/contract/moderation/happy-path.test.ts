import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { listIds, type ModerationFixture, openModerationFixture, SECOND, toSummary } from './fixture.ts'

let instance: Instance
let fixture: ModerationFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openModerationFixture(instance)
})
afterAll(() => instance.close())

describe('creating a record', () => {
  test('returns the whole record, every field a string, a list or null', async () => {
    const record = await fixture.actOk({
      action: 'ban',
      userId: 261,
      userUsername: ' Builderman ',
      reason: 'Exploiting\r\nin two games',
      severity: 'critical',
      durationSeconds: 3600,
      evidence: 'https://example.com/clip\n\n seen by two ',
      actorPlatformUserId: '156',
      actorUsername: 'clockwork',
    })
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      workspaceId: fixture.id,
      caseNumber: '1',
      action: 'ban',
      userId: '261',
      userUsername: 'Builderman',
      reason: 'Exploiting\nin two games',
      severity: 'critical',
      status: 'active',
      evidence: ['https://example.com/clip', 'seen by two'],
      evidenceFiles: [],
      comments: [],
      durationSeconds: '3600',
      expiresAt: fixture.timeFromNow(3600 * SECOND),
      actorUserId: expect.any(String),
      actorUsername: 'clockwork',
      actorPlatformUserId: '156',
      createdAt: fixture.timeFromNow(),
      updatedAt: fixture.timeFromNow(),
      acknowledgedAt: null,
      revokedAt: null,
      revokedBy: null,
      revokedByUsername: null,
      revokedByPlatformUserId: null,
      revokeReason: null,
      redactedAt: null,
      occurredAt: null,
      originalModerator: null,
      source: null,
      sourceId: null,
      appealCode: expect.stringMatching(/^\w{5}-\w{5}$/),
      appealableFrom: null,
      appealableUntil: null,
      message: expect.stringContaining('Reason: Exploiting\nin two games. You can appeal.'),
      templateId: null,
      templateVersion: null,
      ladderId: null,
      ladderVersion: null,
      step: null,
      countsUntil: null,
      publicReason: null,
      sequence: expect.stringMatching(/^\d+$/),
      version: '1',
    })
    expect((await fixture.getRecord(record.id)).record).toEqual(record)
  })

  test('requires a player and a reason, and defaults the severity by action', async () => {
    const severities = { note: 'low', warn: 'low', kick: 'medium', mute: 'medium', ban: 'high' }
    for (const [action, severity] of Object.entries(severities)) {
      const record = await fixture.actOk({ action, userId: '1', reason: 'x' })
      expect(record).toMatchObject({
        action,
        severity,
        status: 'active',
        durationSeconds: null,
        expiresAt: null,
      })
    }
  })

  test('numbers cases per workspace without gaps, also after a rejected request', async () => {
    const otherFixture = await openModerationFixture(instance)
    await fixture.ban('1')
    await fixture.act({ action: 'unban', userId: 'nobody' })
    await fixture.act({ action: 'warn', userId: '1' })
    expect((await fixture.ban('2')).caseNumber).toBe('2')
    expect((await otherFixture.ban('2')).caseNumber).toBe('1')
  })

  test('accepts the aliases of an action', async () => {
    expect(await fixture.actOk({ action: 'warning', userId: '1', reason: 'x' })).toMatchObject({
      action: 'warn',
    })
    expect(
      await fixture.actOk({ action: 'temp_ban', userId: '1', reason: 'x', durationSeconds: '60' }),
    ).toMatchObject({ action: 'ban', durationSeconds: '60' })
    expect(await fixture.actOk({ action: 'perm_ban', userId: '2', reason: 'x' })).toMatchObject({
      action: 'ban',
      expiresAt: null,
    })
    expect(await fixture.actOk({ action: 'pardon', userId: '1' })).toMatchObject({ status: 'revoked' })
  })

  test('accepts every form of a permanent duration', async () => {
    for (const durationSeconds of ['', '-1', -1, 'permanent', undefined]) {
      expect(await fixture.ban('1', { durationSeconds })).toMatchObject({
        durationSeconds: null,
        expiresAt: null,
      })
    }
  })

  test('stores the maximum duration as given, with an expiry in the year 9999 at the latest', async () => {
    const record = await fixture.ban('1', { durationSeconds: '315576000000' })
    expect(record).toMatchObject({
      durationSeconds: '315576000000',
      expiresAt: '9999-12-31T23:59:59.999Z',
      status: 'active',
    })
  })

  test('accepts player and severity in the query', async () => {
    const { body } = await instance.request(
      'POST',
      fixture.toPath({ userId: '7', severity: 'low', banList: 'false' }),
      {
        key: fixture.key,
        body: { action: 'ban', reason: 'x', userId: 7 },
      },
    )
    expect(body.record).toMatchObject({ userId: '7', severity: 'low' })
  })

  test('is the same under the legacy prefix', async () => {
    const response = await instance.request('POST', `${LEGACY_PREFIX}/moderation`, {
      key: fixture.key,
      body: { workspaceId: fixture.id, action: 'ban', userId: '1', reason: 'x' },
    })
    expect(response.status).toBe(200)
    expect(listIds(await fixture.listActiveBans('1'))).toEqual([response.body.record.id])
  })

  test('from a session has the account and its name', async () => {
    const member = await instance.member(fixture.id, ['moderation.warn'])
    const { body } = await fixture.act(
      { action: 'warn', userId: '1', reason: 'x' },
      { key: undefined as never, session: member.session },
    )
    expect(body.record).toMatchObject({ actorUserId: member.accountId, actorPlatformUserId: null })
    expect(body.record.actorUsername).toStartWith('account')
  })
})

describe('a second ban', () => {
  test('supersedes the first', async () => {
    const first = await fixture.ban('1', { durationSeconds: 60 })
    const second = await fixture.ban('1', { reason: 'Again' })
    expect(await fixture.listActiveBans('1')).toEqual([toSummary(second)])
    expect((await fixture.getRecord(first.id)).record).toMatchObject({
      status: 'superseded',
      version: '2',
      revokedAt: null,
    })
    expect(Number(second.sequence)).toBe(Number(first.sequence) + 2)
  })

  test('leaves the first expired if its time has passed', async () => {
    const first = await fixture.ban('1', { durationSeconds: 60 })
    instance.clock.advance(61 * SECOND)
    await fixture.ban('1')
    expect((await fixture.getRecord(first.id)).record).toMatchObject({ status: 'expired', version: '2' })
  })

  test('does not change a mute of the same player', async () => {
    const mute = await fixture.actOk({ action: 'mute', userId: '1', reason: 'x' })
    await fixture.ban('1')
    expect((await fixture.getRecord(mute.id)).record).toEqual(mute)
  })
})

describe('lifting', () => {
  test('a ban by player ends it and stores who, when and why', async () => {
    const record = await fixture.ban('1')
    instance.clock.advance(SECOND)
    const lifted = await fixture.actOk({ action: 'unban', userId: '1', reason: 'Appeal heard' })
    expect(lifted).toEqual({
      ...record,
      status: 'revoked',
      revokedAt: fixture.timeFromNow(),
      revokedBy: record.actorUserId,
      revokedByUsername: record.actorUsername,
      revokeReason: 'Appeal heard',
      message: null,
      updatedAt: fixture.timeFromNow(),
      sequence: String(Number(record.sequence) + 1),
      version: '2',
    })
    expect(await fixture.listActiveBans('1')).toEqual([])
  })

  test('works by record id, and without a reason', async () => {
    const mute = await fixture.actOk({ action: 'mute', userId: '1', reason: 'x' })
    expect(await fixture.actOk({ action: 'unmute', id: mute.id })).toMatchObject({
      id: mute.id,
      status: 'revoked',
      revokeReason: null,
    })
  })

  test('allows a new ban of the player', async () => {
    await fixture.ban('1')
    await fixture.actOk({ action: 'unban', userId: '1' })
    const secondBan = await fixture.ban('1')
    expect(await fixture.listActiveBans('1')).toEqual([toSummary(secondBan)])
  })
})
