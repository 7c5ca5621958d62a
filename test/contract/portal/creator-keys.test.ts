import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { checkKeys } from '../../../apps/api/src/doctor/keys.ts'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

const setKeyRank = statement<{ workspaceId: string; id: string; rank: number }>()((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ rank: p.rank })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let operator: string

beforeAll(async () => {
  instance = await openInstance()
  operator = await instance.session(await instance.account('Operator', true))
})
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const send = (method: string, path: string, session: string, fields: Record<string, string>) =>
  method === 'GET' || method === 'DELETE'
    ? instance.request(method, `${path}?${new URLSearchParams(fields)}`, { session })
    : instance.request(method, path, { session, body: fields })
const inWorkspace = (fields: Record<string, string> = {}) => ({ workspaceId: workspace.id, ...fields })

/** A key lead of rank 50, with a key that may ban. */
async function createKeyLead() {
  const member = await instance.member(workspace.id, [...permissions], 50)
  const create = async (name: string) => {
    const { body } = await send('POST', '/portal/api/api-keys', member.session, {
      ...inWorkspace(),
      name,
      permissions: 'departments.view',
    })
    return { id: String(body.apiKey.id), secret: String(body.secret) }
  }
  return { ...member, first: await create('First'), second: await create('Second') }
}
const readWithKey = async (secret: string) =>
  (await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { key: secret })).status
const listKeys = async () =>
  (await send('GET', '/portal/api/api-keys', workspace.ownerSession, inWorkspace())).body.apiKeys as {
    id: string
    rank: string
    bansPerHour: string | null
    creatorStatus: string
    status: string
  }[]
const findKey = async (id: string) => (await listKeys()).find((key) => key.id === id)
const listOf = (accountId: string, session = workspace.ownerSession) =>
  send('GET', '/portal/api/members/keys', session, inWorkspace({ accountId }))
const countOrphaned = async (session = workspace.ownerSession) =>
  (await send('GET', '/portal/api/overview', session, inWorkspace())).body.orphanedKeys
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('removing a member', () => {
  test('revokes the chosen keys of theirs at once; others keep working, and are marked until somebody takes them over', async () => {
    const lead = await createKeyLead()
    const { body } = await listOf(lead.accountId)
    expect(body.apiKeys.map(({ name }: { name: string }) => name)).toEqual(['Second', 'First'])
    expect([await countOrphaned(), (await findKey(lead.second.id))?.creatorStatus]).toEqual(['0', 'member'])
    const removed = await send('DELETE', '/portal/api/members', workspace.ownerSession, {
      ...inWorkspace({ accountId: lead.accountId }),
      revokeKeyIds: lead.first.id,
    })
    expect(removed.status).toBe(200)
    expect([await readWithKey(lead.first.secret), await readWithKey(lead.second.secret)]).toEqual([401, 200])
    expect(await findKey(lead.second.id)).toMatchObject({ creatorStatus: 'left', status: 'live' })
    expect(await countOrphaned()).toBe('1')
    const finding = await checkKeys(instance.db.read, instance.ports.now())
    expect([finding.verdict, finding.found]).toEqual(['warning', expect.stringContaining(lead.second.id)])
    await send('POST', '/portal/api/api-keys/rotate', workspace.ownerSession, {
      ...inWorkspace(),
      id: lead.second.id,
    })
    expect([
      await countOrphaned(),
      (await checkKeys(instance.db.read, instance.ports.now())).verdict,
    ]).toEqual(['0', 'ok'])
  })

  test('lists keys only to those who may remove them, and to themselves', async () => {
    const lead = await createKeyLead()
    const other = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'members.manage'),
      60,
    )
    expect(await expectRejected(() => listOf(lead.accountId, other.session))).toMatchObject({
      permission: 'members.manage',
    })
    expect((await listOf(lead.accountId, lead.session)).body.apiKeys).toHaveLength(2)
    const left = await send('DELETE', '/portal/api/members', lead.session, {
      ...inWorkspace({ accountId: lead.accountId }),
      revokeKeyIds: `${lead.first.id},${lead.second.id}`,
    })
    expect(left.status).toBe(200)
    expect([await readWithKey(lead.first.secret), await readWithKey(lead.second.secret)]).toEqual([401, 401])
  })

  test('rejects keys that somebody else created, that are of another workspace, or that have ended', async () => {
    const lead = await createKeyLead()
    const ownerKey = (await listKeys()).find(({ id }) => ![lead.first.id, lead.second.id].includes(id))
    const foreign = await instance.workspace()
    for (const id of [String(ownerKey?.id), foreign.id]) {
      const { status, details } = await expectRejected(() =>
        send('DELETE', '/portal/api/members', workspace.ownerSession, {
          ...inWorkspace({ accountId: lead.accountId }),
          revokeKeyIds: `${lead.first.id},${id}`,
        }),
      )
      expect([status, details[0].field]).toEqual([400, 'revokeKeyIds'])
    }
  })

  test('does not end a key that ranks above the person who removes its creator', async () => {
    const lead = await createKeyLead()
    await instance.request('PATCH', `/portal/api/roles`, {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, id: lead.roleId, rank: '4' },
    })
    // As a key of an earlier release, which changes of roles did not lower.
    await instance.db.write((tx) =>
      tx.run(setKeyRank, { workspaceId: workspace.id, id: lead.first.id, rank: 50 }),
    )
    const manager = await instance.member(workspace.id, ['members.manage', 'members.view'], 10)
    expect(
      await expectRejected(() =>
        send('DELETE', '/portal/api/members', manager.session, {
          ...inWorkspace({ accountId: lead.accountId }),
          revokeKeyIds: lead.first.id,
        }),
      ),
    ).toMatchObject({ status: 403, reason: 'insufficient_rank' })
  })
})

