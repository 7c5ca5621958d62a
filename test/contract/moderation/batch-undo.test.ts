import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'

const HOUR = 3_600_000

let instance: Instance
let fixture: BatchFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openBatchFixture(instance)
})
afterAll(() => instance.close())

describe('an undo', () => {
  test('reverts everything by one actor since a time, and is reversed as one', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const raid = (body: Record<string, string>) => fixture.actAs(raider.session, body)
    const old = await fixture.ban('1', { durationSeconds: 86_400 })
    const lifted = await fixture.ban('2')
    const edited = await fixture.actOk({ action: 'warn', userId: '3', reason: 'Spam' })
    await raid({ action: 'ban', userId: '4', reason: 'before the raid' })
    instance.clock.advance(HOUR)
    const before = await fixture.readState()
    const since = fixture.timeFromNow()
    await raid({ action: 'ban', userId: '1', reason: 'raid' })
    await raid({ action: 'ban', userId: '1', reason: 'raid again' })
    await raid({ action: 'unban', userId: '2', reason: 'raid' })
    await raid({ action: 'edit', id: edited.id, reason: 'raid', severity: 'critical' })
    await raid({ action: 'comment', id: edited.id, value: 'raid' })
    for (let index = 0; index < 20; index++)
      await raid({ action: 'warn', userId: `many${index}`, reason: 'raid' })
    await fixture.actOk({ action: 'comment', id: edited.id, value: 'What is this?' })
    const raided = await fixture.readState()
    const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    const { preview } = (await fixture.send({ ...body, dryRun: 'true' })).body
    expect(preview).toMatchObject({ total: '25', succeeded: '25', failed: '0' })
    expect(preview.actions[0]).toEqual({ action: 'warn', count: '20' })
    const undo = await fixture.runBatch(body)
    expect(undo.batch).toMatchObject({
      kind: 'undo',
      succeeded: '25',
      failed: '0',
      actorUserId: raider.accountId,
      since,
    })
    const after = await fixture.readState()
    expect(after.sanctions).toEqual(before.sanctions)
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id: old.id, expiresAt: old.expiresAt }])
    expect(await fixture.listActiveBans('2')).toMatchObject([{ id: lifted.id }])
    const { record } = await fixture.getRecord(edited.id)
    expect(record).toMatchObject({ reason: 'Spam', severity: 'low', comments: [{ text: 'What is this?' }] })
    await fixture.reverse(undo.batch.id)
    expect((await fixture.readState()).sanctions).toEqual(raided.sanctions)
    expect((await fixture.getRecord(edited.id)).record.reason).toBe('raid')
  })

  test('brings back a ban that the actor replaced, also if they changed it afterwards, and is reversed as one', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const raid = (body: Record<string, string>) => fixture.actAs(raider.session, body)
    const commented = await fixture.ban('1')
    const edited = await fixture.ban('2', { durationSeconds: 86_400 })
    instance.clock.advance(HOUR)
    const before = await fixture.readState()
    const since = fixture.timeFromNow()
    for (const userId of ['1', '1', '2']) await raid({ action: 'ban', userId, reason: 'raid' })
    await raid({ action: 'comment', id: commented.id, value: 'raid' })
    await raid({ action: 'edit', id: edited.id, reason: 'raid' })
    const raided = await fixture.readState()
    const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    const { preview } = (await fixture.send({ ...body, dryRun: 'true' })).body
    const { batch } = await fixture.runBatch(body)
    expect(batch).toMatchObject({ total: '5', failed: '0' })
    expect(preview).toMatchObject({ succeeded: batch.succeeded, failed: '0' })
    const after = await fixture.readState()
    expect(after.sanctions).toEqual(before.sanctions)
    expect(after.records.filter(({ status }) => status === 'revoked')).toHaveLength(3)
    await fixture.reverse(batch.id)
    expect(await fixture.readState()).toEqual(raided)
  })

  test('leaves a ban replaced if somebody else has changed the one in force', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const old = await fixture.ban('1')
    const since = fixture.timeFromNow()
    const ban = await fixture.actAs(raider.session, { action: 'ban', userId: '1', reason: 'raid' })
    await fixture.actAs(raider.session, { action: 'comment', id: old.id, value: 'raid' })
    await fixture.actOk({ action: 'edit', id: ban.id, reason: 'Confirmed by video' })
    const { results } = await fixture.runBatch({
      action: 'undo',
      actorUserId: raider.accountId,
      since,
      reason: 'Raid',
    })
    expect(results).toMatchObject([
      { target: old.id, message: expect.stringContaining('Another ban of this player is in force') },
      { target: ban.id, message: expect.stringContaining('Somebody has changed this record since') },
    ])
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id: ban.id }])
  })

  test('that is refused names the case and the player of each result, also in its preview', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const since = fixture.timeFromNow()
    const ban = { action: 'ban', userId: '1', reason: 'x' }
    const { id, caseNumber } = await fixture.actAs(raider.session, ban)
    const { session } = await instance.member(fixture.id, ['moderation.bulk', 'moderation.revoke'])
    const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    const result = { target: id, state: 'failed', code: 'forbidden', recordId: id, caseNumber, userId: '1' }
    const preview = await fixture.send({ ...body, dryRun: 'true' }, { session })
    expect(preview.body.preview.results).toMatchObject([result])
    expect((await fixture.runBatch(body, { session })).results).toMatchObject([result])
  })

  test('writes each step to the audit log, with its batch, and the records agree with the log', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const since = fixture.timeFromNow()
    const { id } = await fixture.actAs(raider.session, {
      action: 'ban',
      userId: '1',
      reason: 'x',
    })
    const { batch } = await fixture.runBatch({
      action: 'undo',
      actorUserId: raider.accountId,
      since,
      reason: 'Raid',
    })
    const path = `/portal/api/audit?workspaceId=${fixture.id}`
    const { entries } = (await instance.request('GET', path, { session: fixture.ownerSession })).body
    const rows = entries.map(({ action, targetId }: Record<string, string>) => [action, targetId])
    expect(rows.slice(0, 4)).toEqual([
      ['batches.finish', batch.id],
      ['moderation.revoke', id],
      ['batches.create', batch.id],
      ['moderation.ban', id],
    ])
    expect(entries[1].changes.after).toMatchObject({ batchId: batch.id, status: 'revoked' })
    await fixture.reverse(batch.id)
    expect(await fixture.compareWithLog()).toEqual([])
  })

  test('needs the permissions of the single actions for each record', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const warned = await fixture.actOk({ action: 'warn', userId: '3', reason: 'Spam' })
    const revoked = await fixture.actOk({ action: 'warn', userId: '4', reason: 'Spam' })
    const lifted = await fixture.ban('2')
    const since = fixture.timeFromNow()
    const raid = (body: Record<string, string>) => fixture.actAs(raider.session, body)
    await raid({ action: 'edit', id: warned.id, reason: 'raid' })
    await raid({ action: 'revoke', id: revoked.id, reason: 'raid' })
    await raid({ action: 'unban', userId: '2', reason: 'raid' })
    const created = await raid({ action: 'warn', userId: '5', reason: 'raid' })
    const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    const needed = {
      'moderation.edit': [warned.id],
      'moderation.revoke': [revoked.id, created.id],
      'moderation.ban': [lifted.id],
    }
    for (const [missing, recordIds] of Object.entries(needed)) {
      const key = await instance.key(
        fixture.id,
        permissions.filter((permission) => permission !== missing),
      )
      const { preview } = (await fixture.send({ ...body, dryRun: 'true' }, { key })).body
      const failed = preview.results.filter(({ state }: { state: string }) => state === 'failed')
      expect(failed.map(({ recordId, target }: Record<string, string>) => recordId ?? target).sort()).toEqual(
        [...recordIds].sort(),
      )
      for (const { code } of failed) expect(code).toBe('forbidden')
    }
  })

  test('needs the permission to ban for a ban that had ended meanwhile, because it was shortened', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const { id } = await fixture.ban('1')
    const since = fixture.timeFromNow()
    await fixture.actAs(raider.session, { action: 'edit', id, durationSeconds: '60' })
    instance.clock.advance(61_000)
    const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    const key = await instance.key(fixture.id, ['moderation.view', 'moderation.bulk'])
    const { preview } = await fixture.sendOk({ ...body, dryRun: 'true' }, { key })
    expect(preview.results).toMatchObject([{ recordId: id, state: 'failed', code: 'forbidden' }])
    expect((await fixture.runBatch(body)).results).toMatchObject([{ recordId: id, state: 'succeeded' }])
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id, expiresAt: null }])
  })
})
