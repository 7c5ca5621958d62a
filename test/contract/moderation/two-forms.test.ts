import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openRaidFixture, type RaidFixture } from './raid-fixture.ts'

// A player who was two before the default platform changed, and has a ban under each form.

const STEAM_ID = '76561197960287930'

let instance: Instance
let fixture: RaidFixture
let bans: Awaited<ReturnType<RaidFixture['ban']>>[]

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openRaidFixture(instance)
  bans = [await fixture.ban(STEAM_ID), await fixture.ban(`steam:${STEAM_ID}`, { durationSeconds: '3600' })]
  const body = { workspaceId: fixture.id, defaultPlatform: 'steam' }
  const { status } = await instance.request('PATCH', '/portal/api/workspace', {
    session: fixture.ownerSession,
    body,
  })
  expect(status).toBe(200)
  instance.clock.advance(1000)
})
afterAll(() => instance.close())

const listActive = async () =>
  (await fixture.listActiveBans(STEAM_ID)).map(({ id }: { id: string }) => id).toSorted()
const listBoth = () => bans.map(({ id }) => id).toSorted()

for (const action of ['unban', 'ban'])
  test(`the reversal of a batch that has ended both bans with a ${action} brings both back`, async () => {
    const { batch } = await fixture.runBatch({ action, userIds: [STEAM_ID], reason: 'Wrong player' })
    expect(await listActive()).toHaveLength(action === 'ban' ? 1 : 0)
    const reversal = await fixture.reverse(batch.id)
    expect([reversal.batch.succeeded, reversal.batch.failed]).toEqual(['1', '0'])
    expect(await listActive()).toEqual(listBoth())
  })

test('the undo of what somebody did brings both bans back', async () => {
  const since = fixture.timeFromNow()
  await fixture.raid({ action: 'unban', userId: STEAM_ID })
  expect(await listActive()).toEqual([])
  const { batch } = await fixture.undo(since)
  expect(batch.failed).toBe('0')
  expect(await listActive()).toEqual(listBoth())
})

for (const index of [0, 1])
  test(`a lift of the player that names ban ${index + 1} ends both, and its undo brings both back`, async () => {
    const since = fixture.timeFromNow()
    const id = String(bans[index]?.id)
    const lifted = await fixture.raid({ action: 'unban', userId: STEAM_ID, id, reason: 'Appealed' })
    expect(lifted).toMatchObject({ id, status: 'revoked', revokeReason: 'Appealed' })
    expect(await listActive()).toEqual([])
    const { batch } = await fixture.undo(since)
    expect(batch.failed).toBe('0')
    expect(await listActive()).toEqual(listBoth())
  })

test('a lift of the player that names a ban that somebody has lifted, or one of another player, lifts nothing', async () => {
  const [lifted, other] = bans
  const ofAnother = await fixture.ban('261')
  await fixture.actOk({ action: 'unban', id: lifted?.id })
  for (const [id, error] of [
    [lifted?.id, 'This ban is no longer in force.'],
    [ofAnother.id, 'This ban is one of another player.'],
  ]) {
    const { status, body } = await fixture.act({ action: 'unban', userId: STEAM_ID, id })
    expect([status, body.error]).toEqual([409, error])
  }
  expect(await listActive()).toEqual([String(other?.id)])
  expect(await fixture.listActiveBans('261')).toHaveLength(1)
})

test('a lift that names only one of the two ends that one', async () => {
  await fixture.actOk({ action: 'unban', id: bans[0]?.id })
  expect(await listActive()).toEqual([String(bans[1]?.id)])
})

test('a new ban that names either of the two replaces both, and one that names none is refused', async () => {
  const ban = (replaces: string) =>
    fixture.act({ action: 'ban', userId: STEAM_ID, reason: 'Again', replaces })
  expect((await ban('')).status).toBe(409)
  const { body } = await ban(String(bans[0]?.id))
  expect(await listActive()).toEqual([body.record.id])
})

test('an accepted appeal against one lifts both', async () => {
  const appeal = await fixture.appeal(bans[0] as (typeof bans)[number])
  await fixture.manageAppeal('decide', appeal, { decision: 'accepted' })
  expect(await listActive()).toEqual([])
})

test('a ban that an appeal shortens ends for the player at the time that the decision names, under both forms', async () => {
  const appeal = await fixture.appeal(bans[1] as (typeof bans)[number])
  await fixture.manageAppeal('decide', appeal, { decision: 'reduced', durationSeconds: '1800' })
  expect(await listActive()).toEqual(listBoth())
  instance.clock.advance(1_800_000)
  expect(await listActive()).toEqual([])
})

test('the undo of a lift brings back the one ban that was lifted', async () => {
  const since = fixture.timeFromNow()
  await fixture.raid({ action: 'unban', id: String(bans[0]?.id) })
  instance.clock.advance(1000)
  const { batch } = await fixture.undo(since)
  expect([batch.succeeded, batch.failed]).toEqual(['1', '0'])
  expect(await listActive()).toEqual(listBoth())
})
