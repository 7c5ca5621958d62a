import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { checkWebhooks } from '../../../apps/api/src/doctor/webhooks.ts'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { joinWorkspace } from '../../support/join-workspace.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let operatorId: string
let operator: string
beforeAll(async () => {
  instance = await openInstance()
  operatorId = await instance.account('Operator', true)
  operator = await instance.session(operatorId)
})
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const send = (method: string, path: string, session: string, fields: Record<string, string>) =>
  method === 'GET' || method === 'DELETE'
    ? instance.request(method, `${path}?${new URLSearchParams(fields)}`, { session })
    : instance.request(method, path, { session, body: fields })
const inWorkspace = (fields: Record<string, string> = {}, workspaceId = workspace.id) => ({
  workspaceId,
  ...fields,
})

const permissions: Permission[] = ['webhooks.manage', 'moderation.view', 'api_keys.manage', 'members.view']

const create = async (
  credentials: { session?: string; key?: string },
  name: string,
  workspaceId = workspace.id,
): Promise<string> => {
  const body = { workspaceId, name, url: 'https://example.com/hooks/secret', events: 'ban.created' }
  return String((await instance.request('POST', '/api/webhooks', { ...credentials, body })).body.webhook.id)
}

/** A member with a webhook of their own, and one that an API key of theirs created. */
async function createLead() {
  const member = await instance.member(workspace.id, permissions)
  const { session } = member
  const key = inWorkspace({ name: 'Setup', permissions: 'webhooks.manage,moderation.view' })
  const { secret } = (await send('POST', '/portal/api/api-keys', session, key)).body
  return {
    ...member,
    own: await create({ session }, 'Own'),
    byKey: await create({ key: secret }, 'By key'),
  }
}

const read = async (id: string, workspaceId = workspace.id, session = workspace.ownerSession) =>
  (await send('GET', '/api/webhooks', session, { workspaceId, id })).body.webhook
const changeAsOwner = (id: string, action: string) =>
  send('POST', '/api/webhooks', workspace.ownerSession, inWorkspace({ id, action }))
const remove = (accountId: string, pauseWebhookIds: string, session = workspace.ownerSession) =>
  send('DELETE', '/portal/api/members', session, inWorkspace({ accountId, pauseWebhookIds }))
const listOf = (accountId: string, session = workspace.ownerSession) =>
  send('GET', '/portal/api/members/webhooks', session, inWorkspace({ accountId }))
const listIds = ({ body }: TestResponse): string[] => body.webhooks.map(({ id }: { id: string }) => id)
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('removing a member', () => {
  test('pauses the chosen webhooks of theirs, which say why until somebody resumes them; others go on', async () => {
    const { accountId, own, byKey } = await createLead()
    const ofOwner = await create({ session: workspace.ownerSession }, 'Of the owner')
    expect(listIds(await listOf(accountId))).toEqual([byKey, own])
    expect((await remove(accountId, byKey)).status).toBe(200)
    expect(await read(byKey)).toMatchObject({
      state: 'paused',
      stateReason: 'creator_lost_access',
      creatorStatus: 'left',
    })
    for (const id of [own, ofOwner]) expect(await read(id)).toMatchObject({ state: 'active' })

    const { body } = await send('GET', '/portal/api/overview', workspace.ownerSession, inWorkspace())
    expect(body.webhooks).toMatchObject([
      { id: byKey, state: 'paused', stateReason: 'creator_lost_access' },
      { id: own, state: 'active', stateReason: null },
    ])
    // Nothing is left to do for the operator, unlike with the one that goes on.
    const found = JSON.stringify(await checkWebhooks(instance.db.read, instance.ports.now()))
    expect([found.includes(byKey), found.includes(own)]).toEqual([false, true])

    await changeAsOwner(byKey, 'resume')
    expect(await read(byKey)).toMatchObject({
      state: 'active',
      stateReason: null,
      createdBy: workspace.ownerId,
      creatorStatus: 'member',
    })
  })

  test('writes a pause by the person who removed the member to the audit log', async () => {
    const { accountId, own, byKey } = await createLead()
    const manager = await instance.member(workspace.id, ['members.manage', 'members.view'], 900)
    await remove(accountId, `${byKey},${own}`, manager.session)
    const { body } = await send(
      'GET',
      '/portal/api/audit',
      workspace.ownerSession,
      inWorkspace({ limit: '3' }),
    )
    const pause = (id: string) => ({
      action: 'webhooks.pause',
      actorId: manager.accountId,
      targetId: id,
    })
    expect(body.entries).toMatchObject([{ action: 'members.remove' }, pause(byKey), pause(own)])
  })

  test('lists webhooks to those who may remove them, also without the permission to manage webhooks, and to themselves', async () => {
    const { accountId, session, own, byKey } = await createLead()
    const other = await instance.member(workspace.id, ['webhooks.manage', 'members.view'], 60)
    expect(await expectRejected(() => listOf(accountId, other.session))).toMatchObject({
      permission: 'members.manage',
    })
    const manager = await instance.member(workspace.id, ['members.manage', 'members.view'], 900)
    const { body } = await listOf(accountId, manager.session)
    expect(body.webhooks[1]).toEqual({
      id: own,
      workspaceId: workspace.id,
      groupName: expect.any(String),
      name: 'Own',
      kind: 'standard',
      host: 'example.com',
      lastSuccessAt: null,
    })
    expect(listIds(await listOf(accountId, session))).toEqual([byKey, own])
    expect((await remove(accountId, own, session)).status).toBe(200)
    expect([(await read(own)).state, (await read(byKey)).state]).toEqual(['paused', 'active'])
  })

  test('rejects webhooks that somebody else created, that are of another workspace, or that are paused', async () => {
    const { accountId, own, byKey } = await createLead()
    const ofOwner = await create({ session: workspace.ownerSession }, 'Of the owner')
    await changeAsOwner(byKey, 'pause')
    expect(listIds(await listOf(accountId))).toEqual([own])
    const foreign = await instance.workspace()
    const elsewhere = await create({ session: foreign.ownerSession }, 'Elsewhere', foreign.id)
    for (const id of [ofOwner, elsewhere, byKey]) {
      const { status, details } = await expectRejected(() => remove(accountId, `${own},${id}`))
      expect([status, details[0].field]).toEqual([400, 'pauseWebhookIds'])
    }
  })
})

