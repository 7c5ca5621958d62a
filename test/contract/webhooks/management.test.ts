import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR_MS, type Permission } from '@reeve/core'
import { Webhook } from 'standardwebhooks'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { isSignedWith, type ReceivedRequest, startReceiver } from '../../support/webhook-receiver.ts'

let instance: Instance
let deliveries: ReturnType<typeof openDeliveries>

beforeAll(async () => {
  instance = await openInstance()
  deliveries = openDeliveries(instance)
})
afterAll(() => instance.close())
afterEach(() => expect(instance.unexpectedErrors).toEqual([]))

const create = (credentials: { key?: string; session?: string }, workspaceId: string, input: object) =>
  instance.request('POST', '/api/webhooks', { ...credentials, body: { workspaceId, name: 'Bot', ...input } })

describe('creating a webhook', () => {
  test('requires the permission to view each event that it receives', async () => {
    const { id } = await instance.workspace()
    const withPermissions = async (...permissions: Permission[]) => ({
      key: await instance.key(id, permissions),
    })
    const input = { url: 'https://example.com/', events: 'ban.created,member.joined' }
    const cases = [
      [await withPermissions('moderation.view', 'members.view'), 'webhooks.manage'],
      [await withPermissions('webhooks.manage', 'members.view'), 'moderation.view'],
      [await withPermissions('webhooks.manage', 'moderation.view'), 'members.view'],
    ] as const
    for (const [credentials, permission] of cases) {
      const { status, body } = await create(credentials, id, input)
      expect([status, body.permission]).toEqual([403, permission])
    }
    const { status } = await create(
      await withPermissions('webhooks.manage', 'moderation.view', 'members.view'),
      id,
      input,
    )
    expect(status).toBe(200)
  })

  test('rejects addresses that are not public, other Discord URLs, and unknown events, naming the field', async () => {
    const { id, key } = await instance.workspace()
    const events = 'ban.created'
    const cases = [
      [{ url: 'https://192.168.1.7/hook', events }, 'url'],
      [{ url: 'ftp://example.com/', events }, 'url'],
      [{ url: 'https://user:secret@example.com/', events }, 'url'],
      [{ url: 'https://discord.com/channels/1/2', events }, 'url'],
      [{ url: 'https://example.com/', events: 'ban.make' }, 'events'],
      [{ url: 'https://example.com/', events: '' }, 'events'],
    ] as const
    for (const [input, field] of cases) {
      const { status, body } = await create({ key }, id, input)
      expect([JSON.stringify(input), status, body.details?.[0]?.field]).toEqual([
        JSON.stringify(input),
        400,
        field,
      ])
    }
  })

  test('ends at 20 in a workspace', async () => {
    const workspace = await instance.workspace()
    const caller = createWebhookCaller(instance, workspace)
    for (let count = 0; count < 20; count++) await caller.create('https://example.com/', 'ban.created')
    const { status } = await create({ key: workspace.key }, workspace.id, {
      url: 'https://example.com/',
      events: 'ban.created',
    })
    expect(status).toBe(409)
  })
})

