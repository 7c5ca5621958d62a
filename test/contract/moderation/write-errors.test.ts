import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { type Fields, type ModerationFixture, openModerationFixture } from './fixture.ts'

let instance: Instance
let fixture: ModerationFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openModerationFixture(instance)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

describe('a write', () => {
  test('gets every missing and every unused field', async () => {
    const id = UNKNOWN_ID
    const cases: [Fields, string[]][] = [
      [{ action: 'note' }, ['reason', 'userId']],
      [{ action: 'warn', userId: '1', reason: ' ' }, ['reason']],
      [{ action: 'warn', userId: '1', reason: '\u200b\u3164' }, ['reason']],
      [{ action: 'warn', userId: '1', reason: 'x', userUsername: '\u2800' }, ['userUsername']],
      [{ action: 'warn', userId: '1', reason: 'x', durationSeconds: '60' }, ['durationSeconds']],
      [{ action: 'kick', userId: '1', reason: 'x', id, value: 'x' }, ['id', 'value']],
      [{ action: 'ban', durationSeconds: '60', id }, ['id', 'reason', 'userId']],
      [{ action: 'ban', userId: '1,2', reason: 'x' }, ['userId']],
      [{ action: 'unban' }, ['userId']],
      [{ action: 'unban', userId: '1', id, value: 'x' }, ['value']],
      [{ action: 'unmute', userId: '1', severity: 'low', evidence: 'x' }, ['evidence', 'severity']],
      [{ action: 'edit', reason: 'x' }, ['id']],
      [{ action: 'edit', id }, ['action']],
      [{ action: 'edit', id, reason: '' }, ['reason']],
      [{ action: 'edit', id, userId: '2', value: 'x', reason: 'x' }, ['userId', 'value']],
      [{ action: 'extend', id }, ['value']],
      [{ action: 'comment', value: '' }, ['id', 'value']],
      [{ action: 'evidence', id, evidence: 'x' }, ['evidence', 'value']],
      [{ action: 'acknowledge', id, reason: 'x' }, ['reason']],
      [{ action: 'revoke', id }, ['reason']],
      [{ action: 'redact', id, reason: '' }, ['reason']],
      [{ action: 'temp_ban', userId: '1', reason: 'x' }, ['durationSeconds']],
      [{ action: 'temp_ban', userId: '1', reason: 'x', durationSeconds: 'permanent' }, ['durationSeconds']],
      [{ action: 'perm_ban', userId: '1', reason: 'x', durationSeconds: '60' }, ['durationSeconds']],
    ]
    for (const [body, fields] of cases) {
      expect({ body, ...(await fixture.expectWriteRejected(body)) }).toMatchObject({
        body,
        status: 400,
        fields,
      })
    }
  })

  test('is rejected for invalid values', async () => {
    const cases: Fields = {
      userId: 'a b',
      userUsername: 'x'.repeat(101),
      reason: 'x'.repeat(1001),
      severity: 'extreme',
      durationSeconds: '0',
      evidence: Array(11).fill('x').join('\n'),
      actorPlatformUserId: '',
      actorUsername: 'two\nlines',
    }
    const good = { action: 'ban', userId: '1', reason: 'x' }
    for (const [field, value] of Object.entries(cases)) {
      expect(await fixture.expectWriteRejected({ ...good, [field]: value })).toMatchObject({
        status: 400,
        fields: [field],
      })
    }
    expect(await fixture.expectWriteRejected({ ...good, ...cases })).toMatchObject({
      fields: Object.keys(cases).sort(),
    })
    for (const value of [null, {}, [], ['1'], 1.5, 2 ** 53, 'a\u0000b', '\ud800']) {
      expect(await fixture.expectWriteRejected({ ...good, reason: value })).toMatchObject({
        status: 400,
        fields: ['reason'],
      })
    }
    for (const durationSeconds of ['-2', '1.5', '1e3', '315576000001', ' 5', '0x10', 'forever', 0, true]) {
      expect(await fixture.expectWriteRejected({ ...good, durationSeconds })).toMatchObject({
        status: 400,
        fields: ['durationSeconds'],
      })
    }
    expect(await fixture.expectWriteRejected({ ...good, userID: '1' })).toMatchObject({
      status: 400,
      fields: ['userID'],
    })
    expect(await fixture.expectWriteRejected('{"action":"ban"')).toMatchObject({
      status: 400,
      code: 'invalid_json',
    })
    expect(await fixture.expectWriteRejected({ ...good, evidence: 'x'.repeat(65 * 1024) })).toMatchObject({
      status: 413,
    })
    expect(await fixture.expectWriteRejected(good, {}, { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    })
  })

  test('reads `value` in the format of its action', async () => {
    const { id } = await fixture.ban('1', { durationSeconds: 60 })
    const cases: [string, string][] = [
      ['extend', '0'],
      ['extend', '1.5'],
      ['extend', 'an hour'],
      ['extend', '999999999999'],
      ['comment', 'x'.repeat(2001)],
      ['evidence', 'x'.repeat(2001)],
      ['evidence', Array(11).fill('x').join('\n')],
    ]
    for (const [action, value] of cases) {
      expect(await fixture.expectWriteRejected({ action, id, value })).toMatchObject({
        status: 400,
        fields: ['value'],
      })
    }
  })

  test('from a session cannot act for another person', async () => {
    const { session } = await instance.member(fixture.id, ['moderation.ban'])
    const body = { action: 'ban', userId: '1', reason: 'x', actorPlatformUserId: '1', actorUsername: 'Other' }
    expect(
      await fixture.expectRejected(() => instance.request('POST', fixture.toPath({}), { session, body })),
    ).toMatchObject({
      status: 400,
      fields: ['actorPlatformUserId', 'actorUsername'],
    })
  })

  test('to a record that does not exist is not found', async () => {
    const id = UNKNOWN_ID
    for (const body of [
      { action: 'unban', id },
      { action: 'edit', id, reason: 'x' },
      { action: 'extend', id, value: '1' },
      { action: 'comment', id, value: 'x' },
      { action: 'evidence', id, value: 'x' },
      { action: 'acknowledge', id },
      { action: 'revoke', id, reason: 'x' },
      { action: 'redact', id, reason: 'x' },
    ]) {
      expect(await fixture.expectWriteRejected(body)).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('to an outdated version is rejected', async () => {
    const { id } = await fixture.ban('1', { durationSeconds: 60 })
    await fixture.actOk({ action: 'edit', id, reason: 'x' }, { headers: { 'if-match': '"1"' } })
    for (const body of [
      { action: 'unban', userId: '1' },
      { action: 'unban', id },
      { action: 'edit', id, reason: 'x' },
      { action: 'extend', id, value: '1' },
      { action: 'comment', id, value: 'x' },
      { action: 'evidence', id, value: 'x' },
      { action: 'acknowledge', id },
      { action: 'revoke', id, reason: 'x' },
      { action: 'redact', id, reason: 'x' },
    ]) {
      expect(await fixture.expectWriteRejected(body, {}, { 'if-match': '"1"' })).toMatchObject({
        status: 412,
        code: 'version_mismatch',
      })
    }
    expect(
      await fixture.expectWriteRejected(
        { action: 'ban', userId: '1', reason: 'x' },
        {},
        { 'if-match': '"2"' },
      ),
    ).toMatchObject({ status: 400, fields: ['If-Match'] })
  })
})
