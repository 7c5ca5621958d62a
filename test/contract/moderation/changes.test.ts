import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import type { DataChange } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { listIds, type ModerationFixture, openModerationFixture, SECOND } from './fixture.ts'

let instance: Instance
let fixture: ModerationFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openModerationFixture(instance)
})
afterAll(() => instance.close())

describe('editing', () => {
  test('creates a new version and keeps the earlier ones unchanged', async () => {
    const first = await fixture.ban('1', { durationSeconds: 60 })
    instance.clock.advance(SECOND)
    const second = await fixture.actOk({
      action: 'edit',
      id: first.id,
      reason: 'Exploiting and threats',
      severity: 'critical',
      evidence: 'a\nb',
      userUsername: 'Builderman',
    })
    expect(second).toEqual({
      ...first,
      reason: 'Exploiting and threats',
      severity: 'critical',
      evidence: ['a', 'b'],
      userUsername: 'Builderman',
      message: first.message.replace('Exploiting', 'Exploiting and threats'),
      updatedAt: fixture.timeFromNow(),
      sequence: String(Number(first.sequence) + 1),
      version: '2',
    })
    await fixture.actOk({ action: 'edit', id: first.id, evidence: '', userUsername: '' })
    const { record, versions } = await fixture.getRecord(first.id)
    expect(record).toMatchObject({ version: '3', evidence: [], userUsername: null, severity: 'critical' })
    const replaced = { replacedAt: fixture.timeFromNow(), replacedBy: first.actorUserId }
    const withoutMessage = ({ message: _, ...rest }: typeof first) => rest
    expect(versions).toEqual([
      { ...withoutMessage(first), ...replaced },
      { ...withoutMessage(second), ...replaced },
    ])
  })

  test('null clears what is optional: the evidence, the name of the player, the end', async () => {
    const { id } = await fixture.ban('1', { durationSeconds: 60, evidence: 'a', userUsername: 'Builderman' })
    const cleared = { evidence: null, userUsername: null, durationSeconds: null }
    expect(await fixture.actOk({ action: 'edit', id, ...cleared })).toMatchObject({
      ...cleared,
      evidence: [],
      expiresAt: null,
    })
  })

  test('a duration counts from the creation of the ban, and may become permanent', async () => {
    const { id, createdAt } = await fixture.ban('1')
    instance.clock.advance(10 * SECOND)
    const edited = await fixture.actOk({ action: 'edit', id, durationSeconds: 60 })
    expect(edited).toMatchObject({
      durationSeconds: '60',
      expiresAt: new Date(Date.parse(createdAt) + 60 * SECOND).toISOString(),
    })
    expect(await fixture.actOk({ action: 'edit', id, durationSeconds: 'permanent' })).toMatchObject({
      durationSeconds: null,
      expiresAt: null,
    })
  })

  test('pages through the earlier versions', async () => {
    const { id } = await fixture.ban('1')
    for (let index = 0; index < 5; index++) await fixture.actOk({ action: 'edit', id, reason: `${index}` })
    const first = (await fixture.get({ id, limit: '3' })).body
    const next = (await fixture.get({ id, limit: '3', cursor: first.nextCursor })).body
    const numbers = [...first.versions, ...next.versions].map(({ version }: { version: string }) => version)
    expect(numbers).toEqual(['1', '2', '3', '4', '5'])
    expect(next.nextCursor).toBeNull()
    expect(next.record.version).toBe('6')
  })
})

describe('extending', () => {
  test('moves the expiry either way, and the ban check follows', async () => {
    const { id } = await fixture.ban('1', { durationSeconds: 60 })
    expect(await fixture.actOk({ action: 'extend', id, value: '+30' })).toMatchObject({
      durationSeconds: '90',
      expiresAt: fixture.timeFromNow(90 * SECOND),
    })
    expect(await fixture.actOk({ action: 'extend', id, value: -80 })).toMatchObject({
      durationSeconds: '10',
      expiresAt: fixture.timeFromNow(10 * SECOND),
    })
    instance.clock.advance(10 * SECOND)
    expect(await fixture.listActiveBans('1')).toEqual([])
  })
})

