import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { closeExpiredAppeals } from '@reeve/moderation'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openRaidFixture, type RaidFixture } from './raid-fixture.ts'

const HOUR = 3_600_000

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

const decideApproval = (id: string, action: string) =>
  instance.request('POST', '/api/moderation/approvals', {
    session: fixture.raider.session,
    body: { workspaceId: fixture.id, id, action, reason: 'raid' },
  })

/** Undoes everything that the raider has done since a time, without an item that fails. */
async function undo(since: string) {
  const { batch } = await fixture.undo(since)
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
    await fixture.raid({ action: 'unban', userId: '1' })
    await fixture.raid({ action: 'ban', userId: '2', reason: 'raid', durationSeconds: '600' })
    const decide = (id: string | undefined, fields: object) =>
      fixture.manageAppeal('decide', String(id), { ...fields }, fixture.raider.accountId)
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
    await fixture.raid({ action: 'unban', userId: '1' })
    await undo(since)
    expect((await fixture.readDependents()).appeals).toEqual(before.appeals)
    expect(await fixture.listActiveBans('1')).toHaveLength(1)
  })

  for (const isClosed of [false, true])
    test(`opens the appeal again of a ban that the raider had shortened until it expired, ${isClosed ? 'after' : 'before'} the server has closed it`, async () => {
      const ban = await fixture.ban('1')
      await fixture.appeal(ban)
      const since = fixture.timeFromNow()
      await fixture.raid({ action: 'edit', id: ban.id, durationSeconds: '60' })
      instance.clock.advance(HOUR)
      if (isClosed) await closeExpiredAppeals(instance.db, instance.ports)
      expect((await fixture.readDependents()).appeals).toMatchObject([{ state: 'expired' }])
      await undo(since)
      expect((await fixture.readDependents()).appeals).toMatchObject([{ state: 'submitted', closedAt: null }])
      expect(await fixture.listActiveBans('1')).toHaveLength(1)
    })

  test('lets bans wait for approval again that the raider had lifted, replaced, approved or rejected', async () => {
    await requestApprovals('1', '2', '3', '4')
    const before = await fixture.readDependents()
    const [fourth, third] = before.approvals
    instance.clock.advance(HOUR)
    const since = fixture.timeFromNow()
    await fixture.raid({ action: 'unban', userId: '1' })
    await fixture.raid({ action: 'ban', userId: '2', reason: 'raid' })
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
    await fixture.raid(mention)
    expect((await fixture.readDependents()).mentions).toHaveLength(2)
    const batch = await undo(since)
    expect((await fixture.readDependents()).mentions).toEqual(before.mentions)
    await fixture.reverse(batch.id)
    expect((await fixture.readDependents()).mentions).toMatchObject([
      { text: mention.value, actorId: fixture.raider.accountId, read: 'false' },
      { text: mention.value },
    ])
  })
})

describe('the preview of an undo', () => {
  const preview = (actorUserId: string, since: string, options = {}) =>
    fixture.send({ action: 'undo', actorUserId, since, reason: 'Raid', dryRun: 'true' }, options)
  const post = async (route: string, body: object, session = fixture.raider.session) => {
    const response = await instance.request('POST', route, {
      session,
      body: { workspaceId: fixture.id, ...body },
    })
    if (response.status !== 200) throw new Error(response.text)
    return response.body
  }

  test('says what it does not cover: other changes by kind, and the API keys of the same person', async () => {
    const link = (linkedUserId: string) =>
      post('/api/moderation/links', { userId: '1', linkedUserId, confidence: 'low', reason: 'x' })
    await link('8')
    instance.clock.advance(1000)
    const since = fixture.timeFromNow()
    const { secret, apiKey } = await post('/portal/api/api-keys', {
      name: 'Bot',
      permissions: 'moderation.ban,moderation.unban',
    })
    await link('9')
    await link('10')
    await post('/api/moderation/templates', { name: 'Spam', publicReason: 'x' })
    await fixture.actOk({ action: 'ban', userId: '1', reason: 'x' }, { key: secret })
    await fixture.actOk({ action: 'unban', userId: '1' }, { key: secret })
    await fixture.actOk({ action: 'note', userId: '1', reason: 'By another key' })
    const otherChanges = [
      { kind: 'player_link', count: '2' },
      { kind: 'api_key', count: '1' },
      { kind: 'template', count: '1' },
    ]
    const otherActors = [{ actorUserId: apiKey.id, actorUsername: 'Bot', count: '2' }]
    // Nothing that they did with their account is about a record.
    const empty = await preview(fixture.raider.accountId, since)
    expect(empty.body.preview).toEqual({
      sequence: null,
      total: '0',
      actions: [],
      succeeded: '0',
      unchanged: '0',
      failed: '0',
      results: [],
      otherChanges: expect.any(Array),
      otherActors,
    })
    expect(
      empty.body.preview.otherChanges.toSorted((one: { kind: string }, other: { kind: string }) =>
        one.kind < other.kind ? -1 : 1,
      ),
    ).toEqual(otherChanges.toSorted((one, other) => (one.kind < other.kind ? -1 : 1)))
    const refused = await fixture.send({
      action: 'undo',
      actorUserId: fixture.raider.accountId,
      since,
      reason: 'Raid',
    })
    expect([refused.status, refused.body.details[0].field]).toEqual([400, 'actorUserId'])
    await fixture.raid({ action: 'warn', userId: '1', reason: 'x' })
    expect((await preview(fixture.raider.accountId, since)).body.preview).toMatchObject({
      total: '1',
      otherActors,
    })
    // The other way around, too.
    expect((await preview(apiKey.id, since)).body.preview).toMatchObject({
      total: '1',
      otherChanges: [],
      otherActors: [{ actorUserId: fixture.raider.accountId, count: '1' }],
    })
  })

  test('keeps what the audit log has from those who may not view it', async () => {
    const since = fixture.timeFromNow()
    await fixture.raid({ action: 'warn', userId: '1', reason: 'x' })
    const template = { name: 'Spam', publicReason: 'x' }
    await post('/api/moderation/templates', template)
    const { session } = await instance.member(fixture.id, ['moderation.bulk', 'moderation.revoke'])
    const { body } = await preview(fixture.raider.accountId, since, { session })
    expect(body.preview).toMatchObject({ total: '1', otherChanges: null, otherActors: [] })
  })
})