test('the keys of a former member who is invited back with less get the lower rank and the new limits', async () => {
  const lead = await createKeyLead()
  const { body } = await send('POST', '/portal/api/api-keys', lead.session, {
    ...inWorkspace({ name: 'Bans', permissions: 'moderation.ban' }),
  })
  const { id } = body.apiKey
  await send(
    'DELETE',
    '/portal/api/members',
    workspace.ownerSession,
    inWorkspace({ accountId: lead.accountId }),
  )
  expect(await findKey(id)).toMatchObject({ rank: '50', bansPerHour: null, creatorStatus: 'left' })
  const roleIds = await instance.role(workspace.id, ['moderation.ban'], 5, { bansPerHour: 3 })
  const invitation = await send(
    'POST',
    '/portal/api/invitations',
    workspace.ownerSession,
    inWorkspace({ roleIds }),
  )
  const { token } = invitation.body
  expect((await send('POST', '/portal/api/invitation/accept', lead.session, { token })).status).toBe(200)
  expect(await findKey(id)).toMatchObject({
    rank: '5',
    bansPerHour: '3',
    creatorStatus: 'member',
    status: 'live',
  })
  expect(await findKey(lead.first.id)).toMatchObject({ rank: '5', bansPerHour: null })
  const audit = await send('GET', '/portal/api/audit', workspace.ownerSession, inWorkspace())
  const changes = audit.body.entries.filter(({ targetId }: { targetId: string }) => targetId === id)
  expect(changes.map(({ action }: { action: string }) => action)).toEqual([
    'api_keys.lower_rank',
    'api_keys.limit',
    'api_keys.create',
  ])
})

test('a demotion revokes the chosen keys, and the others do not keep the lost rank', async () => {
  const lead = await createKeyLead()
  const roleIds = await instance.role(workspace.id, ['departments.view'], 5)
  await send('PATCH', '/portal/api/members', workspace.ownerSession, {
    ...inWorkspace({ accountId: lead.accountId, roleIds }),
    revokeKeyIds: lead.first.id,
  })
  expect(await readWithKey(lead.first.secret)).toBe(401)
  expect(await findKey(lead.second.id)).toMatchObject({ rank: '5', status: 'live', creatorStatus: 'member' })
  const { body } = await send('GET', '/portal/api/audit', workspace.ownerSession, inWorkspace({ limit: '2' }))
  expect(body.entries.map(({ action }: { action: string }) => action)).toEqual([
    'api_keys.lower_rank',
    'api_keys.revoke',
  ])
})

test('an ownership transfer revokes the chosen keys of the former owner, and lowers the rank of the others to theirs', async () => {
  const successor = await instance.member(workspace.id, [...permissions], 40)
  const create = async (name: string) =>
    (
      await send('POST', '/portal/api/api-keys', workspace.ownerSession, {
        ...inWorkspace({ name, permissions: 'departments.view' }),
      })
    ).body
  const [kept, copied] = [await create('Kept'), await create('Copied')]
  expect(kept.apiKey.rank).toBe('1000000')
  const roleIds = await instance.role(workspace.id, [], 30)
  const transferred = await send('POST', '/portal/api/ownership', workspace.ownerSession, {
    ...inWorkspace({ accountId: successor.accountId, roleIds }),
    revokeKeyIds: copied.apiKey.id,
  })
  expect(transferred.status).toBe(200)
  expect([await readWithKey(copied.secret), await readWithKey(kept.secret)]).toEqual([401, 200])
  const listed = await send('GET', '/portal/api/api-keys', successor.session, inWorkspace())
  const key = listed.body.apiKeys.find(({ id }: { id: string }) => id === kept.apiKey.id)
  expect(key).toMatchObject({ rank: '30', status: 'live', creatorStatus: 'member' })
})

test('an operator sees the keys of an account in all workspaces, and revokes the chosen ones when disabling it', async () => {
  const lead = await createKeyLead()
  const { body } = await send('GET', '/admin/api/accounts/keys', operator, { id: lead.accountId })
  expect(body.apiKeys).toMatchObject([
    { id: lead.second.id, workspaceId: workspace.id, name: 'Second' },
    { id: lead.first.id, workspaceId: workspace.id, name: 'First' },
  ])
  const disabled = await send('PATCH', '/admin/api/accounts', operator, {
    id: lead.accountId,
    disabled: 'true',
    revokeKeyIds: lead.first.id,
  })
  expect(disabled.status).toBe(200)
  expect([await readWithKey(lead.first.secret), await readWithKey(lead.second.secret)]).toEqual([401, 200])
  expect(await findKey(lead.second.id)).toMatchObject({ creatorStatus: 'disabled' })
  expect(await countOrphaned()).toBe('1')
  const member = await instance.member(workspace.id, ['members.view'], 5)
  expect(await countOrphaned(member.session)).toBeNull()
  expect((await send('GET', '/admin/api/accounts/keys', member.session, { id: lead.accountId })).status).toBe(
    403,
  )
  expect(instance.unexpectedErrors).toEqual([])
})
