import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
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

const send = (
  method: string,
  path: string,
  fields: Record<string, string>,
  session = workspace.ownerSession,
): Promise<TestResponse> => {
  const all = { workspaceId: workspace.id, ...fields }
  return method === 'GET' || method === 'DELETE'
    ? instance.request(method, `${path}?${new URLSearchParams(all)}`, { session })
    : instance.request(method, path, { session, body: all })
}
const sendOk = async (...request: Parameters<typeof send>) => {
  const { status, body } = await send(...request)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

/** A member of rank 50 with two keys of this rank. */
async function createKeyLead() {
  const member = await instance.member(workspace.id, [...permissions], 50)
  const create = async (name: string) => {
    const fields = { name, permissions: 'departments.view' }
    const { apiKey, secret } = await sendOk('POST', '/portal/api/api-keys', fields, member.session)
    return { id: String(apiKey.id), secret: String(secret) }
  }
  return { ...member, first: await create('First'), second: await create('Second') }
}
type Lead = Awaited<ReturnType<typeof createKeyLead>>

const readWithKey = async ({ secret }: { readonly secret: string }) =>
  (await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { key: secret })).status
const readRanks = async (lead: Lead) => {
  const { apiKeys } = await sendOk('GET', '/portal/api/api-keys', {})
  return [lead.first, lead.second].map(
    ({ id }) => apiKeys.find((key: { id: string }) => key.id === id)?.rank as string,
  )
}
const readActions = async (limit: number) =>
  (await sendOk('GET', '/portal/api/audit', { limit: String(limit) })).entries.map(
    ({ action }: { action: string }) => action,
  )
const listKeys = (roleIds: string, session = workspace.ownerSession) =>
  send('GET', '/portal/api/roles/keys', { roleIds }, session)

/** Each way to reduce the role of a lead: the rank that is left, and the request. */
const reductions = [
  [
    '7',
    (lead: Lead, fields = {}) =>
      send('PATCH', '/portal/api/roles', { id: lead.roleId, rank: '7', ...fields }),
  ],
  [
    '8',
    (lead: Lead, fields = {}) =>
      send('POST', '/portal/api/roles/ranks', { ranks: `${lead.roleId}:8:1`, ...fields }),
  ],
  ['0', (lead: Lead, fields = {}) => send('DELETE', '/portal/api/roles', { id: lead.roleId, ...fields })],
] as const

describe.each(reductions)('a role that leaves its members rank %s', (rank, request) => {
  const reduce = async (lead: Lead, fields?: Record<string, string>) =>
    expect((await request(lead, fields)).status).toBe(200)

  test('lowers the keys that they created to it, which keep working, and records it', async () => {
    const lead = await createKeyLead()
    const other = await createKeyLead()
    expect(await readRanks(lead)).toEqual(['50', '50'])
    await reduce(lead)
    expect(await readRanks(lead)).toEqual([rank, rank])
    expect(await readRanks(other)).toEqual(['50', '50'])
    expect(await readWithKey(lead.first)).toBe(200)
    expect((await readActions(3)).filter((action: string) => action === 'api_keys.lower_rank')).toHaveLength(
      2,
    )
  })

  test('revokes the chosen keys at once', async () => {
    const lead = await createKeyLead()
    await reduce(lead, { revokeKeyIds: lead.first.id })
    expect([await readWithKey(lead.first), await readWithKey(lead.second)]).toEqual([401, 200])
    expect((await readRanks(lead))[1]).toBe(rank)
  })

  test('keeps the rank of keys whose creator has it through another role', async () => {
    const lead = await createKeyLead()
    const second = await instance.role(workspace.id, ['departments.view'], 50)
    await sendOk('PATCH', '/portal/api/members', {
      accountId: lead.accountId,
      roleIds: `${lead.roleId},${second}`,
    })
    await reduce(lead)
    expect(await readRanks(lead)).toEqual(['50', '50'])
  })
})

test('a role that is raised, or renamed, leaves keys as they are', async () => {
  const lead = await createKeyLead()
  await sendOk('PATCH', '/portal/api/roles', { id: lead.roleId, rank: '60', name: 'Renamed' })
  expect(await readRanks(lead)).toEqual(['50', '50'])
})

test('a roll-back that lowers a role lowers the keys of its members', async () => {
  const lead = await createKeyLead()
  await reductions[0][1](lead)
  const change = async (fields: Record<string, string>) => {
    const { status, body } = await instance.request('POST', '/api/workspaces', {
      session: workspace.ownerSession,
      body: { id: workspace.id, ...fields },
    })
    expect(status).toBe(200)
    await instance.runJobs()
    return body.archive
  }
  const archive = await change({ archive: 'true' })
  await change({ archive: 'false' })
  await sendOk('PATCH', '/portal/api/roles', { id: lead.roleId, rank: '40' })
  const fields = { name: 'Later', permissions: 'departments.view' }
  const { apiKey } = await sendOk('POST', '/portal/api/api-keys', fields, lead.session)
  expect(apiKey.rank).toBe('40')
  await change({ archive: 'true' })
  await change({ fromArchive: archive.id })
  expect((await readRanks({ ...lead, first: { ...lead.first, id: apiKey.id } }))[0]).toBe('7')
})

describe('the keys of the members of a role', () => {
  test('are listed with their creators and the roles of these, newest first', async () => {
    const lead = await createKeyLead()
    await createKeyLead()
    const { body } = await listKeys(lead.roleId)
    expect(body.apiKeys).toMatchObject([
      { id: lead.second.id, name: 'Second', rank: '50', creatorRoleIds: [lead.roleId] },
      { id: lead.first.id, name: 'First', rank: '50', creatorRoleIds: [lead.roleId] },
    ])
    expect(body.apiKeys[0].creator).toBeString()
  })

  test('are listed to those who manage roles, without keys that rank above them', async () => {
    const lead = await createKeyLead()
    const low = await instance.role(workspace.id, ['departments.view'], 5)
    await sendOk('PATCH', '/portal/api/members', {
      accountId: lead.accountId,
      roleIds: `${lead.roleId},${low}`,
    })
    const manager = await instance.member(workspace.id, ['roles.manage', 'roles.view'], 10)
    expect((await listKeys(low, manager.session)).body).toEqual({ apiKeys: [] })
    const viewer = await instance.member(workspace.id, ['roles.view'], 10)
    expect((await listKeys(low, viewer.session)).status).toBe(403)
    const rejected = await expectRejectedUnchanged(instance, () =>
      send('DELETE', '/portal/api/roles', { id: low, revokeKeyIds: lead.first.id }, manager.session),
    )
    expect([rejected.status, rejected.details[0].field]).toEqual([400, 'revokeKeyIds'])
  })

  test('are the only ones that a change of the role can revoke', async () => {
    const [lead, other] = [await createKeyLead(), await createKeyLead()]
    for (const [, request] of reductions) {
      const rejected = await expectRejectedUnchanged(instance, () =>
        request(lead, { revokeKeyIds: other.first.id }),
      )
      expect([rejected.status, rejected.details[0].field]).toEqual([400, 'revokeKeyIds'])
    }
  })
})