describe('somebody who stays with less access', () => {
  const paused = { state: 'paused', stateReason: 'creator_lost_access', creatorStatus: 'member' }

  test('other roles pause the chosen webhooks of the member; others go on', async () => {
    const [{ accountId, own, byKey }, other] = [await createLead(), await createLead()]
    const setRoles = (pauseWebhookIds: string) =>
      send('PATCH', '/portal/api/members', workspace.ownerSession, {
        ...inWorkspace({ accountId, roleIds: '', pauseWebhookIds }),
      })
    const { status, details } = await expectRejected(() => setRoles(`${own},${other.own}`))
    expect([status, details[0].field]).toEqual([400, 'pauseWebhookIds'])
    expect((await setRoles(byKey)).status).toBe(200)
    expect(await read(byKey)).toMatchObject(paused)
    expect(await read(own)).toMatchObject({ state: 'active' })
    await changeAsOwner(byKey, 'resume')
    expect(await read(byKey)).toMatchObject({ state: 'active', stateReason: null })
  })

  test('a transfer pauses the chosen webhooks of the former owner; others go on', async () => {
    const { ownerSession: session } = workspace
    const successor = await createLead()
    const [log, bot] = [await create({ session }, 'Log'), await create({ session }, 'Bot')]
    const transfer = (pauseWebhookIds: string) =>
      send('POST', '/portal/api/ownership', session, {
        ...inWorkspace({ accountId: successor.accountId, pauseWebhookIds }),
      })
    const { status, details } = await expectRejected(() => transfer(successor.own))
    expect([status, details[0].field]).toEqual([400, 'pauseWebhookIds'])
    expect((await transfer(log)).status).toBe(200)
    expect(await read(log, workspace.id, successor.session)).toMatchObject(paused)
    expect(await read(bot, workspace.id, successor.session)).toMatchObject({ state: 'active' })
  })
})

describe('in all workspaces', () => {
  /** An account with a webhook in two workspaces. */
  async function createInTwo() {
    const lead = await createLead()
    const second = await instance.workspace()
    const path = '/portal/api/members'
    const { body } = await send('GET', path, lead.session, inWorkspace({ accountId: lead.accountId }))
    const roleIds = await instance.role(second.id, permissions, 5)
    await joinWorkspace(instance, second, { username: body.member.username, roleIds })
    return { ...lead, second, elsewhere: await create({ session: lead.session }, 'Elsewhere', second.id) }
  }

  test('an operator pauses the chosen webhooks of an account when disabling it', async () => {
    const { accountId, own, byKey, elsewhere, second } = await createInTwo()
    const path = '/admin/api/accounts/webhooks'
    expect(listIds(await send('GET', path, operator, { id: accountId }))).toEqual([elsewhere, byKey, own])
    expect((await send('GET', path, workspace.ownerSession, { id: accountId })).status).toBe(403)
    const disabled = await send('PATCH', '/admin/api/accounts', operator, {
      ...{ id: accountId, disabled: 'true', pauseWebhookIds: `${own},${elsewhere}` },
    })
    expect(disabled.status).toBe(200)
    expect(await read(own)).toMatchObject({ state: 'paused', stateReason: 'creator_lost_access' })
    expect(await read(elsewhere, second.id, second.ownerSession)).toMatchObject({ state: 'paused' })
    expect(await read(byKey)).toMatchObject({ state: 'active', creatorStatus: 'disabled' })
    const { body } = await send('GET', '/portal/api/audit', second.ownerSession, {
      ...{ workspaceId: second.id, limit: '1' },
    })
    expect(body.entries).toMatchObject([{ action: 'webhooks.pause', actorId: operatorId }])
  })

  test('an operator pauses the chosen webhooks of an account when deleting it', async () => {
    const { accountId, own, byKey } = await createInTwo()
    const deleted = await send('DELETE', '/admin/api/accounts', operator, {
      ...{ id: accountId, pauseWebhookIds: byKey },
    })
    expect(deleted.status).toBe(200)
    expect(await read(byKey)).toMatchObject({ state: 'paused', creatorStatus: 'deleted' })
    expect(await read(own)).toMatchObject({ state: 'active', creatorStatus: 'deleted' })
  })

  test('people pause the chosen webhooks of theirs when deleting their account', async () => {
    const { session, own, byKey, elsewhere } = await createInTwo()
    expect(listIds(await send('GET', '/portal/api/account/webhooks', session, {}))).toEqual([
      elsewhere,
      byKey,
      own,
    ])
    const deleted = await send('POST', '/portal/api/account/delete', session, { pauseWebhookIds: own })
    expect(deleted.status).toBe(200)
    expect([(await read(own)).state, (await read(byKey)).state]).toEqual(['paused', 'active'])
    expect(instance.unexpectedErrors).toEqual([])
  })
})
