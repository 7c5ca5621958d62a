import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS, permissions } from '@reeve/core'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type ErasureFixture, openErasureFixture } from './erasure-fixture.ts'
import type { Fields } from './fixture.ts'
import { createImportRequests, NOTCH, NOW } from './import-fixture.ts'

let instance: Instance
let fixture: ErasureFixture
let pseudonymised: { id: string }

beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
beforeEach(async () => {
  fixture = await openErasureFixture(instance)
  pseudonymised = await fixture.ban(NOTCH)
  await fixture.erase(NOTCH, 'pseudonymise')
})
afterAll(() => instance.close())

const readStatus = async () => (await fixture.getRecord(pseudonymised.id)).record.status
const act = (body: object) =>
  fixture.post('/api/moderation/batches', { userIds: NOTCH, reason: 'Raid', ...body })

describe('a batch', () => {
  test('bans a player in place of the ban under the pseudonym', async () => {
    await act({ action: 'ban', durationSeconds: '86400' })
    expect(await fixture.listActiveBans(NOTCH)).toHaveLength(1)
    expect(await readStatus()).toBe('superseded')
  })

  test('lifts the ban under the pseudonym', async () => {
    await act({ action: 'unban' })
    expect(await fixture.listActiveBans(NOTCH)).toEqual([])
    expect(await readStatus()).toBe('revoked')
  })
})

describe('the undo of a lift', () => {
  /** Lifts the ban of the player as a raider, and another one after a new ban if `again`. */
  async function raidLifts({ again }: { readonly again: boolean }) {
    const raider = await instance.member(fixture.id, permissions)
    instance.clock.advance(1000)
    const since = fixture.timeFromNow()
    const lift = () => fixture.post('/api/moderation', { action: 'unban', userId: NOTCH }, raider)
    await lift()
    instance.clock.advance(1000)
    const { id } = await fixture.ban(NOTCH)
    instance.clock.advance(1000)
    if (again) await lift()
    instance.clock.advance(1000)
    const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    const { batch } = await fixture.post('/api/moderation/batches', body)
    return { id, results: await listResults(batch.id) }
  }
  const listResults = async (id: string): Promise<{ state: string; message: string | null }[]> => {
    const search = new URLSearchParams({ workspaceId: fixture.id, id })
    const { body } = await instance.request('GET', `/api/moderation/batches?${search}`, { key: fixture.key })
    return body.results
  }

  test('leaves the ban under the pseudonym alone if the player was banned again since', async () => {
    const { id, results } = await raidLifts({ again: false })
    expect(results).toMatchObject([
      { state: 'failed', message: expect.stringContaining('Another ban of this player is in force') },
    ])
    expect(await fixture.listActiveBans(NOTCH)).toMatchObject([{ id }])
  })

  test('brings back one ban, if a second one was lifted too that was imposed after the first lift', async () => {
    const { results } = await raidLifts({ again: true })
    expect(results.map(({ state }) => state).toSorted()).toEqual(['failed', 'succeeded'])
    expect(await fixture.listActiveBans(NOTCH)).toHaveLength(1)
  })

  test('leaves the ban under the pseudonym alone if another undo has since brought back one that was imposed before the lift', async () => {
    const undo = (actorUserId: string, since: string) =>
      fixture.post('/api/moderation/batches', { action: 'undo', actorUserId, since, reason: 'Raid' })
    const changeLater = (body: Fields, options: { session: string }) => {
      instance.clock.advance(DAY_MS)
      return fixture.post('/api/moderation', body, options)
    }
    const lift = { action: 'unban', userId: NOTCH }
    const first = await instance.member(fixture.id, permissions)
    const second = await instance.member(fixture.id, permissions)
    const liftedSince = fixture.timeFromNow()
    await changeLater(lift, first)
    instance.clock.advance(DAY_MS)
    const { id } = await fixture.ban(NOTCH)
    const revokedSince = fixture.timeFromNow()
    await changeLater({ action: 'revoke', id, reason: 'Raid' }, second)
    await undo(first.accountId, liftedSince)
    expect(await fixture.listActiveBans(NOTCH)).toMatchObject([{ id: pseudonymised.id }])
    const liftedAgainSince = fixture.timeFromNow()
    await changeLater(lift, first)
    await undo(second.accountId, revokedSince)
    expect(await fixture.listActiveBans(NOTCH)).toMatchObject([{ id }])
    const { batch } = await undo(first.accountId, liftedAgainSince)
    expect(await listResults(batch.id)).toMatchObject([
      { state: 'failed', message: expect.stringContaining('Another ban of this player is in force') },
    ])
    expect(await fixture.listActiveBans(NOTCH)).toMatchObject([{ id }])
  })

  test('brings the ban under the pseudonym back if nobody has banned the player since', async () => {
    const raider = await instance.member(fixture.id, permissions)
    const since = fixture.timeFromNow()
    await fixture.post('/api/moderation', { action: 'unban', userId: NOTCH }, raider)
    await fixture.ban('261')
    const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    await fixture.post('/api/moderation/batches', body)
    expect(await fixture.listActiveBans(NOTCH)).toMatchObject([{ id: pseudonymised.id }])
  })
})

describe('an import', () => {
  test.each([
    { conflicts: 'skip', status: 'active' },
    { conflicts: 'supersede', status: 'superseded' },
  ])('finds the ban under the pseudonym: $conflicts', async ({ conflicts, status }) => {
    const { importFile } = createImportRequests(() => instance)
    await importFile('minecraft', 'banned-players.json', { workspace: fixture, conflicts })
    expect(await fixture.listActiveBans(NOTCH)).toHaveLength(1)
    expect(await readStatus()).toBe(status)
  })
})

test('the mute under the pseudonym is in the lists of active mutes, under the ID of the request, as a ban is in those of bans', async () => {
  const player = 'minecraft:11111111111111111111111111111111'
  for (const action of ['mute', 'ban']) await fixture.actOk({ action, userId: player, reason: 'Spam' })
  await fixture.erase(player, 'pseudonymise')
  for (const action of ['mute', 'ban']) {
    const { records } = (await fixture.get({ action, status: 'active', userId: player })).body
    expect(records).toMatchObject([{ action, userId: player, status: 'active' }])
  }
  expect((await fixture.get({ userId: player })).body.records).toEqual([])
})

test('staff find the ban under the pseudonym as that of the player, and replace it knowingly', async () => {
  const { id: workspaceId, ownerSession: session } = fixture
  const find = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ workspaceId, ...query })
    return (await instance.request('GET', `/portal/api/players?${search}`, { session })).body.players
  }
  const banned = [{ userId: NOTCH, userUsername: null, records: '0', ban: { id: pseudonymised.id } }]
  expect(await find({ userId: NOTCH })).toMatchObject(banned)
  expect(await find({ q: NOTCH })).toMatchObject(banned)
  expect(await find({ q: NOTCH.slice('minecraft:'.length) })).toMatchObject(banned)
  const again = { action: 'ban', userId: NOTCH, reason: 'Again' }
  expect((await fixture.act({ ...again, replaces: '' })).status).toBe(409)
  expect((await fixture.act({ ...again, replaces: pseudonymised.id })).status).toBe(200)
  expect(await find({ q: NOTCH })).toMatchObject([{ records: '1', ban: { reason: 'Again' } }])
  expect(await readStatus()).toBe('superseded')
})
