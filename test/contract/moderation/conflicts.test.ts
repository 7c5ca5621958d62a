import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { type Fields, type ModerationFixture, openModerationFixture, SECOND } from './fixture.ts'

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

describe('a conflict with the state of a record', () => {
  const conflict = async (body: Fields, message: string) => {
    const { status, code, error } = await fixture.expectWriteRejected(body)
    expect({ body, status, code, error }).toEqual({
      body,
      status: 409,
      code: 'conflict',
      error: expect.stringContaining(message),
    })
  }

  test('lifting without an active sanction', async () => {
    await conflict({ action: 'unban', userId: '1' }, 'This player has no active ban.')
    const { id } = await fixture.ban('1', { durationSeconds: 60 })
    await conflict({ action: 'unmute', userId: '1' }, 'This player has no active mute.')
    await conflict({ action: 'unmute', id }, 'This record is not a mute.')
    instance.clock.advance(60 * SECOND)
    await conflict({ action: 'unban', userId: '1' }, 'This ban is no longer in force.')
    const lifted = await fixture.ban('2')
    await fixture.actOk({ action: 'unban', userId: '2' })
    await conflict({ action: 'unban', userId: '2' }, 'This player has no active ban.')
    await conflict({ action: 'unban', id: lifted.id }, 'This ban is no longer in force.')
    const { id: note } = await fixture.actOk({ action: 'note', userId: '1', reason: 'x' })
    await conflict({ action: 'unban', id: note }, 'This record is not a ban.')
  })

  test('revoking and redacting twice', async () => {
    const { id } = await fixture.ban('1')
    await fixture.actOk({ action: 'unban', userId: '1' })
    await conflict({ action: 'revoke', id, reason: 'x' }, 'already revoked')
    await fixture.actOk({ action: 'redact', id, reason: 'x' })
    await conflict({ action: 'redact', id, reason: 'x' }, 'already redacted')
  })

  test('new texts for a redacted record', async () => {
    const { id } = await fixture.ban('1')
    await fixture.actOk({ action: 'redact', id, reason: 'x' })
    for (const body of [
      { action: 'edit', id, reason: 'x' },
      { action: 'edit', id, evidence: 'x' },
      { action: 'comment', id, value: 'x' },
      { action: 'evidence', id, value: 'x' },
    ]) {
      await conflict(body, 'were redacted and cannot be edited')
    }
  })

  test('a duration for a record that has none, or is no longer in force', async () => {
    const { id: warning } = await fixture.actOk({ action: 'warn', userId: '1', reason: 'x' })
    await conflict({ action: 'extend', id: warning, value: '60' }, 'only bans and mutes do')
    await conflict({ action: 'edit', id: warning, durationSeconds: '60' }, 'only bans and mutes do')
    const { id: endless } = await fixture.ban('1')
    await conflict({ action: 'extend', id: endless, value: '60' }, 'is permanent and cannot be extended')
    const { id } = await fixture.ban('2', { durationSeconds: 60 })
    instance.clock.advance(60 * SECOND)
    await conflict({ action: 'extend', id, value: '60' }, 'no longer in force')
    await conflict({ action: 'edit', id, durationSeconds: '600' }, 'no longer in force')
  })

  test('an expiry in the past, or beyond the maximum duration', async () => {
    const { id } = await fixture.ban('1', { durationSeconds: 60 })
    instance.clock.advance(30 * SECOND)
    for (const value of ['-30', '-60', '-315576000000']) {
      await conflict({ action: 'extend', id, value }, 'lift it with unban instead')
    }
    await conflict({ action: 'edit', id, durationSeconds: '30' }, 'lift it with unban instead')
    await conflict({ action: 'extend', id, value: '315576000000' }, 'would exceed 315576000000 seconds')
    expect(await fixture.actOk({ action: 'extend', id, value: '-29' })).toMatchObject({
      durationSeconds: '31',
    })
  })

  test('more items than a record can have', async () => {
    const { id } = await fixture.ban('1', { evidence: '1\n2\n3\n4\n5\n6\n7\n8\n9' })
    await conflict({ action: 'evidence', id, value: 'a\nb' }, 'at most 10 pieces of evidence; this one has 9')
    for (let index = 0; index < 100; index++)
      await fixture.actOk({ action: 'comment', id, value: `${index}` })
    await conflict({ action: 'comment', id, value: 'x' }, 'at most 100 comments')
  })
})

