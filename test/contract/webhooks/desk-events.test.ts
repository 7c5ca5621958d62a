import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { webhookEventTypes } from '@reeve/core'
import { requestApproval } from '../../support/approvals.ts'
import { createWebhookCaller, openDeliveries, takeEvents } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'
import { DAY, openAppeals } from '../appeals/fixture.ts'

let instance: Instance
let deliveries: ReturnType<typeof openDeliveries>
let receiver: Receiver
let desk: Awaited<ReturnType<typeof openAppeals>>
/** The fields of the examples that the API has for the events, by type. */
let documented: ReadonlyMap<string, object>

beforeAll(async () => {
  instance = await openInstance()
  deliveries = openDeliveries(instance)
})
beforeEach(async () => {
  receiver = startReceiver()
  desk = await openAppeals(instance)
  const { create, call } = createWebhookCaller(instance, { id: desk.workspaceId, key: desk.key })
  await create(receiver.url, webhookEventTypes.join())
  const { events } = await call('GET', 'webhooks/events')
  documented = new Map(
    events.map(({ type, example }: { type: string; example: string }) => [type, JSON.parse(example).data]),
  )
})
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})
afterAll(() => instance.close())

/** The events since the last call, each of which has the fields that its example has. */
async function take() {
  const events = await takeEvents(deliveries, receiver)
  for (const { type, actor: _, ...data } of events) {
    const example = documented.get(type) ?? {}
    const listFields = (value: object) =>
      Object.entries(value).map(([name, inner]) => [
        name,
        inner instanceof Object && Object.keys(inner).sort(),
      ])
    expect([type, Object.fromEntries(listFields(data))]).toEqual([
      type,
      Object.fromEntries(listFields(example)),
    ])
  }
  return events
}
const takeTypes = async () => (await take()).map(({ type }) => type)

const at = (ms = 0) => new Date(instance.clock.now() + ms).toISOString()

/** A ban with an open appeal, whose events are taken. */
async function openAppeal(fields: Record<string, unknown> = {}) {
  const record = await desk.ban(fields)
  const id: string = (await desk.submit(record.appealCode)).body.appeal.id
  await take()
  return { record, id }
}

test('an appeal that is submitted is sent with who sent it and its ban, and without what the player wrote', async () => {
  const record = await desk.ban({ userUsername: 'Builderman', durationSeconds: 86_400 })
  await take()
  const { body } = await desk.submit(record.appealCode, { message: 'It was my brother.' })
  await deliveries.sendAllDue()
  const [sent] = receiver.received
  expect(sent?.text).not.toContain('brother')
  expect(sent?.body).toEqual({
    type: 'appeal.submitted',
    timestamp: at(),
    data: {
      workspaceId: desk.workspaceId,
      sequence: String(Number(record.sequence) + 1),
      actor: { kind: 'api_key', id: expect.any(String), username: expect.any(String) },
      appeal: {
        id: body.appeal.id,
        recordId: record.id,
        caseNumber: record.caseNumber,
        userId: '261',
        userUsername: 'Builderman',
        state: 'submitted',
        submittedAt: at(),
        updatedAt: at(),
        closedAt: null,
        decidedAt: null,
        effect: null,
        final: 'false',
        banExpiresAt: record.expiresAt,
        messageCount: '1',
        version: '1',
        decidedBy: null,
        claim: null,
      },
    },
  })
  expect(await takeTypes()).toEqual(['appeal.submitted'])
})

test('an appeal that is claimed, discussed and withdrawn is sent each time, and an internal message never', async () => {
  const { record, id } = await openAppeal()
  const { judge, staff, send } = desk
  await staff('claim', judge.session, { id })
  expect(await take()).toMatchObject([
    {
      type: 'appeal.updated',
      actor: { kind: 'account', id: judge.accountId },
      appeal: { id, state: 'under_review', claim: { accountId: judge.accountId } },
    },
  ])
  await staff('message', judge.session, { id, text: 'Only for us' })
  expect(await take()).toEqual([])
  await staff('message', judge.session, { id, text: 'Tell us more.', internal: 'false' })
  expect(await take()).toMatchObject([{ type: 'appeal.updated', appeal: { messageCount: '3' } }])
  await send({ code: record.appealCode, action: 'reply', message: 'I was at school.' })
  expect(await take()).toMatchObject([{ type: 'appeal.updated', appeal: { messageCount: '4' } }])
  await send({ code: record.appealCode, action: 'withdraw' })
  expect(await take()).toMatchObject([
    { type: 'appeal.updated', appeal: { state: 'withdrawn', closedAt: at(), decidedAt: null } },
  ])
})

test('a decision is sent with what it does, and followed by what becomes of the ban', async () => {
  const { judge, staff } = desk
  const decide = async (decision: object, fields = {}) => {
    const { record, id } = await openAppeal(fields)
    const { status } = await staff('decide', judge.session, { id, ...decision })
    expect(status).toBe(200)
    return { record, id, events: await take() }
  }
  const accepted = await decide({ decision: 'accepted' })
  expect(accepted.events).toMatchObject([
    {
      type: 'appeal.decided',
      actor: { kind: 'account', id: judge.accountId },
      appeal: {
        id: accepted.id,
        recordId: accepted.record.id,
        state: 'accepted',
        effect: 'The ban is lifted.',
        closedAt: at(),
        decidedAt: at(),
        decidedBy: { id: judge.accountId },
      },
    },
    { type: 'ban.ended', record: { id: accepted.record.id, status: 'revoked', message: null } },
    { type: 'record.ended', record: { id: accepted.record.id, revokeReason: 'Appeal accepted' } },
  ])
  const reduced = await decide({ decision: 'reduced', durationSeconds: 86_400 }, { userId: '262' })
  expect(reduced.events).toMatchObject([
    { type: 'appeal.decided', appeal: { state: 'reduced', banExpiresAt: at(DAY) } },
    { type: 'record.updated', record: { id: reduced.record.id, status: 'active', expiresAt: at(DAY) } },
  ])
  const denied = await decide({ decision: 'denied', final: 'true' }, { userId: '263' })
  expect(denied.events).toMatchObject([
    { type: 'appeal.decided', appeal: { state: 'denied', final: 'true', banExpiresAt: null } },
  ])
})

