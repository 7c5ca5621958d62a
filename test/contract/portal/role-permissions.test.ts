import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
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

interface Change {
  readonly id: string
  readonly permissions: string | readonly string[]
  readonly version?: string | number
}
type Fields = Readonly<Record<string, string>>
const request = (method: string, resource: string, fields: Fields, session = workspace.ownerSession) =>
  instance.request(method, resource, { session, body: { workspaceId: workspace.id, ...fields } })
const change = (changes: readonly Change[], fields: Fields = {}, session?: string) => {
  const roles = JSON.stringify(changes.map((one) => ({ version: '1', ...one })))
  return request('POST', '/portal/api/roles/permissions', { roles, ...fields }, session)
}
const assignRoles = async (accountId: string, ...roleIds: string[]) =>
  expect(
    (await request('PATCH', '/portal/api/members', { accountId, roleIds: roleIds.join(',') })).status,
  ).toBe(200)
const expectRejected = (...request: Parameters<typeof change>) =>
  expectRejectedUnchanged(instance, () => change(...request))
const read = async (resource: string, query: Fields = {}) => {
  const search = new URLSearchParams({ workspaceId: workspace.id, ...query })
  return (await instance.request('GET', `${resource}?${search}`, { session: workspace.ownerSession })).body
}
const readName = async (id: string): Promise<string> => (await read('/portal/api/roles', { id })).role.name

const leadPermissions: Permission[] = [
  'webhooks.manage',
  'moderation.view',
  'moderation.ban',
  'api_keys.manage',
]

/** A member of rank 50 with two API keys and two webhooks. */
async function createLead() {
  const member = await instance.member(workspace.id, leadPermissions, 50)
  const post = async (resource: string, fields: Fields) =>
    (await request('POST', resource, fields, member.session)).body
  const createKey = async (): Promise<{ id: string; secret: string }> => {
    const { apiKey, secret } = await post('/portal/api/api-keys', {
      name: 'Game',
      permissions: 'moderation.ban,moderation.view',
    })
    return { id: apiKey.id, secret }
  }
  const createWebhook = async (): Promise<string> =>
    (await post('/api/webhooks', { name: 'Log', url: 'https://example.com/', events: 'ban.created' })).webhook
      .id
  return {
    ...member,
    keys: [await createKey(), await createKey()] as const,
    webhooks: [await createWebhook(), await createWebhook()] as const,
  }
}
type Lead = Awaited<ReturnType<typeof createLead>>

const readKeyStatuses = (...leads: Lead[]) =>
  Promise.all(
    leads
      .flatMap(({ keys }) => keys)
      .map(async ({ secret: key }) => {
        const url = `/api/moderation?workspaceId=${workspace.id}`
        return (await instance.request('GET', url, { key })).status
      }),
  )
const readWebhookStates = (...leads: Lead[]): Promise<string[]> =>
  Promise.all(
    leads
      .flatMap(({ webhooks }) => webhooks)
      .map(async (id) => (await read('/api/webhooks', { id })).webhook.state),
  )

describe('the permissions of several roles', () => {
  test('are replaced in one request, with an audit entry for each role that changes', async () => {
    const create = (granted: Permission[], rank: number) => instance.role(workspace.id, granted, rank)
    const first = await create(['usage.view', 'audit.view'], 11)
    const [second, third] = [await create([], 12), await create(['audit.view'], 13)]
    const { status, body } = await change([
      { id: first, permissions: 'audit.view' },
      { id: second, permissions: ['usage.view', 'audit.view'], version: 1 },
      { id: third, permissions: ['audit.view'] },
    ])
    expect(status).toBe(200)
    expect(
      body.roles.map(({ id, permissions: set, version }: Record<string, string>) => [id, set, version]),
    ).toEqual([
      [workspace.ownerRoleId, JSON.stringify(permissions), '1'],
      [third, '["audit.view"]', '1'],
      [second, '["usage.view","audit.view"]', '2'],
      [first, '["audit.view"]', '2'],
    ])
    expect(body.permissions).toHaveLength(permissions.length)
    const { entries } = await read('/portal/api/audit', { action: 'roles.update' })
    expect(entries).toMatchObject([
      {
        targetId: second,
        actorId: workspace.ownerId,
        changes: { before: { permissions: '[]' }, after: { permissions: '["usage.view","audit.view"]' } },
      },
      {
        targetId: first,
        changes: {
          before: { permissions: '["usage.view","audit.view"]' },
          after: { permissions: '["audit.view"]' },
        },
      },
    ])
    expect(entries).toHaveLength(2)
  })

  test('end the chosen keys and webhooks of members of any of them, each once', async () => {
    const [lead, other] = [await createLead(), await createLead()]
    await assignRoles(lead.accountId, lead.roleId, other.roleId)
    const { status } = await change(
      [
        { id: lead.roleId, permissions: 'moderation.view' },
        { id: other.roleId, permissions: 'moderation.view' },
      ],
      {
        revokeKeyIds: `${lead.keys[0].id},${other.keys[1].id}`,
        pauseWebhookIds: `${lead.webhooks[0]},${other.webhooks[1]}`,
      },
    )
    expect(status).toBe(200)
    expect(await readKeyStatuses(lead, other)).toEqual([401, 200, 200, 401])
    expect(await readWebhookStates(lead, other)).toEqual(['paused', 'active', 'active', 'paused'])
    const { entries } = await read('/portal/api/audit', { limit: '6' })
    const count = (wanted: string) =>
      entries.filter(({ action }: { action: string }) => action === wanted).length
    expect(['roles.update', 'api_keys.revoke', 'webhooks.pause'].map(count)).toEqual([2, 2, 2])
  })

  test('leave keys that stay no wider limits than their creators have afterwards', async () => {
    const lead = await createLead()
    const strict = await instance.role(workspace.id, ['moderation.ban'], 5, { bansPerHour: 3 })
    const other = await instance.role(workspace.id, ['moderation.ban'], 6)
    await assignRoles(lead.accountId, lead.roleId, strict, other)
    const readLimits = async () =>
      (await read('/portal/api/api-keys')).apiKeys
        .filter(({ id }: { id: string }) => lead.keys.some((key) => key.id === id))
        .map(({ bansPerHour }: { bansPerHour: string | null }) => bansPerHour)
    await change([{ id: lead.roleId, permissions: 'api_keys.manage' }])
    expect(await readLimits()).toEqual([null, null])
    await change([
      { id: lead.roleId, permissions: 'moderation.view', version: '2' },
      { id: other, permissions: '' },
    ])
    expect(await readLimits()).toEqual(['3', '3'])
    expect(await readKeyStatuses(lead)).toEqual([200, 200])
    const { entries } = await read('/portal/api/audit', { action: 'api_keys.limit' })
    expect(entries).toHaveLength(2)
  })
})