describe('comments and evidence of 64 KiB together', () => {
  const LIMIT = 64 * 1024
  /** 2,000 characters of 4 bytes. */
  const LONG = '😀'.repeat(2000)

  /** A record with 8 comments of 8,000 bytes: 1,536 bytes are left. */
  async function fillRecord() {
    const { id } = await fixture.ban('1')
    for (let index = 0; index < 8; index++) await fixture.actOk({ action: 'comment', id, value: LONG })
    return id as string
  }
  const expectTooLong = async (body: Fields, field: string, excess: number, used: number) =>
    expect(await fixture.expectWriteRejected(body)).toMatchObject({
      status: 409,
      code: 'conflict',
      error: `${field}: is too long by ${excess === 1 ? '1 byte' : `${excess} bytes`}: the comments and evidence of a record can have ${LIMIT} bytes of UTF-8 in total, of which ${used} bytes are used; shorten it, or add a note instead`,
      fields: [field],
    })

  test('fill a record: bytes are counted, not characters, and a further comment or item is rejected', async () => {
    const id = await fillRecord()
    await expectTooLong({ action: 'comment', id, value: LONG }, 'value', 6464, 64_000)
    await expectTooLong(
      { action: 'evidence', id, value: `${'x'.repeat(1000)}\n${'é'.repeat(300)}` },
      'value',
      64,
      64_000,
    )
    await fixture.actOk({ action: 'evidence', id, value: `${'x'.repeat(1000)}\n${'é'.repeat(268)}` })
    await expectTooLong({ action: 'comment', id, value: 'x' }, 'value', 1, LIMIT)
    await fixture.actOk({ action: 'unban', id })
  })

  test('apply to evidence that replaces other evidence, which does not count', async () => {
    const id = await fillRecord()
    await fixture.actOk({ action: 'edit', id, evidence: 'x'.repeat(1536) })
    await fixture.actOk({ action: 'edit', id, evidence: 'y'.repeat(1536), reason: 'Still full' })
    await expectTooLong({ action: 'edit', id, evidence: 'z'.repeat(1537) }, 'evidence', 1, 64_000)
  })

  test('of an older record that has more can be shortened, but not extended', async () => {
    const id = await fillRecord()
    const evidence = JSON.stringify(['a'.repeat(2000), 'b'.repeat(2000)])
    await instance.storage.query(`update record set evidence = '${evidence}' where id = ${idLiteral(id)}`)
    await expectTooLong({ action: 'comment', id, value: 'x' }, 'value', 68_001 - LIMIT, 68_000)
    await expectTooLong(
      { action: 'edit', id, evidence: 'c'.repeat(2000).concat('\n', 'd'.repeat(2000), '\ne') },
      'evidence',
      68_001 - LIMIT,
      64_000,
    )
    expect(await fixture.actOk({ action: 'edit', id, evidence: 'c'.repeat(2000) })).toMatchObject({
      evidence: ['c'.repeat(2000)],
    })
  })
})

describe('an Idempotency-Key', () => {
  const body = { action: 'ban', userId: '1', reason: 'x' }
  const headers = { 'idempotency-key': 'k' }

  test('of another request is rejected', async () => {
    await fixture.actOk(body, { headers })
    expect(await fixture.expectWriteRejected({ ...body, reason: 'y' }, {}, headers)).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    })
  })

  test('returns the first response again, also an error', async () => {
    const first = await fixture.actOk(body, { headers })
    await fixture.actOk({ action: 'unban', userId: '1' })
    const before = await readStoredRows(instance)
    const repeat = await fixture.act(body, { headers })
    expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    expect(repeat.body.record).toEqual(first)
    expect(await readStoredRows(instance)).toEqual(before)
    const lift = { action: 'unban', userId: '1' }
    expect((await fixture.act(lift, { headers: { 'idempotency-key': 'l' } })).status).toBe(409)
    await fixture.ban('1')
    expect((await fixture.act(lift, { headers: { 'idempotency-key': 'l' } })).status).toBe(409)
    expect(await fixture.listActiveBans('1')).toHaveLength(1)
  })
})