describe('appending', () => {
  test('keeps comments in order, with their authors', async () => {
    const { id, actorUserId } = await fixture.ban('1')
    await fixture.actOk({ action: 'comment', id, value: 'Seen again.\nTwice.' })
    const record = await fixture.actOk({ action: 'comment', id, value: 'Noted.', actorUsername: 'clockwork' })
    expect(record.comments).toEqual([
      {
        id: expect.any(String),
        text: 'Seen again.\nTwice.',
        authorId: actorUserId,
        authorUsername: record.actorUsername,
        createdAt: fixture.timeFromNow(),
      },
      expect.objectContaining({ text: 'Noted.', authorId: actorUserId, authorUsername: 'clockwork' }),
    ])
  })

  test('adds evidence to the existing items, line by line', async () => {
    const { id } = await fixture.ban('1', { evidence: 'a' })
    expect(await fixture.actOk({ action: 'evidence', id, value: 'b\nc' })).toMatchObject({
      evidence: ['a', 'b', 'c'],
    })
  })

  test('keeps the time of the first acknowledgment', async () => {
    const { id } = await fixture.actOk({ action: 'warn', userId: '1', reason: 'x' })
    const acknowledged = await fixture.actOk({ action: 'acknowledge', id })
    expect(acknowledged.acknowledgedAt).toBe(fixture.timeFromNow())
    instance.clock.advance(SECOND)
    const before = await readStoredRows(instance)
    expect(await fixture.actOk({ action: 'acknowledge', id })).toEqual(acknowledged)
    expect(await readStoredRows(instance)).toEqual(before)
  })
})

describe('revoking', () => {
  test('revokes any record, and ends an active ban', async () => {
    const warning = await fixture.actOk({ action: 'warn', userId: '1', reason: 'x' })
    const ban = await fixture.ban('1')
    for (const { id, actorUserId } of [warning, ban]) {
      expect(await fixture.actOk({ action: 'revoke', id, reason: 'Wrong player' })).toMatchObject({
        status: 'revoked',
        revokedAt: fixture.timeFromNow(),
        revokedBy: actorUserId,
        revokeReason: 'Wrong player',
      })
    }
    expect(await fixture.listActiveBans('1')).toEqual([])
  })

  test('revokes a superseded or expired ban, and leaves the active one', async () => {
    const superseded = await fixture.ban('1', { durationSeconds: 60 })
    const activeBan = await fixture.ban('1')
    const expired = await fixture.ban('2', { durationSeconds: 1 })
    instance.clock.advance(SECOND)
    for (const { id } of [superseded, expired]) {
      expect(await fixture.actOk({ action: 'revoke', id, reason: 'x' })).toMatchObject({ status: 'revoked' })
    }
    expect(listIds(await fixture.listActiveBans('1'))).toEqual([activeBan.id])
  })
})

const SECRET = 'lives at 12 Elm Street'