describe('if one of the roles cannot be changed, nothing is, and the error names it:', () => {
  const actorPermissions: Permission[] = ['roles.manage', 'roles.view', ...leadPermissions]
  /** A change that ends keys and webhooks of a member, with one of a second role. */
  async function expectNothingChanged(second: Change, session?: string) {
    const lead = await createLead()
    const rejected = await expectRejected(
      [{ id: lead.roleId, permissions: 'moderation.view' }, second],
      { revokeKeyIds: lead.keys[0].id, pauseWebhookIds: lead.webhooks[0] },
      session,
    )
    expect(await readKeyStatuses(lead)).toEqual([200, 200])
    expect(await readWebhookStates(lead)).toEqual(['active', 'active'])
    return rejected
  }

  test('somebody has changed it in the meantime', async () => {
    const id = await instance.role(workspace.id, [])
    await change([{ id, permissions: 'usage.view' }])
    expect(await expectNothingChanged({ id, permissions: 'audit.view' })).toMatchObject({
      status: 412,
      code: 'version_mismatch',
      error: `“${await readName(id)}” was changed by someone else in the meantime.`,
    })
  })

  test('it does not rank below the actor', async () => {
    const { session } = await instance.member(workspace.id, actorPermissions, 60)
    const id = await instance.role(workspace.id, [], 60)
    expect(await expectNothingChanged({ id, permissions: '' }, session)).toMatchObject({
      status: 403,
      reason: 'insufficient_rank',
      error: `“${await readName(id)}” cannot be changed. This requires a higher rank than yours.`,
    })
  })

  test('it would get a permission that the actor lacks', async () => {
    const { session } = await instance.member(workspace.id, actorPermissions, 60)
    const id = await instance.role(workspace.id, ['usage.view'])
    const granted = ['usage.view', 'audit.view']
    expect(await expectNothingChanged({ id, permissions: granted }, session)).toMatchObject({
      status: 403,
      reason: 'missing_permission',
      permission: 'audit.view',
      error: `“${await readName(id)}” cannot be changed. Missing permission: audit.view.`,
    })
  })

  test('it is the role of the owner', async () => {
    const { status, code, error } = await expectNothingChanged({
      id: workspace.ownerRoleId,
      permissions: '',
    })
    expect([status, code]).toEqual([409, 'conflict'])
    expect(error).toContain('The owner role has every permission and cannot be changed')
  })

  test('it does not exist, or is one of another workspace, which looks the same', async () => {
    const foreignRole = await instance.role((await instance.workspace()).id, [])
    const responses = []
    for (const id of [foreignRole, UNKNOWN_ID]) {
      const { requestId: _, ...response } = await expectNothingChanged({ id, permissions: '' })
      expect(response.status).toBe(404)
      responses.push(response)
    }
    expect(responses[0]).toEqual(responses[1] as object)
  })

  test('keys or webhooks to end are not those of members of the roles', async () => {
    const [lead, other] = [await createLead(), await createLead()]
    const roles = [{ id: lead.roleId, permissions: '' }]
    for (const fields of [{ revokeKeyIds: other.keys[0].id }, { pauseWebhookIds: other.webhooks[0] }]) {
      const { status, details } = await expectRejected(roles, {
        revokeKeyIds: lead.keys[0].id,
        ...fields,
      })
      expect([status, details[0].field]).toEqual([400, Object.keys(fields)[0]])
    }
  })
})

test('no request failed unexpectedly', () => expect(instance.unexpectedErrors).toEqual([]))