test('an appeal that closes because its ban is replaced, lifted or expires is sent with the end of the ban', async () => {
  const replaced = await openAppeal()
  await desk.ban({ reason: 'Again' })
  expect(await take()).toMatchObject([
    {
      type: 'appeal.updated',
      appeal: { id: replaced.id, state: 'superseded', closedAt: at(), decidedBy: null },
    },
    { type: 'ban.ended', record: { id: replaced.record.id, status: 'superseded' } },
    { type: 'record.ended', record: { id: replaced.record.id } },
    { type: 'ban.created' },
    { type: 'record.created' },
  ])
  const lifted = await openAppeal({ userId: '262' })
  await desk.act(desk.ownerSession, { action: 'unban', userId: '262' })
  expect(await take()).toMatchObject([
    { type: 'appeal.updated', appeal: { id: lifted.id, state: 'expired', closedAt: at() } },
    { type: 'ban.ended', record: { id: lifted.record.id, status: 'revoked' } },
    { type: 'record.ended', record: { id: lifted.record.id } },
  ])
  const expiring = await openAppeal({ userId: '263', durationSeconds: 3600 })
  instance.clock.advance(3_600_000)
  const events = await take()
  expect(events).toMatchObject([
    {
      type: 'appeal.updated',
      appeal: { id: expiring.id, state: 'expired', closedAt: expiring.record.expiresAt },
    },
    { type: 'ban.ended', record: { id: expiring.record.id, status: 'expired' } },
    { type: 'record.ended', record: { id: expiring.record.id } },
  ])
  expect(events[0]).not.toHaveProperty('actor')
})

test('bans and mutes that expire are sent as of their end and with nobody as the actor', async () => {
  const ban = await desk.ban({ durationSeconds: 60 })
  const mute = (
    await instance.request('POST', '/api/moderation', {
      key: desk.key,
      body: {
        workspaceId: desk.workspaceId,
        action: 'mute',
        userId: '261',
        reason: 'Loud',
        durationSeconds: 90,
      },
    })
  ).body.record
  await take()
  instance.clock.advance(5 * 60_000)
  await deliveries.sendAllDue()
  const { evidence: _, evidenceFiles: __, comments: ___, ...banned } = ban
  const endOfBan = receiver.received.find(({ body }) => body.type === 'ban.ended')
  expect(endOfBan?.body).toEqual({
    type: 'ban.ended',
    timestamp: ban.expiresAt,
    data: {
      workspaceId: desk.workspaceId,
      sequence: mute.sequence,
      record: {
        ...banned,
        status: 'expired',
        message: null,
        evidenceCount: '0',
        evidenceFileCount: '0',
        commentCount: '0',
        waitsForApproval: 'false',
      },
    },
  })
  expect(
    receiver.received.map(({ body }) => [body.type, body.timestamp, body.data.record.id]).sort(),
  ).toEqual([
    ['ban.ended', ban.expiresAt, ban.id],
    ['record.ended', ban.expiresAt, ban.id],
    ['record.ended', mute.expiresAt, mute.id],
  ])
  await take()
  instance.clock.advance(5 * 60_000)
  expect(await take()).toEqual([])
})

test('a ban that waits for approval is sent as the temporary ban it is, and what becomes of it', async () => {
  const { workspaceId, ownerSession } = desk
  const decide = (id: string, fields: object) =>
    instance.request('POST', '/api/moderation/approvals', {
      session: ownerSession,
      body: { workspaceId, id, ...fields },
    })
  const undecided = await requestApproval(instance, workspaceId, '1')
  expect(await take()).toMatchObject([
    { type: 'ban.created', record: { id: undecided.record.id, status: 'active', expiresAt: at(DAY) } },
    { type: 'record.created', record: { id: undecided.record.id } },
  ])
  const approved = await requestApproval(instance, workspaceId, '2')
  const rejected = await requestApproval(instance, workspaceId, '3')
  await take()
  expect((await decide(approved.approval.id, { action: 'approve' })).status).toBe(200)
  expect((await decide(rejected.approval.id, { action: 'reject', reason: 'Not him' })).status).toBe(200)
  expect(await take()).toMatchObject([
    { type: 'record.updated', record: { id: approved.record.id, status: 'active', expiresAt: null } },
    { type: 'ban.ended', record: { id: rejected.record.id, status: 'revoked', revokeReason: 'Not him' } },
    { type: 'record.ended', record: { id: rejected.record.id } },
  ])
  // Nobody decides about the first one.
  instance.clock.advance(DAY)
  expect(await take()).toMatchObject([
    { type: 'ban.ended', record: { id: undecided.record.id, status: 'expired' } },
    { type: 'record.ended', record: { id: undecided.record.id } },
  ])
})