describe('the secret', () => {
  test('is stored encrypted, shown once, and in no list and no audit entry', async () => {
    const workspace = await instance.workspace()
    const { call, create } = createWebhookCaller(instance, workspace)
    const { webhook, secret } = await create('https://example.com/path-with-a-token', 'ban.created')
    const shown = [
      await call('GET', 'webhooks', {}),
      await call('GET', 'webhooks', { id: webhook.id }),
      await call('PATCH', 'webhooks', { id: webhook.id, name: 'Other' }),
      await instance.storage.query('select * from webhook'),
    ]
    expect(JSON.stringify(shown)).not.toContain(secret.slice(6))
    const log = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    expect(log.text).toContain('webhooks.create')
    expect(log.text).not.toContain('path-with-a-token')
    expect(log.text).not.toContain(secret.slice(6))
  })

  test('that was rotated is not cut off by another rotation before its time, unless both are to end', async () => {
    const receiver = startReceiver()
    const workspace = await instance.workspace()
    const { call, create, read } = createWebhookCaller(instance, workspace)
    const { webhook, secret: first } = await create(receiver.url, 'ban.created')
    const rotate = (input: { graceSeconds?: string } = {}) =>
      call('PATCH', 'webhooks', { id: webhook.id, action: 'rotate', ...input })
    const { secret: second, webhook: rotated } = await rotate({ graceSeconds: '604800' })
    for (const input of [{}, { graceSeconds: '1' }])
      await expect(rotate(input)).rejects.toThrow(`signs until ${rotated.previousSecretUntil}`)
    expect(await read(webhook.id)).toEqual(rotated)
    const listValid = async (...secrets: string[]) => {
      await call('POST', 'webhooks/test', { id: webhook.id })
      await deliveries.sendAllDue()
      const request = receiver.received.at(-1) as ReceivedRequest
      return secrets.filter((secret) => isSignedWith(secret, request))
    }
    expect(await listValid(first, second)).toEqual([first, second])
    const { secret: third } = await rotate({ graceSeconds: '0' })
    expect(await listValid(first, second, third)).toEqual([third])
    await rotate({ graceSeconds: '1' })
    instance.clock.advance(1000)
    expect((await rotate()).webhook).toMatchObject({ version: '5', previousSecretUntil: expect.any(String) })
    receiver.stop()
  })

  test('that was rotated signs as well for a day, and then no longer', async () => {
    const receiver = startReceiver()
    const workspace = await instance.workspace()
    const { call, create } = createWebhookCaller(instance, workspace)
    const { webhook, secret: previous } = await create(receiver.url, 'ban.created')
    const { secret } = await call('PATCH', 'webhooks', { id: webhook.id, action: 'rotate' })
    expect(secret).not.toBe(previous)
    const sendTest = async () => {
      await call('POST', 'webhooks/test', { id: webhook.id })
      await deliveries.sendAllDue()
      const request = receiver.received.at(-1)
      return [secret, previous].map((one) => {
        try {
          new Webhook(one).verify(request?.text ?? '', request?.headers ?? {})
          return true
        } catch {
          return false
        }
      })
    }
    expect(await sendTest()).toEqual([true, true])
    instance.clock.advance(25 * HOUR_MS)
    const signatures = receiver.received[0]?.headers['webhook-signature']?.split(' ') ?? []
    expect(signatures).toHaveLength(2)
    await call('POST', 'webhooks/test', { id: webhook.id })
    await deliveries.sendAllDue()
    expect(receiver.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    receiver.stop()
  })
})

test('the body of a delivery is shown only with the permission to view its event', async () => {
  const receiver = startReceiver()
  const workspace = await instance.workspace()
  const { create, moderate, deliveries: list } = createWebhookCaller(instance, workspace)
  const { webhook } = await create(receiver.url, 'ban.created')
  await moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
  await deliveries.sendAllDue()
  const [{ id }] = await list(webhook.id)
  const readBody = async (...permissions: Permission[]) => {
    const key = await instance.key(workspace.id, permissions)
    const path = `/api/webhooks/deliveries?workspaceId=${workspace.id}&id=${id}`
    return (await instance.request('GET', path, { key })).body.delivery.body
  }
  expect(await readBody('webhooks.manage')).toBeNull()
  expect(JSON.parse(await readBody('webhooks.manage', 'moderation.view')).data.record.reason).toBe(
    'Exploiting',
  )
  receiver.stop()
})

test('a copy of a workspace has no webhooks, and an archive no secrets', async () => {
  const workspace = await instance.workspace()
  const { create } = createWebhookCaller(instance, workspace)
  const { secret } = await create('https://example.com/hook-of-archive', 'ban.created')
  const session = { session: workspace.ownerSession }
  const { body } = await instance.request('POST', '/api/workspaces', {
    ...session,
    body: { action: 'archive', id: workspace.id },
  })
  const copied = await instance.request('POST', '/api/workspaces', {
    ...session,
    body: { fromArchive: body.archive.id, groupName: 'Copy' },
  })
  const { body: list } = await instance.request(
    'GET',
    `/api/webhooks?workspaceId=${copied.body.workspace?.id ?? copied.body.job.newWorkspaceId}`,
    session,
  )
  expect(list.webhooks).toEqual([])
  const download = await instance.request(
    'GET',
    `/portal/api/archive?workspaceId=${workspace.id}&id=${body.archive.id}`,
    session,
  )
  expect(download.text).not.toContain('hook-of-archive')
  expect(download.text).not.toContain(secret.slice(6))
})

test('finished deliveries are deleted after 30 days, and those of a deleted webhook at once', async () => {
  const { deleteOldDeliveries } = await import('@reeve/webhooks')
  const receiver = startReceiver()
  const workspace = await instance.workspace()
  const { create, moderate, call } = createWebhookCaller(instance, workspace)
  const [kept, deleted] = [
    (await create(receiver.url, 'ban.created')).webhook.id,
    (await create(receiver.url, 'ban.created')).webhook.id,
  ]
  await moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
  await deliveries.sendAllDue()
  const count = async (id: string) => {
    const { body } = await instance.request(
      'GET',
      `/api/webhooks/deliveries?workspaceId=${workspace.id}&webhookId=${id}`,
      { key: workspace.key },
    )
    return body.deliveries?.length ?? null
  }
  await call('DELETE', 'webhooks', { id: deleted })
  await deleteOldDeliveries(instance.db, instance.ports)
  expect([await count(kept), await count(deleted)]).toEqual([1, null])
  const stored = await instance.storage.query<{ target_id: string }>('select target_id from delivery')
  expect(stored.filter(({ target_id }) => [kept, deleted].includes(target_id))).toEqual([{ target_id: kept }])
  instance.clock.advance(30 * 24 * HOUR_MS + 1000)
  await deleteOldDeliveries(instance.db, instance.ports)
  expect(await count(kept)).toBe(0)
  expect(await instance.storage.query('select id from webhook where deleted_at is not null')).toEqual([])
  receiver.stop()
})
