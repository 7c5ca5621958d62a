import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'
import { type Desk, type Fields, openDesk, path } from './desk.ts'

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

const SECOND = 1000
const NEVER_WAS = '0198c0de-dead-7000-8000-00000000dead'

/** Sends what must be refused, and insists that nothing was changed. @returns status, code, and the fields named */
async function refused(answering: () => ReturnType<Instance['call']>) {
  const before = await stored(instance)
  const { status, body } = await answering()
  expect(await stored(instance)).toEqual(before)
  const details: { field: string; message: string }[] = body.details ?? []
  return {
    status,
    code: body.code,
    error: body.error,
    fields: details.map(({ field }) => field).sort(),
    details,
  }
}
const refusedWrite = (body: Fields | string, query: Record<string, string> = {}, headers = {}) =>
  refused(() => instance.call('POST', desk.at(query), { key: desk.key, body, headers }))
const refusedRead = (query: Record<string, string>) => refused(() => desk.get(query))

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
      expect((await refusedWrite(body)).status).toBe(400)
    }
    const { details } = await refusedWrite({ userId: '1', reason: 'x' })
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
    const { details, fields } = await refusedWrite({ action: 'bann', userId: '1', reason: 'x' })
    expect(fields).toEqual(['action'])
    expect(details[0]?.message).toContain('did you mean ban?')
    for (const action of ['', 'BAN', 'constructor', '__proto__', null, 7, ['ban'], { ban: 1 }]) {
      expect(await refusedWrite({ action, userId: '1', reason: 'x' })).toMatchObject({
        status: 400,
        fields: ['action'],
      })
    }
  })

  test('that asks for a read and a write at once is refused', async () => {
    const ban = { action: 'ban', userId: '1', reason: 'x' }
    expect(await refusedWrite(ban, { banList: 'true' })).toMatchObject({ status: 400, fields: ['banList'] })
    expect(await refusedWrite(ban, { banHistory: '1' })).toMatchObject({
      status: 400,
      fields: ['banHistory'],
    })
    expect(await refusedWrite(ban, { status: 'active', limit: '5', actorUserId: 'a' })).toMatchObject({
      status: 400,
      fields: ['actorUserId', 'limit', 'status'],
    })
    expect(await refusedRead({ banList: 'true', banHistory: 'true' })).toMatchObject({ status: 400 })
  })

  test('that differs between query and body is refused', async () => {
    const body = { action: 'ban', userId: '1', reason: 'x' }
    expect(await refusedWrite(body, { userId: '2' })).toMatchObject({ status: 400, fields: ['userId'] })
  })
})

