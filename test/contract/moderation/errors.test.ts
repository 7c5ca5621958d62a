import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { type ModerationFixture, openModerationFixture, path } from './fixture.ts'

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

describe('an ambiguous request', () => {
  test('without a workspaceId gets `Missing workspaceId`, whatever its credentials', async () => {
    for (const options of [{ key: fixture.key }, {}, { key: 'rve_junk' }]) {
      for (const [method, requestFields] of [
        ['GET', {}],
        ['POST', {}],
        ['POST', { body: { action: 'ban' } }],
      ] as const) {
        const { status, body } = await instance.request(method, path, { ...options, ...requestFields })
        expect([status, body.code, body.error]).toEqual([400, 'missing_workspace_id', 'Missing workspaceId'])
      }
    }
  })

  test('with a body but no action gets the list of actions', async () => {
    for (const body of [{ userId: '1' }, { workspaceId: fixture.id }, { reason: 'x', banList: 'true' }]) {
      expect((await fixture.expectWriteRejected(body)).status).toBe(400)
    }
    const { details } = await fixture.expectWriteRejected({ userId: '1', reason: 'x' })
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

  test('with an unknown action gets a suggestion', async () => {
    const { details, fields } = await fixture.expectWriteRejected({
      action: 'bann',
      userId: '1',
      reason: 'x',
    })
    expect(fields).toEqual(['action'])
    expect(details[0]?.message).toContain('did you mean ban?')
    for (const action of ['', 'BAN', 'constructor', '__proto__', null, 7, ['ban'], { ban: 1 }]) {
      expect(await fixture.expectWriteRejected({ action, userId: '1', reason: 'x' })).toMatchObject({
        status: 400,
        fields: ['action'],
      })
    }
  })

  test('for a read and a write at once is rejected', async () => {
    const ban = { action: 'ban', userId: '1', reason: 'x' }
    expect(await fixture.expectWriteRejected(ban, { banList: 'true' })).toMatchObject({
      status: 400,
      fields: ['banList'],
    })
    expect(await fixture.expectWriteRejected(ban, { banHistory: '1' })).toMatchObject({
      status: 400,
      fields: ['banHistory'],
    })
    expect(
      await fixture.expectWriteRejected(ban, { status: 'active', limit: '5', actorUserId: 'a' }),
    ).toMatchObject({
      status: 400,
      fields: ['actorUserId', 'limit', 'status'],
    })
    expect(await fixture.expectReadRejected({ banList: 'true', banHistory: 'true' })).toMatchObject({
      status: 400,
    })
  })

  test('with a field that differs between query and body is rejected', async () => {
    const body = { action: 'ban', userId: '1', reason: 'x' }
    expect(await fixture.expectWriteRejected(body, { userId: '2' })).toMatchObject({
      status: 400,
      fields: ['userId'],
    })
  })
})

describe('a read', () => {
  test('with an unused body field is rejected, never answered with an empty list', async () => {
    expect(
      await fixture.expectRejected(() =>
        instance.request('POST', fixture.toPath({ banList: 'true' }), {
          key: fixture.key,
          body: { userId: '1', reason: 'x', id: UNKNOWN_ID, durationSeconds: 5 },
        }),
      ),
    ).toMatchObject({ status: 400, fields: ['durationSeconds', 'id', 'reason'] })
  })

  test('with an unknown or mistyped parameter is rejected, with a suggestion', async () => {
    const { details } = await fixture.expectReadRejected({ banList: 'true', userid: '1' })
    expect(details).toEqual([
      { field: 'userid', message: 'is not a field of this request; did you mean userId?' },
    ])
    const invalidFields: Record<string, string> = {
      banList: 'yes',
      banHistory: '',
      userId: 'a b',
      severity: 'extreme',
      status: 'banned',
      limit: '201',
      cursor: '!',
    }
    for (const [field, value] of Object.entries(invalidFields)) {
      expect(await fixture.expectReadRejected({ [field]: value })).toMatchObject({
        status: 400,
        fields: [field],
      })
    }
    expect(await fixture.expectReadRejected(invalidFields)).toMatchObject({
      fields: Object.keys(invalidFields).sort(),
    })
  })

  test('names from 1 to 200 players', async () => {
    const players = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join()
    expect((await fixture.get({ banList: 'true', userId: players(200) })).status).toBe(200)
    for (const userId of [players(201), '', ',', '1,,2', '1,', 'x'.repeat(65)]) {
      expect(await fixture.expectReadRejected({ banList: 'true', userId })).toMatchObject({
        status: 400,
        fields: ['userId'],
      })
    }
  })

  test('of one record is not filtered', async () => {
    const { id } = await fixture.ban('1')
    expect(await fixture.expectReadRejected({ id, userId: '1', banList: 'true' })).toMatchObject({
      status: 400,
      fields: ['banList', 'userId'],
    })
  })

  test('of a record that does not exist is not found', async () => {
    for (const id of [UNKNOWN_ID, 'x', '%', "' or 1=1 --"]) {
      expect(await fixture.expectReadRejected({ id })).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('with a cursor of another list, or a modified one, is rejected', async () => {
    for (const userId of ['1', '2', '3']) await fixture.ban(userId)
    const { body } = await fixture.get({ limit: '1' })
    for (const query of [{ banList: 'true' }, { banHistory: 'true' }]) {
      expect(await fixture.expectReadRejected({ ...query, cursor: body.nextCursor })).toMatchObject({
        status: 400,
        fields: ['cursor'],
      })
    }
    expect(await fixture.expectReadRejected({ cursor: `${body.nextCursor}A` })).toMatchObject({
      fields: ['cursor'],
    })
  })
})

test('an unsupported method gets the allowed ones', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await instance.request(method, fixture.toPath({}), { key: fixture.key })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  }
})
