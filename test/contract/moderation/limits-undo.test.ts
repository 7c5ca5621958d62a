import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR_MS } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import type { Fields } from './fixture.ts'
import { DAY, type LimitsFixture, openLimitsFixture, summarize } from './limits-fixture.ts'

let instance: Instance
let fixture: LimitsFixture
beforeAll(async () => {
  instance = await openInstance()
  fixture = await openLimitsFixture(instance)
}, 60_000)
afterAll(() => instance.close())

let lastPlayer = 1000
const newPlayer = () => String(++lastPlayer)

/** A member with limits who acts on many players at once. */
async function openStaff(limits: Parameters<LimitsFixture['staff']>[0]) {
  const member = await fixture.staff(limits, ['moderation.bulk'])
  const path = `/api/moderation/batches?workspaceId=${fixture.id}`
  async function runBatch(body: Fields) {
    const response = await instance.request('POST', path, { session: member.session, body })
    if (response.status !== 200) throw new Error(response.text)
    const read = await instance.request('GET', `${path}&id=${response.body.batch.id}`, {
      session: member.session,
    })
    return { id: response.body.batch.id, results: read.body.results as { state: string; message: string }[] }
  }
  const undoOwner = (since: string) =>
    runBatch({ action: 'undo', actorUserId: fixture.ownerId, since, reason: 'x' })
  const reverse = (id: string) => runBatch({ action: 'reverse', id, reason: 'x' })
  return { ...member, runBatch, undoOwner, reverse }
}

async function actAsOwner(body: Fields) {
  const session = fixture.ownerSession
  const response = await instance.request('POST', fixture.toPath({}), { session, body })
  if (response.status !== 200) throw new Error(response.text)
  return response.body.record
}

/** Bans of the owner, who has lifted them since the time that is returned. */
async function createLiftedBans(userIds: readonly string[], fields: Fields = {}) {
  const records = []
  for (const userId of userIds)
    records.push(await actAsOwner({ action: 'ban', userId, reason: 'x', ...fields }))
  instance.clock.advance(1)
  const since = fixture.timeFromNow()
  for (const userId of userIds) await actAsOwner({ action: 'unban', userId })
  return { id: String(records[0].id), since }
}

describe('an undo of what others have done', () => {
  test('brings back no ban that the same person could not impose', async () => {
    const { undoOwner } = await openStaff({ longestBanSeconds: DAY })
    const { id, since } = await createLiftedBans([newPlayer()])
    const { results } = await undoOwner(since)
    expect(results).toMatchObject([
      { state: 'failed', message: 'The longest ban that your roles allow is 1 day.' },
    ])
    expect((await fixture.getRecord(id)).record.status).toBe('revoked')
  })

  test('counts each ban that comes back as one of the person', async () => {
    const { undoOwner, act } = await openStaff({ bansPerHour: 2 })
    const players = [newPlayer(), newPlayer(), newPlayer()]
    const { since } = await createLiftedBans(players, { durationSeconds: DAY })
    const { results } = await undoOwner(since)
    const failed = results.filter(({ state }) => state === 'failed')
    expect(failed.map(({ message }) => message)).toEqual([
      expect.stringContaining('Your roles allow 2 bans per hour'),
    ])
    const ban = { action: 'ban', userId: newPlayer(), durationSeconds: 60 }
    expect(summarize(await act(ban))).toEqual([403, 'over_limit', 'bansPerHour'])
    instance.clock.advance(HOUR_MS)
    expect(summarize(await act(ban))).toBe(200)
  })

  test('counts a ban that had ended meanwhile, because it was shortened, as one of the person', async () => {
    const { undoOwner, act } = await openStaff({ bansPerHour: 1 })
    const bans = [await fixture.ban(newPlayer()), await fixture.ban(newPlayer())]
    const since = fixture.timeFromNow(1)
    instance.clock.advance(1)
    for (const { id } of bans) await actAsOwner({ action: 'edit', id, durationSeconds: '60' })
    instance.clock.advance(61_000)
    const { results } = await undoOwner(since)
    expect(results.map(({ state }) => state).sort()).toEqual(['failed', 'succeeded'])
    const ban = { action: 'ban', userId: newPlayer(), durationSeconds: 60 }
    expect(summarize(await act(ban))).toEqual([403, 'over_limit', 'bansPerHour'])
  })

  test('sanctions no member whom the person does not outrank', async () => {
    const { undoOwner } = await openStaff({})
    const target = await instance.member(fixture.id, ['moderation.view'], 10)
    const userId = newPlayer()
    await fixture.portal('PATCH', 'members/players', { accountId: target.accountId, userIds: userId })
    const { since } = await createLiftedBans([userId], { durationSeconds: DAY })
    const { results } = await undoOwner(since)
    expect(results[0]?.message).toContain('Only somebody who outranks them can act')
    expect(await fixture.listActiveBans(userId)).toEqual([])
  })
})

describe('taking back one’s own changes', () => {
  test('has no limit: what comes back is what others have decided', async () => {
    const { runBatch, reverse } = await openStaff({ longestBanSeconds: DAY, bansPerHour: 1 })
    const players = [newPlayer(), newPlayer()]
    for (const userId of players) await fixture.ban(userId)
    const { id } = await runBatch({ action: 'unban', userIds: players.join() })
    expect((await reverse(id)).results.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    for (const userId of players) expect(await fixture.listActiveBans(userId)).toHaveLength(1)
  })

  test('sanctions no member whom the person does not outrank', async () => {
    const { runBatch, reverse } = await openStaff({})
    const target = await instance.member(fixture.id, ['moderation.view'], 10)
    const userId = newPlayer()
    await fixture.ban(userId)
    await fixture.portal('PATCH', 'members/players', { accountId: target.accountId, userIds: userId })
    const { id } = await runBatch({ action: 'unban', userIds: userId })
    expect((await reverse(id)).results[0]?.message).toContain('Only somebody who outranks them can act')
    expect(await fixture.listActiveBans(userId)).toEqual([])
  })

  test('leaves no record without the evidence that its severity needs', async () => {
    const { runBatch, reverse, act } = await openStaff({ evidenceFromSeverity: 'high' })
    const { record } = (await act({ action: 'warn', userId: newPlayer() })).body
    const { id } = await runBatch({
      action: 'evidence',
      recordIds: record.id,
      value: 'https://example.com/1',
    })
    expect(summarize(await act({ action: 'edit', id: record.id, severity: 'high' }))).toBe(200)
    const { results } = await reverse(id)
    expect(results[0]?.message).toContain('Your roles require evidence')
    expect((await fixture.getRecord(record.id)).record.evidence).toHaveLength(1)
  })
})

test('a ban is not approved by those who could neither impose nor request it', async () => {
  const requester = await fixture.staff({ permanentBansNeedApproval: true })
  const { approval } = (await requester.act({ action: 'ban', userId: newPlayer() })).body
  const limited = await fixture.staff({ longestBanSeconds: DAY }, ['moderation.approve'])
  const asRequester = await fixture.staff({ permanentBansNeedApproval: true }, ['moderation.approve'])
  const approve = async (session: string) =>
    summarize(await fixture.decide(approval.id, { action: 'approve' }, { session }))
  expect(await approve(limited.session)).toEqual([403, 'over_limit', 'longestBanSeconds'])
  expect(await approve(asRequester.session)).toBe(200)
})
