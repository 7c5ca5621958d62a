import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'

const HOUR = 3_600_000

let instance: Instance
let fixture: BatchFixture
let raider: Awaited<ReturnType<Instance['member']>>

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openBatchFixture(instance)
  raider = await instance.member(fixture.id, permissions)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const raid = (body: Record<string, string>) => fixture.actAs(raider.session, body)
const decideApproval = (id: string, action: string) =>
  instance.request('POST', '/api/moderation/approvals', {
    session: raider.session,
    body: { workspaceId: fixture.id, id, action, reason: 'raid' },
  })

/** Undoes everything that the raider has done since a time, without an item that fails. */
async function undo(since: string) {
  const body = { action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
  const { batch } = await fixture.runBatch(body)
  expect([batch.state, batch.failed]).toEqual(['succeeded', '0'])
  return batch
}

/** Bans players permanently as somebody who needs an approval for that. */
async function requestApprovals(...userIds: string[]) {
  const asker = await instance.member(fixture.id, ['moderation.view', 'moderation.ban'], 5, {
    permanentBansNeedApproval: true,
  })
  for (const userId of userIds)
    await fixture.actAs(asker.session, { action: 'ban', userId, reason: 'Exploiting' })
}

describe('the undo of a raid', () => {
  test('opens the appeals again that lifts, replacements and decisions of the raider had closed', async () => {
    const ids: string[] = []
    for (const userId of ['1', '2', '3', '4']) ids.push(await fixture.appeal(await fixture.ban(userId)))
    await fixture.manageAppeal('claim', String(ids[0]))
    const before = await fixture.readDependents()
    instance.clock.advance(HOUR)
    const since = fixture.timeFromNow()
    await raid({ action: 'unban', userId: '1' })
    await raid({ action: 'ban', userId: '2', reason: 'raid', durationSeconds: '600' })
    const decide = (id: string | undefined, fields: object) =>
      fixture.manageAppeal('decide', String(id), { ...fields }, raider.accountId)
    await decide(ids[2], { decision: 'accepted', message: 'Welcome back' })
    await decide(ids[3], { decision: 'reduced', durationSeconds: '86400' })
    const raided = await fixture.readDependents()
    expect(raided.appeals.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      'accepted',
      'expired',
      'reduced',
      'superseded',
    ])
    const batch = await undo(since)
    const withoutMessages = (appeals: object[]) =>
      appeals.map((one) => ({ ...one, messageCount: '', claim: null }))
    const { appeals } = await fixture.readDependents()
    expect(withoutMessages(appeals)).toEqual(withoutMessages(before.appeals))
    expect((await fixture.listActiveBans()).length).toBe(4)
    await fixture.reverse(batch.id)
    expect(withoutMessages((await fixture.readDependents()).appeals)).toEqual(withoutMessages(raided.appeals))
  })

  test('leaves an appeal alone that somebody else has decided', async () => {
    const id = await fixture.appeal(await fixture.ban('1'))
    await fixture.manageAppeal('decide', id, { decision: 'denied' })
    const before = await fixture.readDependents()
    const since = fixture.timeFromNow()
    await raid({ action: 'unban', userId: '1' })
    await undo(since)
    expect((await fixture.readDependents()).appeals).toEqual(before.appeals)
    expect(await fixture.listActiveBans('1')).toHaveLength(1)
  })

  test('lets bans wait for approval again that the raider had lifted, replaced, approved or rejected', async () => {
    await requestApprovals('1', '2', '3', '4')
    const before = await fixture.readDependents()
    const [fourth, third] = before.approvals
    instance.clock.advance(HOUR)
    const since = fixture.timeFromNow()
    await raid({ action: 'unban', userId: '1' })
    await raid({ action: 'ban', userId: '2', reason: 'raid' })
    expect((await decideApproval(third.id, 'approve')).status).toBe(200)
    expect((await decideApproval(fourth.id, 'reject')).status).toBe(200)
    const raided = await fixture.readDependents()
    const states = ({ approvals }: typeof raided) => approvals.map(({ state }: { state: string }) => state)
    expect(states(raided)).toEqual(['rejected', 'approved', 'superseded', 'superseded'])
    const batch = await undo(since)
    const after = await fixture.readDependents()
    expect(after.approvals).toEqual(before.approvals)
    const { body } = await instance.request('POST', '/api/moderation/approvals', {
      session: await instance.session(fixture.ownerId),
      body: { workspaceId: fixture.id, id: after.approvals.at(-1).id, action: 'approve' },
    })
    expect(body.record).toMatchObject({ userId: '1', durationSeconds: null, status: 'active' })
    await fixture.reverse(batch.id)
    // The owner has decided about the first one since, so it stays. A rejection that ended the ban is a ban that ended before a decision.
    expect(states(await fixture.readDependents())).toEqual([
      'superseded',
      'approved',
      'superseded',
      'approved',
    ])
  })

  test('takes the comments of the raider out of inboxes, and its reversal puts them back', async () => {
    const { id } = await fixture.ban('1')
    const mention = { action: 'comment', id, value: `See this, <@${fixture.reader.accountId}>` }
    await fixture.actOk(mention)
    instance.clock.advance(1000)
    const before = await fixture.readDependents()
    const since = fixture.timeFromNow()
    await raid(mention)
    expect((await fixture.readDependents()).mentions).toHaveLength(2)
    const batch = await undo(since)
    expect((await fixture.readDependents()).mentions).toEqual(before.mentions)
    await fixture.reverse(batch.id)
    expect((await fixture.readDependents()).mentions).toMatchObject([
      { text: mention.value, actorId: raider.accountId, read: 'false' },
      { text: mention.value },
    ])
  })
})
