import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { stopAfter } from '../../support/workspace-jobs.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'

let instance: Instance
let fixture: BatchFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openBatchFixture(instance)
})
afterAll(() => instance.close())

describe('a batch', () => {
  test('acts on each target as the single action would, and has a result for each', async () => {
    await fixture.ban('banned', { durationSeconds: 3600 })
    const limited = await instance.key(fixture.id, ['moderation.bulk', 'moderation.view', 'moderation.ban'])
    const permanent = await fixture.ban('permanent')
    const { batch, results } = await fixture.runBatch(
      {
        action: 'temp_ban',
        durationSeconds: '7200',
        userIds: ['new', 'banned', 'permanent', 'new'],
        reason: 'Raid',
      },
      { key: limited },
    )
    expect(batch).toMatchObject({
      kind: 'actions',
      state: 'succeeded',
      action: 'ban',
      total: '3',
      succeeded: '2',
      failed: '1',
      reversedBy: null,
      error: null,
    })
    expect(results.map(({ target, state, code }: Record<string, string>) => [target, state, code])).toEqual([
      ['new', 'succeeded', null],
      ['banned', 'succeeded', null],
      ['permanent', 'failed', 'forbidden'],
    ])
    expect(await fixture.listActiveBans('permanent')).toMatchObject([{ id: permanent.id }])
    expect(await fixture.listActiveBans('banned')).toMatchObject([
      { id: results[1].recordId, reason: 'Raid', durationSeconds: '7200' },
    ])
  })

  test('acts on records too', async () => {
    const records = [await fixture.ban('1'), await fixture.ban('2')]
    const recordIds = records.map(({ id }) => id)
    const { batch } = await fixture.runBatch({ action: 'edit', recordIds, severity: 'critical' })
    expect(batch).toMatchObject({ succeeded: '2', failed: '0' })
    const again = await fixture.runBatch({ action: 'edit', recordIds, severity: 'critical' })
    expect(again.batch).toMatchObject({ succeeded: '0', unchanged: '2' })
    expect((await fixture.getRecord(recordIds[0] ?? '')).record.severity).toBe('critical')
  })

  test('is previewed without changing anything, with the results that it then has', async () => {
    await fixture.ban('banned')
    const body = { action: 'unban', userIds: 'banned,free', reason: 'Mistake' }
    const before = await readStoredRows(instance)
    const response = await fixture.send({ ...body, dryRun: 'true' })
    expect(await readStoredRows(instance)).toEqual(before)
    expect(response.body.preview).toMatchObject({
      total: '2',
      succeeded: '1',
      failed: '1',
      actions: [{ action: 'unban', count: '2' }],
      results: [
        { target: 'banned', state: 'succeeded', userId: 'banned' },
        { target: 'free', state: 'failed', message: 'This player has no active ban.' },
      ],
    })
    const { results } = await fixture.runBatch(body)
    const toOutcome = ({ target, state, message }: Record<string, string>) => ({ target, state, message })
    expect(results.map(toOutcome)).toEqual(response.body.preview.results.map(toOutcome))
  })

  test('says in its preview whom it is about, for how long, and which ban it would replace', async () => {
    await fixture.actOk({ action: 'note', userId: '7', userUsername: 'Robin', reason: 'x' })
    const inForce = await fixture.ban('8', { durationSeconds: 3600, userUsername: 'Kim' })
    await fixture.ban('9')
    await fixture.actOk({ action: 'unban', userId: '9' })
    const body = { action: 'ban', userIds: '7,8,9', reason: 'Raid', durationSeconds: '86400', dryRun: 'true' }
    const columns = ['target', 'userUsername', 'action', 'durationSeconds']
    columns.push('replacesCaseNumber', 'replacesExpiresAt')
    const summarize = ({ preview }: { preview: { results: Record<string, unknown>[] } }) =>
      preview.results.map((result) => columns.map((column) => result[column]))
    expect(summarize(await fixture.sendOk(body))).toEqual([
      ['7', 'Robin', 'ban', '86400', null, null],
      ['8', 'Kim', 'ban', '86400', inForce.caseNumber, inForce.expiresAt],
      ['9', null, 'ban', '86400', null, null],
    ])
    const withoutView = await instance.key(fixture.id, [
      'moderation.bulk',
      'moderation.ban',
      'moderation.unban',
    ])
    const limited = summarize(await fixture.sendOk(body, { key: withoutView }))
    expect(limited.map(([, name, , , ...replaced]) => [name, ...replaced])).toEqual(
      Array(3).fill([null, null, null]),
    )
  })

  test('needs its own permission and that of the action, also of an API key that loses it meanwhile', async () => {
    const body = { action: 'ban', userIds: '1', reason: 'x' }
    const withoutBulk = permissions.filter((permission) => permission !== 'moderation.bulk')
    const withoutBan = permissions.filter((permission) => permission !== 'moderation.ban')
    for (const [set, missing] of [
      [withoutBulk, 'moderation.bulk'],
      [withoutBan, 'moderation.ban'],
    ] as const) {
      for (const dryRun of ['true', 'false']) {
        const response = await fixture.send({ ...body, dryRun }, { key: await instance.key(fixture.id, set) })
        expect([response.status, response.body.permission]).toEqual([403, missing])
      }
    }
    const member = await instance.member(fixture.id, ['moderation.bulk', 'moderation.ban'])
    const queued = await fixture.queue({ ...body, userIds: ['1', '2', '3'] }, { session: member.session })
    await instance.runJobs(stopAfter(5))
    const members = new URLSearchParams({ workspaceId: fixture.id, accountId: member.accountId })
    const removal = await instance.request('DELETE', `/portal/api/members?${members}`, {
      session: fixture.ownerSession,
    })
    expect(removal.status).toBe(200)
    await instance.runJobs()
    const { batch } = await fixture.readBatch(queued.id)
    expect(batch).toMatchObject({ state: 'failed', error: expect.stringContaining('no longer has access') })
    expect(Number(batch.succeeded)).toBeLessThan(3)
  })

  test('checks both permissions again while it runs', async () => {
    const body = { action: 'ban', userIds: ['1', '2', '3'], reason: 'x' }
    for (const [left, outcome] of [
      ['moderation.ban', { state: 'failed', error: expect.stringContaining('moderation.bulk') }],
      ['moderation.bulk', { state: 'succeeded', succeeded: '0', failed: '3' }],
    ] as const) {
      const { session, roleId } = await instance.member(fixture.id, ['moderation.bulk', 'moderation.ban'])
      const { id } = await fixture.queue(body, { session })
      const change = await instance.request('PATCH', '/portal/api/roles', {
        session: fixture.ownerSession,
        body: { workspaceId: fixture.id, id: roleId, permissions: left },
      })
      expect(change.status).toBe(200)
      await instance.runJobs()
      expect((await fixture.readBatch(id)).batch).toMatchObject(outcome)
    }
    expect(await fixture.listActiveBans()).toEqual([])
  })

  test('rejects more targets than 500, targets of the other kind and fields that the action does not use', async () => {
    const many = Array.from({ length: 501 }, (_, index) => String(index))
    for (const [body, fields] of [
      [{ action: 'ban', userIds: many, reason: 'x' }, ['userIds']],
      [{ action: 'ban', recordIds: '1', reason: 'x' }, ['recordIds']],
      [{ action: 'ban', userIds: '1' }, ['reason']],
      [{ action: 'warn', userIds: '1', reason: 'x', durationSeconds: '60' }, ['durationSeconds']],
      [{ action: 'redact', recordIds: '1', reason: 'x' }, ['action']],
      [{ action: 'undo', reason: 'x' }, ['actorUserId', 'since']],
      [{ action: 'reverse', id: 'x', reason: '' }, ['reason']],
      [
        { action: 'undo', actorUserId: fixture.ownerId, since: fixture.timeFromNow(), reason: 'x' },
        ['actorUserId'],
      ],
    ] as const) {
      const { status, body: answer } = await fixture.send(body)
      expect([status, answer.details.map(({ field }: { field: string }) => field)]).toEqual([
        400,
        [...fields],
      ])
    }
  })

  test('names the player whose ID is invalid', async () => {
    for (const userIds of [['1', 'no id', '2'], '1,no id,2']) {
      const { status, body } = await fixture.send({ action: 'ban', userIds, reason: 'Raid' })
      expect([status, body.error]).toEqual([
        400,
        expect.stringMatching(/^userIds: must not have "no id": an id must be 1 to 64 characters/),
      ])
    }
  })

  test.each(['roblox', 'minecraft'])(
    'on players names a case among them, with %p as the default platform',
    async (platform) => {
      await instance.request('PATCH', '/portal/api/workspace', {
        session: fixture.ownerSession,
        body: { workspaceId: fixture.id, defaultPlatform: platform },
      })
      const { id } = await fixture.ban('1')
      const body = { action: 'ban', userIds: ['2', id.toUpperCase()], reason: 'Raid' }
      for (const dryRun of ['true', 'false']) {
        const rejected = await fixture.send({ ...body, dryRun })
        expect([rejected.status, rejected.body.error]).toEqual([
          400,
          `userIds: must not have ${id}, which is the ID of a case: choose an action on cases, or name the player of the case`,
        ])
      }
      const otherId = '0198c0de-0000-7000-8000-000000000001'
      const { batch } = await fixture.runBatch({ ...body, userIds: [otherId] })
      expect(batch.succeeded).toBe('1')
    },
  )

  test('continues after an interruption, and does nothing twice', async () => {
    const userIds = Array.from({ length: 12 }, (_, index) => `player${index}`)
    const { id } = await fixture.queue({ action: 'warn', userIds, reason: 'x' })
    await instance.runJobs(stopAfter(6))
    const interrupted = await fixture.readBatch(id)
    expect(interrupted.batch.state).toBe('running')
    expect(Number(interrupted.batch.succeeded)).toBeGreaterThan(0)
    expect(Number(interrupted.batch.succeeded)).toBeLessThan(12)
    await instance.runJobs()
    expect((await fixture.readBatch(id)).batch).toMatchObject({ state: 'succeeded', succeeded: '12' })
    const { records } = (await fixture.get({ limit: '200' })).body
    expect(records.map(({ userId }: { userId: string }) => userId).sort()).toEqual(userIds.sort())
  })

  test('can be cancelled, and what it has done can be reversed', async () => {
    const userIds = ['1', '2', '3', '4']
    const { id } = await fixture.queue({ action: 'ban', userIds, reason: 'x' })
    await instance.runJobs(stopAfter(6))
    await fixture.sendOk({ action: 'cancel', id })
    await instance.runJobs()
    const { batch } = await fixture.readBatch(id)
    expect(batch.state).toBe('cancelled')
    expect([1, 2, 3]).toContain(Number(batch.succeeded))
    await fixture.reverse(id)
    expect(await fixture.listActiveBans()).toEqual([])
  })
})

