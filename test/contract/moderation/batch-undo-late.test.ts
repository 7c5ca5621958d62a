import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openRaidFixture, type RaidFixture } from './raid-fixture.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let instance: Instance
let fixture: RaidFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openRaidFixture(instance)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

describe('a ban that was shortened, and that another person has replaced once it had expired', () => {
  /** Shortens the ban of a player as the fixture.raider. @returns the ban as it was before, and when that began */
  async function shortenAndBanAgain() {
    const ban = await fixture.ban('1')
    await fixture.appeal(ban)
    instance.clock.advance(1000)
    const since = fixture.timeFromNow()
    await fixture.raid({ action: 'edit', id: ban.id, durationSeconds: '60' })
    instance.clock.advance(2 * MINUTE)
    await fixture.ban('1', { durationSeconds: '3600' })
    return { ban, since }
  }
  const readAppeal = async () => (await fixture.readDependents()).appeals[0].state
  const EXPIRED = { status: 'expired', durationSeconds: '60' }

  test('is in force again after an undo once the other ban is over, and ends again with its reversal', async () => {
    const { ban, since } = await shortenAndBanAgain()
    expect(await readAppeal()).toBe('expired')
    instance.clock.advance(2 * HOUR)
    const { batch } = await fixture.undo(since)
    expect(batch).toMatchObject({ succeeded: '1', failed: '0' })
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id: ban.id, expiresAt: null }])
    expect(await readAppeal()).toBe('submitted')
    await fixture.reverse(batch.id)
    expect(await fixture.listActiveBans('1')).toEqual([])
    expect((await fixture.getRecord(ban.id)).record).toMatchObject(EXPIRED)
    expect(await fixture.compareWithLog()).toEqual([])
  })

  test('is left alone by an undo while the other ban is in force, which says so', async () => {
    const { ban, since } = await shortenAndBanAgain()
    const { batch, results } = await fixture.undo(since)
    expect(batch).toMatchObject({ succeeded: '0', failed: '1' })
    expect(results[0].message).toContain('Another ban of this player is in force')
    expect((await fixture.getRecord(ban.id)).record).toMatchObject(EXPIRED)
    instance.clock.advance(2 * HOUR)
    expect((await fixture.undo(since)).batch).toMatchObject({ succeeded: '1', failed: '0' })
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id: ban.id, expiresAt: null }])
  })

  test('is in force again after the reversal of the batch that has shortened it', async () => {
    const { id, expiresAt } = await fixture.ban('1', { durationSeconds: '86400' })
    const { batch } = await fixture.runBatch({ action: 'extend', recordIds: id, value: '-86340' })
    instance.clock.advance(2 * MINUTE)
    await fixture.ban('1', { durationSeconds: '3600' })
    instance.clock.advance(2 * HOUR)
    expect((await fixture.reverse(batch.id)).batch).toMatchObject({ succeeded: '1', failed: '0' })
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id, expiresAt, durationSeconds: '86400' }])
  })

  test('stays expired if it would have expired by now anyway', async () => {
    const { id, expiresAt } = await fixture.ban('1', { durationSeconds: '600' })
    instance.clock.advance(1000)
    const since = fixture.timeFromNow()
    await fixture.raid({ action: 'extend', id, value: '-540' })
    instance.clock.advance(2 * MINUTE)
    await fixture.ban('1', { durationSeconds: '3600' })
    instance.clock.advance(2 * HOUR)
    await fixture.undo(since)
    expect((await fixture.getRecord(id)).record).toMatchObject({ status: 'expired', expiresAt })
    expect(await fixture.listActiveBans('1')).toEqual([])
  })
})

test.each(['approve', 'reject'])(
  'the reversal of the undo of a decision holds after the time to decide, too: %s',
  async (action) => {
    const asker = await instance.member(fixture.id, ['moderation.view', 'moderation.ban'], 5, {
      permanentBansNeedApproval: true,
    })
    await fixture.ban('1', { durationSeconds: '3600' })
    await fixture.actAs(asker.session, { action: 'ban', userId: '1', reason: 'Exploiting' })
    const [{ id }] = (await fixture.readDependents()).approvals
    instance.clock.advance(MINUTE)
    const since = fixture.timeFromNow()
    const { status } = await instance.request('POST', '/api/moderation/approvals', {
      session: fixture.raider.session,
      body: { workspaceId: fixture.id, id, action, reason: 'Raid' },
    })
    expect(status).toBe(200)
    const [{ state }] = (await fixture.readDependents()).approvals
    const { batch } = await fixture.undo(since)
    expect((await fixture.readDependents()).approvals).toMatchObject([{ state: 'pending' }])
    instance.clock.advance(48 * HOUR)
    expect((await fixture.readDependents()).approvals).toMatchObject([{ state: 'expired' }])
    expect((await fixture.reverse(batch.id)).batch).toMatchObject({ succeeded: '1', failed: '0' })
    expect((await fixture.readDependents()).approvals).toMatchObject([{ state }])
  },
)

test('a ban that the raider approved stays in force once the time to decide is over, and the preview and the result of the undo say so', async () => {
  const asker = await instance.member(fixture.id, ['moderation.view', 'moderation.ban'], 5, {
    permanentBansNeedApproval: true,
  })
  await fixture.actAs(asker.session, { action: 'ban', userId: '1', reason: 'Exploiting' })
  const [{ id }] = (await fixture.readDependents()).approvals
  instance.clock.advance(HOUR)
  const since = fixture.timeFromNow()
  const { status } = await instance.request('POST', '/api/moderation/approvals', {
    session: fixture.raider.session,
    body: { workspaceId: fixture.id, id, action: 'approve' },
  })
  expect(status).toBe(200)
  instance.clock.advance(48 * HOUR)
  const leftAlone = { succeeded: '0', failed: '1' }
  const message = expect.stringContaining('The time to decide about this ban is over')
  const { preview } = await fixture.sendOk({ ...fixture.toUndo(since), dryRun: 'true' })
  expect(preview).toMatchObject({ ...leftAlone, results: [{ state: 'failed', message }] })
  const { batch, results } = await fixture.undo(since)
  expect(batch).toMatchObject(leftAlone)
  expect(results).toMatchObject([{ state: 'failed', code: 'conflict', message }])
  expect(await fixture.listActiveBans('1')).toMatchObject([{ expiresAt: null }])
  expect((await fixture.readDependents()).approvals).toMatchObject([{ state: 'approved' }])
})