describe('redacting', () => {
  test('leaves no trace of the texts anywhere, and keeps the record', async () => {
    const idempotent = { headers: { 'idempotency-key': 'a' } }
    const body = { action: 'ban', userId: '1', reason: SECRET, evidence: SECRET, userUsername: 'Builderman' }
    const { id } = await fixture.actOk(body, idempotent)
    await fixture.actOk({ action: 'edit', id, reason: `${SECRET}!` })
    await fixture.actOk({ action: 'comment', id, value: SECRET }, { headers: { 'idempotency-key': 'b' } })
    await fixture.actOk({ action: 'unban', userId: '1', reason: SECRET })
    expect(JSON.stringify(await readStoredRows(instance))).toContain(SECRET)
    const redacted = await fixture.actOk({ action: 'redact', id, reason: 'Asked for by the player' })
    expect(redacted).toMatchObject({
      reason: null,
      evidence: [],
      comments: [],
      revokeReason: null,
      redactedAt: fixture.timeFromNow(),
      userId: '1',
      userUsername: 'Builderman',
      status: 'revoked',
      version: '5',
    })
    expect(JSON.stringify(await readStoredRows(instance))).not.toContain(SECRET)
    const { record, versions } = await fixture.getRecord(id)
    expect(record).toEqual(redacted)
    expect(versions).toHaveLength(4)
    expect(versions[0]).toMatchObject({ reason: null, evidence: [], severity: 'high', status: 'active' })
    expect((await verifyAudit(instance.db.read, instance.ports)).faults).toEqual([])
    // The audit log has the reason.
    expect(JSON.stringify((await readStoredRows(instance)).audit)).toContain('Asked for by the player')
    // A repeat of the first request creates no ban, and returns the redacted record.
    const repeat = await fixture.act(body, idempotent)
    expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    expect(repeat.body.record).toEqual(redacted)
    expect(await fixture.listActiveBans('1')).toEqual([])
  })

  test("changes no other record, and no other workspace's", async () => {
    const otherFixture = await openModerationFixture(instance)
    const idempotent = { headers: { 'idempotency-key': 'a' } }
    const { id } = await fixture.ban('1')
    const same = { action: 'note', userId: '1', reason: `see ${id}` }
    await fixture.actOk(same, idempotent)
    await otherFixture.actOk(same, idempotent)
    const before = [await fixture.get({ userId: '1' }), await otherFixture.get({})]
    await fixture.actOk({ action: 'redact', id, reason: 'x' })
    const after = [await fixture.get({ userId: '1' }), await otherFixture.get({})]
    expect(after[1]?.body).toEqual(before[1]?.body)
    expect(after[0]?.body.records[0]).toEqual(before[0]?.body.records[0])
    expect((await fixture.act(same, idempotent)).body.record.reason).toBe(`see ${id}`)
  })

  test('leaves a ban in force, which can be lifted, revoked and redacted again', async () => {
    const { id } = await fixture.ban('1')
    await fixture.actOk({ action: 'redact', id, reason: 'x' })
    expect(listIds(await fixture.listActiveBans('1'))).toEqual([id])
    expect(await fixture.actOk({ action: 'edit', id, severity: 'low' })).toMatchObject({
      severity: 'low',
      reason: null,
    })
    await fixture.actOk({ action: 'unban', userId: '1', reason: SECRET })
    expect(await fixture.actOk({ action: 'redact', id, reason: 'x' })).toMatchObject({ revokeReason: null })
    expect(JSON.stringify(await readStoredRows(instance))).not.toContain(SECRET)
  })
})

describe('every change', () => {
  test('increments the sequence, is in the audit log, and is announced', async () => {
    const announcedChanges: DataChange[] = []
    const end = instance.db.onChange((change) => announcedChanges.push(change))
    const { id, sequence } = await fixture.ban('1', { durationSeconds: 60 })
    const bodies = [
      { action: 'edit', id, severity: 'low' },
      { action: 'extend', id, value: '5' },
      { action: 'comment', id, value: 'x' },
      { action: 'evidence', id, value: 'x' },
      { action: 'acknowledge', id },
      { action: 'unban', userId: '1' },
      { action: 'redact', id, reason: 'x' },
    ]
    const sequences = []
    for (const body of bodies) sequences.push(Number((await fixture.actOk(body)).sequence))
    end()
    expect(sequences).toEqual(bodies.map((_, index) => Number(sequence) + index + 1))
    expect(announcedChanges).toEqual(
      [{ action: 'ban' }, ...bodies].map(() => ({ kind: 'record', workspaceId: fixture.id, id })),
    )
    const logged = ((await readStoredRows(instance)).audit ?? []).map((row) => JSON.parse(row))
    const verbs = logged.filter((row) => row.target_id === id).sort((a, b) => a.sequence - b.sequence)
    expect(verbs.map(({ action }) => action)).toEqual([
      'moderation.ban',
      ...bodies.map(({ action }) => `moderation.${action}`),
    ])
  })

  test('records in the audit log the API key and the person it acted for', async () => {
    const { id } = await fixture.ban('1')
    await fixture.actOk({ action: 'unban', id, actorPlatformUserId: '156', actorUsername: 'clockwork' })
    const row = ((await readStoredRows(instance)).audit ?? [])
      .map((line) => JSON.parse(line))
      .find(({ target_id, action }) => target_id === id && action === 'moderation.unban')
    expect(row.actor_kind).toBe('api_key')
    expect(JSON.parse(row.changes).after.onBehalfOf).toEqual({
      actorPlatformUserId: '156',
      actorUsername: 'clockwork',
    })
  })
})