describe('a reversal', () => {
  test('brings back the ban that the batch replaced, with its end', async () => {
    const old = await fixture.ban('1', { durationSeconds: 86_400 })
    const { batch } = await fixture.runBatch({ action: 'ban', userIds: '1', reason: 'Raid' })
    const reversal = await fixture.reverse(batch.id)
    expect(reversal.batch).toMatchObject({ kind: 'reversal', succeeded: '1', reverses: batch.id })
    expect(await fixture.listActiveBans('1')).toMatchObject([
      { id: old.id, status: 'active', expiresAt: old.expiresAt },
    ])
    const again = await fixture.send({ action: 'reverse', id: batch.id, reason: 'x' })
    expect([again.status, again.body.error]).toEqual([409, 'This batch is already reversed, or about to be.'])
  })

  test('leaves alone what somebody changed since, and says so', async () => {
    const { batch, results } = await fixture.runBatch({ action: 'ban', userIds: '1,2,3', reason: 'Raid' })
    await fixture.actOk({ action: 'edit', id: results[1].recordId, reason: 'Confirmed by video' })
    await fixture.actOk({ action: 'comment', id: results[2].recordId, value: 'Was this a raid?' })
    const reversal = await fixture.reverse(batch.id)
    expect(reversal.batch).toMatchObject({ succeeded: '2', failed: '1' })
    expect(reversal.results.find(({ state }: { state: string }) => state === 'failed')).toMatchObject({
      target: '2',
      code: 'conflict',
      message: 'Somebody has changed this record since. It was left alone.',
    })
    expect((await fixture.listActiveBans()).map(({ userId }: { userId: string }) => userId)).toEqual(['2'])
  })

  test.each([1, 3, 251])('of a reversal acts again on every target, of %p', async (count) => {
    const userIds = Array.from({ length: count }, (_, index) => String(index))
    const { batch } = await fixture.runBatch({ action: 'ban', userIds, reason: 'Raid' })
    const reversal = await fixture.reverse(batch.id)
    expect(await fixture.listActiveBans()).toEqual([])
    const again = await fixture.reverse(reversal.batch.id)
    const all = String(count)
    expect(again.batch).toMatchObject({ state: 'succeeded', total: all, succeeded: all, failed: '0' })
    const { bans } = (await fixture.get({ banList: 'true', userId: userIds.slice(0, 3).join(',') })).body
    expect(bans).toHaveLength(Math.min(count, 3))
  })

  test('of a lift does not bring a ban back while another is in force', async () => {
    await fixture.ban('1')
    const { batch } = await fixture.runBatch({ action: 'unban', userIds: '1' })
    const other = await fixture.ban('1')
    const { results } = await fixture.reverse(batch.id)
    expect(results).toMatchObject([
      {
        state: 'failed',
        message: 'Another ban of this player is in force, so this one was not brought back.',
      },
    ])
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id: other.id }])
  })
})