describe('a read', () => {
  test('with a body field that it has no use for is refused, never answered as if there were no bans', async () => {
    expect(
      await refused(() =>
        instance.call('POST', desk.at({ banList: 'true' }), {
          key: desk.key,
          body: { userId: '1', reason: 'x', id: NEVER_WAS, durationSeconds: 5 },
        }),
      ),
    ).toMatchObject({ status: 400, fields: ['durationSeconds', 'id', 'reason'] })
  })

  test('with an unknown or mistyped parameter is refused, and told what was meant', async () => {
    const { details } = await refusedRead({ banList: 'true', userid: '1' })
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
      expect(await refusedRead({ [field]: value })).toMatchObject({ status: 400, fields: [field] })
    }
    expect(await refusedRead(bad)).toMatchObject({ fields: Object.keys(bad).sort() })
  })

  test('names from 1 to 200 players', async () => {
    const players = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join()
    expect((await desk.get({ banList: 'true', userId: players(200) })).status).toBe(200)
    for (const userId of [players(201), '', ',', '1,,2', '1,', 'x'.repeat(65)]) {
      expect(await refusedRead({ banList: 'true', userId })).toMatchObject({
        status: 400,
        fields: ['userId'],
      })
    }
  })

  test('of one record is not filtered', async () => {
    const { id } = await desk.ban('1')
    expect(await refusedRead({ id, userId: '1', banList: 'true' })).toMatchObject({
      status: 400,
      fields: ['banList', 'userId'],
    })
  })

  test('of a record that never was is not found', async () => {
    for (const id of [NEVER_WAS, 'x', '%', "' or 1=1 --"]) {
      expect(await refusedRead({ id })).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('with a cursor of another list, or one that was changed, is refused', async () => {
    for (const userId of ['1', '2', '3']) await desk.ban(userId)
    const { body } = await desk.get({ limit: '1' })
    for (const query of [{ banList: 'true' }, { banHistory: 'true' }]) {
      expect(await refusedRead({ ...query, cursor: body.nextCursor })).toMatchObject({
        status: 400,
        fields: ['cursor'],
      })
    }
    expect(await refusedRead({ cursor: `${body.nextCursor}A` })).toMatchObject({ fields: ['cursor'] })
  })
})

describe('a write', () => {
  test('is told every field that is missing and every field it has no use for', async () => {
    const id = NEVER_WAS
    const cases: [Fields, string[]][] = [
      [{ action: 'note' }, ['reason', 'userId']],
      [{ action: 'warn', userId: '1', reason: ' ' }, ['reason']],
      [{ action: 'warn', userId: '1', reason: 'x', durationSeconds: '60' }, ['durationSeconds']],
      [{ action: 'kick', userId: '1', reason: 'x', id, value: 'x' }, ['id', 'value']],
      [{ action: 'ban', durationSeconds: '60', id }, ['id', 'reason', 'userId']],
      [{ action: 'ban', userId: '1,2', reason: 'x' }, ['userId']],
      [{ action: 'unban' }, ['userId']],
      [{ action: 'unban', userId: '1', id }, ['id']],
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
      expect({ body, ...(await refusedWrite(body)) }).toMatchObject({ body, status: 400, fields })
    }
  })

  test('is refused for values out of form', async () => {
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
      expect(await refusedWrite({ ...good, [field]: value })).toMatchObject({ status: 400, fields: [field] })
    }
    expect(await refusedWrite({ ...good, ...cases })).toMatchObject({ fields: Object.keys(cases).sort() })
    for (const value of [null, {}, [], ['1'], 1.5, 2 ** 53, 'a\u0000b', '\ud800']) {
      expect(await refusedWrite({ ...good, reason: value })).toMatchObject({
        status: 400,
        fields: ['reason'],
      })
    }
    for (const durationSeconds of ['-2', '1.5', '1e3', '315576000001', ' 5', '0x10', 'forever', 0, true]) {
      expect(await refusedWrite({ ...good, durationSeconds })).toMatchObject({
        status: 400,
        fields: ['durationSeconds'],
      })
    }
    expect(await refusedWrite({ ...good, userID: '1' })).toMatchObject({ status: 400, fields: ['userID'] })
    expect(await refusedWrite('{"action":"ban"')).toMatchObject({ status: 400, code: 'invalid_json' })
    expect(await refusedWrite({ ...good, evidence: 'x'.repeat(65 * 1024) })).toMatchObject({ status: 413 })
    expect(await refusedWrite(good, {}, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  })

  test('reads `value` as what the action takes it for', async () => {
    const { id } = await desk.ban('1', { durationSeconds: 60 })
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
      expect(await refusedWrite({ action, id, value })).toMatchObject({ status: 400, fields: ['value'] })
    }
  })

  test('by someone signed in cannot be in the name of another', async () => {
    const { session } = await instance.member(desk.id, ['moderation.ban'])
    const body = { action: 'ban', userId: '1', reason: 'x', actorPlatformUserId: '1', actorUsername: 'Other' }
    expect(await refused(() => instance.call('POST', desk.at({}), { session, body }))).toMatchObject({
      status: 400,
      fields: ['actorPlatformUserId', 'actorUsername'],
    })
  })

  test('to a record that never was is not found', async () => {
    const id = NEVER_WAS
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
      expect(await refusedWrite(body)).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('to a version that is no longer the last is refused', async () => {
    const { id } = await desk.ban('1', { durationSeconds: 60 })
    await desk.done({ action: 'edit', id, reason: 'x' }, { headers: { 'if-match': '"1"' } })
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
      expect(await refusedWrite(body, {}, { 'if-match': '"1"' })).toMatchObject({
        status: 412,
        code: 'version_mismatch',
      })
    }
    expect(
      await refusedWrite({ action: 'ban', userId: '1', reason: 'x' }, {}, { 'if-match': '"2"' }),
    ).toMatchObject({ status: 400, fields: ['If-Match'] })
  })
})

describe('a state that does not allow it', () => {
  const conflict = async (body: Fields, sentence: string) => {
    const { status, code, error } = await refusedWrite(body)
    expect({ body, status, code, error }).toEqual({
      body,
      status: 409,
      code: 'conflict',
      error: expect.stringContaining(sentence),
    })
  }

  test('lifting where none is in force', async () => {
    await conflict({ action: 'unban', userId: '1' }, 'No ban of this player is in force.')
    const { id } = await desk.ban('1', { durationSeconds: 60 })
    await conflict({ action: 'unmute', userId: '1' }, 'No mute of this player is in force.')
    await conflict({ action: 'unmute', id }, 'This record is no mute.')
    instance.clock.advance(60 * SECOND)
    await conflict({ action: 'unban', userId: '1' }, 'This ban is not in force any more.')
    const lifted = await desk.ban('2')
    await desk.done({ action: 'unban', userId: '2' })
    await conflict({ action: 'unban', userId: '2' }, 'No ban of this player is in force.')
    await conflict({ action: 'unban', id: lifted.id }, 'This ban is not in force any more.')
    const { id: note } = await desk.done({ action: 'note', userId: '1', reason: 'x' })
    await conflict({ action: 'unban', id: note }, 'This record is no ban.')
  })

  test('revoking and redacting twice', async () => {
    const { id } = await desk.ban('1')
    await desk.done({ action: 'unban', userId: '1' })
    await conflict({ action: 'revoke', id, reason: 'x' }, 'revoked already')
    await desk.done({ action: 'redact', id, reason: 'x' })
    await conflict({ action: 'redact', id, reason: 'x' }, 'redacted already')
  })

  test('new texts on a redacted record', async () => {
    const { id } = await desk.ban('1')
    await desk.done({ action: 'redact', id, reason: 'x' })
    for (const body of [
      { action: 'edit', id, reason: 'x' },
      { action: 'edit', id, evidence: 'x' },
      { action: 'comment', id, value: 'x' },
      { action: 'evidence', id, value: 'x' },
    ]) {
      await conflict(body, 'redacted and stay blank')
    }
  })

  test('a duration where there is none, or no longer', async () => {
    const { id: warning } = await desk.done({ action: 'warn', userId: '1', reason: 'x' })
    await conflict({ action: 'extend', id: warning, value: '60' }, 'only bans and mutes have')
    await conflict({ action: 'edit', id: warning, durationSeconds: '60' }, 'only bans and mutes have')
    const { id: endless } = await desk.ban('1')
    await conflict({ action: 'extend', id: endless, value: '60' }, 'without end')
    const { id } = await desk.ban('2', { durationSeconds: 60 })
    instance.clock.advance(60 * SECOND)
    await conflict({ action: 'extend', id, value: '60' }, 'not in force any more')
    await conflict({ action: 'edit', id, durationSeconds: '600' }, 'not in force any more')
  })

  test('an end in the past, or further away than a duration reaches', async () => {
    const { id } = await desk.ban('1', { durationSeconds: 60 })
    instance.clock.advance(30 * SECOND)
    for (const value of ['-30', '-60', '-315576000000']) {
      await conflict({ action: 'extend', id, value }, 'lift it with unban instead')
    }
    await conflict({ action: 'edit', id, durationSeconds: '30' }, 'lift it with unban instead')
    await conflict({ action: 'extend', id, value: '315576000000' }, 'more than 315576000000 seconds')
    expect(await desk.done({ action: 'extend', id, value: '-29' })).toMatchObject({ durationSeconds: '31' })
  })

  test('more than a record holds', async () => {
    const { id } = await desk.ban('1', { evidence: '1\n2\n3\n4\n5\n6\n7\n8\n9' })
    await conflict(
      { action: 'evidence', id, value: 'a\nb' },
      'at most 10 pieces of evidence; this one holds 9',
    )
    for (let index = 0; index < 100; index++) await desk.done({ action: 'comment', id, value: `${index}` })
    await conflict({ action: 'comment', id, value: 'x' }, 'at most 100 comments')
  })
})

describe('an Idempotency-Key', () => {
  const body = { action: 'ban', userId: '1', reason: 'x' }
  const headers = { 'idempotency-key': 'k' }

  test('of another request is refused', async () => {
    await desk.done(body, { headers })
    expect(await refusedWrite({ ...body, reason: 'y' }, {}, headers)).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    })
  })

  test('repeated gives the first answer again, a refusal too', async () => {
    const first = await desk.done(body, { headers })
    await desk.done({ action: 'unban', userId: '1' })
    const before = await stored(instance)
    const repeat = await desk.act(body, { headers })
    expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    expect(repeat.body.record).toEqual(first)
    expect(await stored(instance)).toEqual(before)
    const lift = { action: 'unban', userId: '1' }
    expect((await desk.act(lift, { headers: { 'idempotency-key': 'l' } })).status).toBe(409)
    await desk.ban('1')
    expect((await desk.act(lift, { headers: { 'idempotency-key': 'l' } })).status).toBe(409)
    expect(await desk.bans('1')).toHaveLength(1)
  })
})

test('a method that is none of this endpoint is answered with those that are', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await instance.call(method, desk.at({}), { key: desk.key })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  }
})
