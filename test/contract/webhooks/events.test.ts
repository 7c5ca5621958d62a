import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { webhookEventTypes } from '@reeve/core'
import { applyRetention } from '@reeve/moderation'
import { createWebhookCaller, openDeliveries, takeEvents } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { joinWorkspace } from '../../support/join-workspace.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

let instance: Instance
let deliveries: ReturnType<typeof openDeliveries>
let receiver: Receiver
let workspace: Awaited<ReturnType<Instance['workspace']>> & ReturnType<typeof createWebhookCaller>

beforeAll(async () => {
  instance = await openInstance()
  deliveries = openDeliveries(instance)
})
beforeEach(async () => {
  receiver = startReceiver()
  const opened = await instance.workspace()
  workspace = { ...opened, ...createWebhookCaller(instance, opened) }
  await workspace.create(receiver.url, webhookEventTypes.join())
})
afterAll(() => instance.close())
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

const takeTypes = async () => (await takeEvents(deliveries, receiver)).map(({ type }) => type)

const asOwner = async (method: string, path: string, body: object) => {
  const response = await instance.request(method, path, {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, ...body },
  })
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.text}`)
  return response.body
}

describe('events of moderation', () => {
  test('are sent for new, changed and ended records, and for bans', async () => {
    const note = await workspace.moderate({ action: 'note', userId: '1', reason: 'Hello' })
    await workspace.moderate({ action: 'ban', userId: '1', reason: 'Exploiting' })
    await workspace.moderate({ action: 'edit', id: note.id, reason: 'Hello again' })
    await workspace.moderate({ action: 'revoke', id: note.id, reason: 'No' })
    await workspace.moderate({ action: 'unban', userId: '1' })
    expect(await takeTypes()).toEqual([
      'record.created',
      'ban.created',
      'record.created',
      'record.updated',
      'record.ended',
      'ban.ended',
      'record.ended',
    ])
  })

  test('say that a ban was replaced', async () => {
    const first = await workspace.moderate({ action: 'ban', userId: '1', reason: 'Exploiting' })
    await workspace.moderate({ action: 'ban', userId: '1', reason: 'Again' })
    const events = await takeEvents(deliveries, receiver)
    expect(events.map(({ type, record }) => [type, record.id === first.id, record.status])).toEqual([
      ['ban.created', true, 'superseded'],
      ['record.created', true, 'superseded'],
      ['ban.ended', true, 'superseded'],
      ['record.ended', true, 'superseded'],
      ['ban.created', false, 'active'],
      ['record.created', false, 'active'],
    ])
  })

  test('say once that a ban has expired, also if the next ban is first to notice', async () => {
    const ban = (userId: string) =>
      workspace.moderate({ action: 'ban', userId, reason: 'Exploiting', durationSeconds: '60' })
    await ban('1')
    await ban('2')
    await takeEvents(deliveries, receiver)
    instance.clock.advance(61_000)
    await ban('2')
    const ended = (await takeEvents(deliveries, receiver)).filter(({ type }) => type === 'ban.ended')
    expect(ended.map(({ record }) => [record.userId, record.status]).sort()).toEqual([
      ['1', 'expired'],
      ['2', 'expired'],
    ])
    instance.clock.advance(30_000)
    await ban('1')
    expect((await takeTypes()).filter((type) => type.endsWith('.ended'))).toEqual([])
  })

  test.each([
    { what: 'before its expiry was reported', isReported: false },
    { what: 'after its expiry was reported', isReported: true },
  ])('say once that a ban has ended that is revoked after it expired: $what', async ({ isReported }) => {
    const ban = { action: 'ban', userId: '1', reason: 'Exploiting', durationSeconds: '60' }
    const { id } = await workspace.moderate(ban)
    await takeEvents(deliveries, receiver)
    instance.clock.advance(61_000)
    const expiry = isReported ? await takeTypes() : []
    await workspace.moderate({ action: 'revoke', id, reason: 'Wrong player' })
    const revocation = await takeTypes()
    instance.clock.advance(120_000)
    const types = [...expiry, ...revocation, ...(await takeTypes())]
    expect(types.filter((type) => type === 'ban.ended')).toHaveLength(1)
  })

  test('say that bans end although their record was redacted meanwhile', async () => {
    const { id } = await workspace.moderate({ action: 'ban', userId: '1', reason: 'Exploiting' })
    await workspace.moderate({ action: 'unban', userId: '1' })
    await workspace.moderate({ action: 'redact', id, reason: 'Request' })
    expect(await takeTypes()).toEqual([
      'ban.created',
      'record.created',
      'ban.ended',
      'record.ended',
      'record.updated',
    ])
  })

  test('are not sent for who works on a case', async () => {
    const { id } = await workspace.moderate({ action: 'note', userId: '1', reason: 'Hello' })
    await takeEvents(deliveries, receiver)
    const colleague = await instance.member(workspace.id, ['moderation.view'])
    for (const accountId of [workspace.ownerId, colleague.accountId])
      await asOwner('POST', '/portal/api/assignments', { recordId: id, accountId })
    await instance.request('DELETE', `/portal/api/assignments?workspaceId=${workspace.id}&recordId=${id}`, {
      session: workspace.ownerSession,
    })
    expect(await takeTypes()).toEqual([])
  })

  test.each([
    { what: 'in the same millisecond', firstCount: 250, laterCount: 0 },
    { what: 'in part a second later', firstCount: 150, laterCount: 150 },
  ])(
    'say once of each ban that it has expired, if more expire than one transaction reports: $what',
    async ({ firstCount, laterCount }) => {
      const expire = async (from: number, count: number) => {
        for (let player = from; player < from + count; player++)
          await workspace.moderate({
            action: 'ban',
            userId: `${player}`,
            reason: 'Raid',
            durationSeconds: '60',
          })
      }
      await expire(1000, firstCount)
      instance.clock.advance(1000)
      await expire(2000, laterCount)
      await deliveries.sendAllDue()
      receiver.received.length = 0
      instance.clock.advance(60_000)
      await deliveries.sendAllDue()
      const ended = receiver.received.filter(({ body }) => body.type === 'ban.ended')
      const players = ended.map(({ body }) => body.data.record.userId)
      expect([players.length, new Set(players).size]).toEqual([
        firstCount + laterCount,
        firstCount + laterCount,
      ])
    },
  )

  test('contain no text of a record that was redacted before they were sent', async () => {
    receiver.respondWith(() => new Response('later', { status: 500 }))
    const record = await workspace.moderate({ action: 'warn', userId: '1', reason: 'the secret text' })
    await deliveries.sendAllDue()
    expect(receiver.received[0]?.text).toContain('the secret text')
    await workspace.moderate({ action: 'redact', id: record.id, reason: 'Request' })
    const rows = await instance.storage.query('select * from delivery')
    expect(JSON.stringify(rows)).not.toContain('the secret text')
    receiver.respondWith(() => new Response('ok'))
    instance.clock.advance(10_000)
    receiver.received.length = 0
    await deliveries.sendAllDue()
    expect(receiver.types().sort()).toEqual(['record.created', 'record.updated'])
    expect(JSON.stringify(receiver.received)).not.toContain('the secret text')
  })
})

test('records that retention rules delete are counted in one event, and their texts are never sent again', async () => {
  receiver.respondWith(() => new Response('later', { status: 500 }))
  const { id } = await workspace.moderate({ action: 'note', userId: '1', reason: 'the old text' })
  await workspace.moderate({ action: 'warn', userId: '1', reason: 'kept' })
  await deliveries.sendAllDue()
  await workspace.call('POST', 'moderation/retention', { noteDays: 1 })
  instance.clock.advance(3 * 86_400_000)
  await applyRetention(instance.db, instance.ports, AbortSignal.timeout(60_000))
  receiver.respondWith(() => new Response('ok'))
  receiver.received.length = 0
  const events = await takeEvents(deliveries, receiver)
  const deleted = events.filter(({ type }) => type === 'records.deleted')
  expect(deleted.map((event) => event.deleted)).toMatchObject([{ records: '1', notes: '1' }])
  expect(JSON.stringify(deleted)).not.toContain(id)
  expect(JSON.stringify(events)).not.toContain('the old text')
})

test('events are sent when they are published, changed and deleted, and never as drafts', async () => {
  const { event } = await workspace.call('POST', 'events', {
    title: 'Training',
    scheduledFor: '2031-03-01T18:00:00Z',
  })
  await workspace.call('PATCH', 'events', { id: event.id, title: 'Draft' })
  await workspace.call('PATCH', 'events', { id: event.id, published: 'true' })
  await workspace.call('PATCH', 'events', { id: event.id, title: 'Cadet training' })
  await workspace.call('DELETE', 'events', { id: event.id })
  const draft = await workspace.call('POST', 'events', {
    title: 'Secret',
    scheduledFor: '2031-03-01T18:00:00Z',
  })
  await workspace.call('DELETE', 'events', { id: draft.event.id })
  const events = await takeEvents(deliveries, receiver)
  expect(events.map(({ type }) => type)).toEqual(['event.published', 'event.updated', 'event.deleted'])
  expect(events.at(-1)?.event).toMatchObject({ id: event.id, title: 'Cadet training' })
})

test('departments, members, roles, keys, controls and the workspace send theirs', async () => {
  const { department } = await workspace.call('POST', 'departments', { name: 'Builders' })
  await workspace.call('PATCH', 'departments', { id: department.id, color: '#123456' })
  await workspace.call('DELETE', 'departments', { id: department.id })
  await workspace.call('PATCH', 'departments', { id: department.id, action: 'restore' })
  expect(await takeTypes()).toEqual([
    'department.created',
    'department.updated',
    'department.deleted',
    'department.restored',
  ])
  const joinedId = await instance.account('Wren')
  await joinWorkspace(instance, workspace, { username: 'Wren' })
  expect(await takeEvents(deliveries, receiver)).toMatchObject([
    { type: 'member.joined', member: { accountId: joinedId, username: 'Wren', roles: [] } },
  ])
  const { accountId, roleId } = await instance.member(workspace.id, ['moderation.view'])
  await workspace.call('POST', '_workspace-permissions', { roleId, permissions: 'events.view' })
  await asOwner('PATCH', '/portal/api/members', { accountId, roleIds: '' })
  expect(await takeEvents(deliveries, receiver)).toMatchObject([
    { type: 'role.updated', role: { id: roleId, permissions: '["events.view"]' } },
    { type: 'member.updated', member: { accountId, roles: [] } },
  ])
  await instance.request('DELETE', `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`, {
    session: workspace.ownerSession,
  })
  expect(await takeEvents(deliveries, receiver)).toMatchObject([
    { type: 'member.removed', member: { accountId } },
  ])
  const { apiKey } = await asOwner('POST', '/portal/api/api-keys', {
    name: 'Game',
    permissions: 'events.view',
  })
  await asOwner('POST', '/portal/api/api-keys/rotate', { id: apiKey.id })
  await asOwner('POST', '/portal/api/endpoint-controls', { endpoint: 'events', mode: 'read_only' })
  const events = await takeEvents(deliveries, receiver)
  expect(events.map(({ type }) => type)).toEqual([
    'api_key.created',
    'api_key.created',
    'api_key.revoked',
    'endpoint_control.updated',
  ])
  expect(events[2]?.apiKey).toMatchObject({ id: apiKey.id, status: 'revoked' })
  expect(events[3]?.control).toMatchObject({ endpoint: 'events', mode: 'read_only' })
  await asOwner('POST', '/portal/api/endpoint-controls', { endpoint: 'events', mode: 'on' })
  await takeEvents(deliveries, receiver)
  for (const action of ['archive', 'restore'])
    await instance.request('POST', '/api/workspaces', {
      session: workspace.ownerSession,
      body: { action, id: workspace.id },
    })
  const changes = await takeEvents(deliveries, receiver)
  expect(changes.map(({ type }) => type)).toEqual(['workspace.archived', 'workspace.restored'])
})

test('a transfer sends the new roles of both owners, and a deleted role an event of its own', async () => {
  const { role } = await asOwner('POST', '/portal/api/roles', { name: 'Cadet', rank: '5' })
  const { accountId } = await instance.member(workspace.id, ['moderation.view'])
  await asOwner('PATCH', '/portal/api/members', { accountId, roleIds: role.id })
  await instance.request('DELETE', `/portal/api/roles?workspaceId=${workspace.id}&id=${role.id}`, {
    session: workspace.ownerSession,
  })
  const events = await takeEvents(deliveries, receiver)
  expect(events.map(({ type }) => type)).toEqual(['role.created', 'member.updated', 'role.deleted'])
  expect(events[2].role).toMatchObject({ id: role.id, name: 'Cadet' })
  expect(JSON.stringify(events[2].role)).not.toContain(accountId)
  await asOwner('POST', '/portal/api/ownership', { accountId })
  const transferred = await takeEvents(deliveries, receiver)
  const owners = transferred.map(({ type, member }) => [type, member.accountId, member.isOwner])
  expect(owners).toContainEqual(['member.updated', accountId, 'true'])
  expect(owners).toContainEqual(['member.updated', workspace.ownerId, 'false'])
  expect(owners).toHaveLength(2)
})
