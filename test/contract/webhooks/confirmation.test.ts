import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { VERIFICATION_LIFETIME_MS } from '@reeve/auth'
import { HOUR_MS, type Permission } from '@reeve/core'
import { statement } from '@reeve/db'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

let instance: Instance
let deliveries: ReturnType<typeof openDeliveries>
let receiver: Receiver

beforeAll(async () => {
  instance = await openInstance()
  deliveries = openDeliveries(instance)
})
afterAll(() => instance.close())
beforeEach(() => {
  receiver = startReceiver()
})
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

const MANAGER: readonly Permission[] = ['webhooks.manage', 'moderation.view']

const makeOperator = statement<{ id: string }>()((sql, p) =>
  sql.updateTable('account').set({ is_operator: 1 }).where('id', '=', p.id),
)

/** A workspace with a webhook, which a roll-back has paused unless `isRolledBack` is false. */
async function openPaused({ isRolledBack = true } = {}) {
  const workspace = await instance.workspace()
  const caller = createWebhookCaller(instance, workspace)
  const { webhook } = await caller.create(receiver.url, 'ban.created,ban.ended,workspace.restored')
  const change = async (input: object) => {
    const body = { id: workspace.id, ...input }
    return (await instance.request('POST', '/api/workspaces', { session: workspace.ownerSession, body })).body
  }
  if (isRolledBack) {
    const { archive } = await change({ action: 'archive' })
    await change({ action: 'restore' })
    receiver.respondWith(() => new Response('later', { status: 500 }))
    await caller.moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
    await deliveries.sendAllDue()
    await change({ action: 'archive' })
    await change({ action: 'restore', fromArchive: archive.id })
    instance.clock.advance(HOUR_MS)
    receiver.respondWith(() => new Response('ok'))
    await deliveries.sendAllDue()
    expect(await caller.read(webhook.id)).toMatchObject({ state: 'paused', stateReason: 'rolled_back' })
  } else await caller.call('PATCH', 'webhooks', { id: webhook.id, action: 'pause' })
  receiver.received.length = 0
  return {
    ...caller,
    workspace,
    webhook,
    resume: (credentials: { session?: string; key?: string }) =>
      instance.request('PATCH', '/api/webhooks', {
        ...credentials,
        body: { workspaceId: workspace.id, id: webhook.id, action: 'resume' },
      }),
  }
}

/** A session of the account whose verification has ended. @param session another session of it */
async function openUnverifiedSession(session: string): Promise<string> {
  const { body } = await instance.request('GET', '/portal/api/me', { session })
  const response = await instance.request('POST', '/portal/api/sign-in', {
    body: { username: body.account.username, password: PASSWORD },
  })
  instance.clock.advance(VERIFICATION_LIFETIME_MS)
  return readSessionToken(response)
}

describe('a webhook that a roll-back has paused', () => {
  test('sends nothing from before once the owner has confirmed it, and what happens then', async () => {
    const { resume, workspace, moderate } = await openPaused()
    expect((await resume({ session: workspace.ownerSession })).body.webhook).toMatchObject({
      state: 'active',
      stateReason: null,
    })
    await deliveries.sendAllDue()
    expect(receiver.received).toEqual([])
    await moderate({ action: 'ban', userId: '262', reason: 'Exploiting' })
    await deliveries.sendAllDue()
    expect(receiver.types()).toEqual(['ban.created'])
  })

  test('is confirmed by no API key and no other member, also after a pause by hand, and the error says by whom', async () => {
    const { resume, workspace, read, webhook, call } = await openPaused()
    const { session } = await instance.member(workspace.id, MANAGER, 900_000)
    await call('PATCH', 'webhooks', { id: webhook.id, action: 'pause' })
    const byKey = await resume({ key: workspace.key })
    expect([byKey.status, byKey.body.reason]).toEqual([403, 'session_required'])
    const byMember = await resume({ session })
    expect([byMember.status, byMember.body.reason]).toEqual([403, 'insufficient_rank'])
    for (const { body } of [byKey, byMember]) {
      expect(body.error).toContain('the owner of the workspace or an operator')
      expect(body.error).toContain('Configuration → Webhooks')
    }
    expect(await read(webhook.id)).toMatchObject({ state: 'paused', stateReason: 'rolled_back' })
  })

  test('is confirmed by an operator who manages webhooks', async () => {
    const { resume, workspace } = await openPaused()
    const { session, accountId } = await instance.member(workspace.id, MANAGER)
    await instance.db.write((tx) => tx.run(makeOperator, { id: accountId }))
    expect((await resume({ session })).status).toBe(200)
  })

  test('is confirmed only by a session that has verified a factor recently', async () => {
    const { resume, workspace } = await openPaused()
    const session = await openUnverifiedSession(workspace.ownerSession)
    const { status, body } = await resume({ session })
    expect([status, body.reason]).toEqual([403, 'verification_required'])
  })
})

test('a webhook that somebody has paused is resumed with the permission, by API keys too, and without a verification', async () => {
  const byKey = await openPaused({ isRolledBack: false })
  expect((await byKey.resume({ key: byKey.workspace.key })).status).toBe(200)
  const { resume, workspace } = await openPaused({ isRolledBack: false })
  const member = await instance.member(workspace.id, MANAGER)
  const session = await openUnverifiedSession(member.session)
  expect((await resume({ session })).status).toBe(200)
})
