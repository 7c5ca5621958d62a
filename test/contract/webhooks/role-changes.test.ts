import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

interface Options {
  readonly session?: string
  readonly key?: string
  readonly headers?: Record<string, string>
}
const request = (method: string, path: string, fields: Record<string, string>, options: Options = {}) => {
  const all = { workspaceId: workspace.id, ...fields }
  const caller = options.key === undefined ? { session: workspace.ownerSession, ...options } : options
  return method === 'GET' || method === 'DELETE'
    ? instance.request(method, `${path}?${new URLSearchParams(all)}`, caller)
    : instance.request(method, path, { ...caller, body: all })
}

const createWebhook = async (name: string, options: Options): Promise<string> => {
  const fields = { name, url: 'https://example.com/hooks/secret', events: 'ban.created' }
  return (await request('POST', '/api/webhooks', fields, options)).body.webhook.id
}
const leadPermissions: Permission[] = ['webhooks.manage', 'moderation.view', 'api_keys.manage']

/** A member of rank 50 with a webhook of their own, and one that an API key of theirs created. */
async function createLead() {
  const member = await instance.member(workspace.id, leadPermissions, 50)
  const { session } = member
  const key = { name: 'Setup', permissions: 'webhooks.manage,moderation.view' }
  const { secret } = (await request('POST', '/portal/api/api-keys', key, { session })).body
  return {
    ...member,
    own: await createWebhook('Own', { session }),
    byKey: await createWebhook('By key', { key: secret }),
  }
}

const readWebhook = async (id: string) => (await request('GET', '/api/webhooks', { id })).body.webhook
const listOf = (roleIds: string, options?: Options) =>
  request('GET', '/portal/api/roles/webhooks', { roleIds }, options)
const listIds = async (roleIds: string, options?: Options): Promise<string[]> =>
  (await listOf(roleIds, options)).body.webhooks.map(({ id }: { id: string }) => id)
const assignRoles = (accountId: string, ...roleIds: string[]) =>
  request('PATCH', '/portal/api/members', { accountId, roleIds: roleIds.join(',') })
const expectRejected = (...change: Parameters<typeof request>) =>
  expectRejectedUnchanged(instance, () => request(...change))

/** Each way to take a permission from the members of a role, and its entry in the audit log. */
const reductions = [
  ['roles.update', 'PATCH', { permissions: 'moderation.view' }],
  ['roles.delete', 'DELETE', {}],
] as const

describe.each(reductions)('%s', (action, method, fields) => {
  test('pauses the chosen webhooks of the members, and records it; others go on', async () => {
    const [lead, other] = [await createLead(), await createLead()]
    const changed = await request(method, '/portal/api/roles', {
      ...{ id: lead.roleId, ...fields, pauseWebhookIds: lead.byKey },
    })
    expect(changed.status).toBe(200)
    expect(await readWebhook(lead.byKey)).toMatchObject({
      ...{ state: 'paused', stateReason: 'creator_lost_access', creatorStatus: 'member' },
    })
    for (const id of [lead.own, other.own, other.byKey])
      expect(await readWebhook(id)).toMatchObject({ state: 'active' })
    const { entries } = (await request('GET', '/portal/api/audit', { limit: '3' })).body
    expect(entries).toContainEqual(expect.objectContaining({ action, targetId: lead.roleId }))
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...{ action: 'webhooks.pause', actorId: workspace.ownerId, targetId: lead.byKey },
      }),
    )
  })

  test('rejects webhooks that others created, that are of another workspace, or that are paused', async () => {
    const lead = await createLead()
    const other = await createLead()
    const [first, foreign] = [workspace, await instance.workspace()]
    workspace = foreign
    const elsewhere = (await createLead()).own
    workspace = first
    await request('PATCH', '/api/webhooks', { id: lead.byKey, action: 'pause' })
    for (const id of [other.own, elsewhere, lead.byKey]) {
      const { status, details } = await expectRejected(method, '/portal/api/roles', {
        ...{ id: lead.roleId, ...fields, pauseWebhookIds: `${lead.own},${id}` },
      })
      expect([status, details[0].field]).toEqual([400, 'pauseWebhookIds'])
    }
  })

  test('pauses nothing if someone else has changed the role in the meantime', async () => {
    const lead = await createLead()
    const choice = { id: lead.roleId, ...fields, pauseWebhookIds: lead.own }
    const stale = { headers: { 'If-Match': '"2"' } }
    expect((await expectRejected(method, '/portal/api/roles', choice, stale)).status).toBe(412)
  })

  test('does not pause webhooks of a member who ranks above the person who changes the role', async () => {
    const lead = await createLead()
    const low = await instance.role(workspace.id, leadPermissions, 5)
    await assignRoles(lead.accountId, lead.roleId, low)
    const manager = await instance.member(workspace.id, ['roles.manage', 'roles.view', 'moderation.view'], 10)
    expect(await listIds(low, manager)).toEqual([])
    const choice = { id: low, ...fields, pauseWebhookIds: lead.own }
    const { status, details } = await expectRejected(method, '/portal/api/roles', choice, {
      session: manager.session,
    })
    expect([status, details[0].field]).toEqual([400, 'pauseWebhookIds'])
  })
})

describe('the webhooks of the members of roles', () => {
  test('are listed with their creators and all roles of these, newest first, without their URLs', async () => {
    const lead = await createLead()
    const second = await instance.role(workspace.id, [], 5)
    await assignRoles(lead.accountId, lead.roleId, second)
    await createLead()
    const { webhooks } = (await listOf(second)).body
    expect(webhooks).toMatchObject([{ id: lead.byKey }, { id: lead.own }])
    expect(webhooks[1]).toEqual({
      ...{ id: lead.own, workspaceId: workspace.id, groupName: expect.any(String), name: 'Own' },
      ...{ kind: 'standard', host: 'example.com', lastSuccessAt: null, creator: expect.any(String) },
      creatorRoleIds: [lead.roleId, second].toSorted(),
    })
  })

  test('of several roles are each listed once', async () => {
    const [lead, other] = [await createLead(), await createLead()]
    await assignRoles(lead.accountId, lead.roleId, other.roleId)
    expect(await listIds(`${lead.roleId},${other.roleId}`)).toEqual([
      ...[other.byKey, other.own, lead.byKey, lead.own],
    ])
  })

  test('are listed only to those who manage roles, also their own', async () => {
    const lead = await createLead()
    const viewer = await instance.member(workspace.id, ['roles.view', 'webhooks.manage'], 60)
    expect(
      (await expectRejected('GET', '/portal/api/roles/webhooks', { roleIds: lead.roleId }, viewer))
        .permission,
    ).toBe('roles.manage')
    await assignRoles(lead.accountId, lead.roleId, await instance.role(workspace.id, ['roles.manage'], 50))
    expect(await listIds(lead.roleId, lead)).toEqual([lead.byKey, lead.own])
  })
})

test('a change of a role that names no webhook pauses none', async () => {
  const lead = await createLead()
  await request('POST', '/api/_workspace-permissions', { roleId: lead.roleId, permissions: '' })
  await request('DELETE', '/portal/api/roles', { id: lead.roleId })
  for (const id of [lead.own, lead.byKey]) expect(await readWebhook(id)).toMatchObject({ state: 'active' })
  expect(instance.unexpectedErrors).toEqual([])
})