describe('a ban or mute that says which one it replaces', () => {
  const sanction = (action: string, replaces: string | null) => ({
    action,
    userId: '1',
    reason: 'x',
    durationSeconds: '60',
    replaces,
  })

  test('replaces that one, and nothing if another one or none is in force', async () => {
    for (const action of ['ban', 'mute']) {
      const first = await fixture.actOk(sanction(action, null))
      const second = await fixture.actOk({ ...sanction(action, first.id), durationSeconds: 'permanent' })
      const rejected = async (replaces: string | null, error: string) =>
        expect(await fixture.expectWriteRejected(sanction(action, replaces))).toMatchObject({
          status: 409,
          code: 'conflict',
          error,
        })
      const active = `case ${second.caseNumber} by ${second.actorUsername}`
      for (const replaces of [first.id, null, ''])
        await rejected(replaces, `This player has another active ${action}: ${active}.`)
      await fixture.actOk({ action: `un${action}`, userId: '1' })
      await rejected(second.id, `This player has no active ${action} to replace.`)
      const last = await fixture.actOk(sanction(action, null))
      instance.clock.advance(60 * SECOND)
      await rejected(last.id, `This player has no active ${action} to replace.`)
    }
  })

  test('replaces it in the version of If-Match only: not once somebody has moved its end', async () => {
    for (const action of ['ban', 'mute']) {
      const first = await fixture.actOk(sanction(action, null))
      const replace = (version: string) =>
        fixture.act(sanction(action, first.id), { headers: { 'if-match': `"${version}"` } })
      await fixture.actOk({ action: 'extend', id: first.id, value: '86400' })
      const { status, body } = await replace(first.version)
      expect({ status, ...body }).toMatchObject({
        status: 412,
        code: 'version_mismatch',
        error: `The active ${action} has changed since the version in If-Match: case ${first.caseNumber} by ${first.actorUsername}.`,
      })
      expect((await fixture.getRecord(first.id)).record).toMatchObject({ status: 'active', version: '2' })
      expect((await replace('2')).status).toBe(200)
    }
    const headers = { 'if-match': '"1"' }
    for (const body of [sanction('ban', null), { action: 'ban', userId: '2', reason: 'x' }])
      expect((await fixture.act(body, { headers })).body).toMatchObject({
        code: 'invalid_request',
        details: [{ field: 'If-Match' }],
      })
  })

  test('learns nothing about the one in force without moderation.view', async () => {
    await fixture.ban('1')
    const key = await instance.key(fixture.id, ['moderation.ban', 'moderation.unban'])
    expect((await fixture.act(sanction('ban', null), { key })).body).toMatchObject({
      code: 'conflict',
      error: 'This player has another active ban.',
    })
  })

  test('gets its first response again in a retry, although its own ban is in force since', async () => {
    const headers = { 'idempotency-key': 'k' }
    const record = await fixture.actOk(sanction('ban', null), { headers })
    expect(await fixture.actOk(sanction('ban', null), { headers })).toEqual(record)
    expect(await fixture.expectWriteRejected(sanction('ban', null))).toMatchObject({ status: 409 })
  })

  test('can have a template, and is rejected where nothing can be replaced', async () => {
    const template = { name: 'Exploits', publicReason: 'Exploiting' }
    const { body } = await instance.request('POST', '/api/moderation/templates', {
      session: fixture.ownerSession,
      body: { workspaceId: fixture.id, ...template },
    })
    const templateId = body.template.id
    const { id } = await fixture.ban('1')
    const request = { action: 'ban', userId: '1', templateId, replaces: null }
    expect(await fixture.expectWriteRejected(request)).toMatchObject({ status: 409 })
    await fixture.actOk({ ...request, replaces: id })
    for (const fields of [{ action: 'warn', reason: 'x' }, { templateId }])
      expect(await fixture.expectWriteRejected({ userId: '1', replaces: id, ...fields })).toMatchObject({
        status: 400,
        fields: ['replaces'],
      })
  })
})
