import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, NEVER_WAS, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { stored } from '../../support/stored.ts'
import { callsIn, type Workspace } from '../workspaces/world.ts'

let instance: Instance
const path = '/portal/api/departments'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

interface Department {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly members: readonly { accountId: string; username: string; isLead: string }[]
}

const list = async ({ id, ownerSession }: Workspace): Promise<Department[]> =>
  (await instance.call('GET', `${path}?workspaceId=${id}`, { session: ownerSession })).body.departments
const names = async (workspace: Workspace) => (await list(workspace)).map(({ name }) => name)
const post = (
  { id, ownerSession }: Workspace,
  what: 'members' | 'order',
  body: object,
  headers: Record<string, string> = {},
) =>
  instance.call('POST', `${path}/${what}`, {
    session: ownerSession,
    body: { workspaceId: id, ...body },
    headers,
  })

/** A workspace with departments of these names. */
async function withDepartments(...all: string[]) {
  const workspace = await instance.workspace()
  const { department } = callsIn(instance, workspace)
  const ids: string[] = []
  for (const name of all) ids.push((await department({ name })).id)
  return { workspace, ids, department }
}

describe('the order of departments', () => {
  test('is that in which they were made, until it is set; new ones and those that come back go last', async () => {
    const { workspace, ids, department } = await withDepartments('Pilots', 'Crew', 'Builders')
    expect(await names(workspace)).toEqual(['Pilots', 'Crew', 'Builders'])
    const [pilots = '', crew = '', builders = ''] = ids
    const { status, body } = await post(workspace, 'order', { ids: [builders, pilots, crew].join() })
    expect(status).toBe(200)
    expect(body.departments.map(({ name }: Department) => name)).toEqual(['Builders', 'Pilots', 'Crew'])
    await department({ name: 'Artists' })
    expect(await names(workspace)).toEqual(['Builders', 'Pilots', 'Crew', 'Artists'])
    await department({ id: pilots, action: 'delete' })
    expect(await names(workspace)).toEqual(['Builders', 'Crew', 'Artists'])
    await department({ id: pilots, action: 'restore' })
    expect(await names(workspace)).toEqual(['Builders', 'Crew', 'Artists', 'Pilots'])
  })

  test('is no change of a department, and nothing that the public list shows', async () => {
    const { workspace, ids } = await withDepartments('B', 'A', 'C')
    const before = await list(workspace)
    await post(workspace, 'order', { ids: ids.toReversed().join() })
    expect(await list(workspace)).toEqual(before.toReversed())
    const { body } = await instance.call('GET', `/api/departments?workspaceId=${workspace.id}`, workspace)
    expect(body.departments.map(({ name }: Department) => name)).toEqual(['A', 'B', 'C'])
    expect(Object.keys(body.departments[0])).not.toContain('members')
    expect(Object.keys(body.departments[0])).not.toContain('position')
  })

  test('is set whole or not at all: one that leaves out, adds or repeats a department is refused', async () => {
    const { workspace, ids, department } = await withDepartments('One', 'Two', 'Gone')
    const [one = '', two = '', gone = ''] = ids
    await department({ id: gone, action: 'delete' })
    const foreign = (await withDepartments('Foreign')).ids[0] ?? ''
    const before = await stored(instance)
    for (const wrong of [[one], [one, two, gone], [one, foreign], [one, one], [one, two, NEVER_WAS], []]) {
      const { status, body } = await post(workspace, 'order', { ids: wrong.join() })
      expect([status, body.code]).toEqual([409, 'conflict'])
    }
    const absent = await post(workspace, 'order', {})
    expect([absent.status, absent.body.details]).toEqual([400, [{ field: 'ids', message: 'is required' }]])
    expect(await stored(instance)).toEqual(before)
    expect((await post(workspace, 'order', { ids: [two, one].join() })).status).toBe(200)
  })

  test('goes into the audit log, before and after', async () => {
    const { workspace, ids } = await withDepartments('One', 'Two')
    await post(workspace, 'order', { ids: ids.toReversed().join() })
    const { body } = await instance.call('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=1`, {
      session: workspace.ownerSession,
    })
    const [one, two] = ids.map((id, index) => ({ id, name: ['One', 'Two'][index] }))
    expect(body.entries[0]).toMatchObject({
      action: 'departments.order',
      targetId: workspace.id,
      changes: { before: { departments: [one, two] }, after: { departments: [two, one] } },
    })
  })
})

describe('the members of a department', () => {
  test('are set together, with the one who leads first and the others by name', async () => {
    const { workspace, ids } = await withDepartments('Crew', 'Pilots')
    const [first, second, third] = [
      await instance.member(workspace.id, []),
      await instance.member(workspace.id, []),
      await instance.member(workspace.id, []),
    ]
    const accountIds = [first, second, third].map(({ accountId }) => accountId)
    const { status, body } = await post(workspace, 'members', {
      id: ids[0],
      accountIds: accountIds.join(),
      leadId: third.accountId,
    })
    expect(status).toBe(200)
    expect(body.department).toMatchObject({ id: ids[0], name: 'Crew', version: '2' })
    expect(body.department.members).toEqual([
      { accountId: third.accountId, username: expect.any(String), isLead: 'true' },
      { accountId: first.accountId, username: expect.any(String), isLead: 'false' },
      { accountId: second.accountId, username: expect.any(String), isLead: 'false' },
    ])
    expect((await list(workspace)).map(({ members }) => members.length)).toEqual([3, 0])
    const fewer = await post(workspace, 'members', { id: ids[0], accountIds: second.accountId, leadId: null })
    expect(fewer.body.department.members).toEqual([
      { accountId: second.accountId, username: expect.any(String), isLead: 'false' },
    ])
    const none = await post(workspace, 'members', { id: ids[0], accountIds: '' })
    expect(none.body.department.members).toEqual([])
  })

  test('may be in several departments, and leave all of them when they leave the workspace', async () => {
    const { workspace, ids } = await withDepartments('Crew', 'Pilots')
    const { dismiss } = callsIn(instance, workspace)
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const id of ids) {
      await post(workspace, 'members', {
        id,
        accountIds: `${accountId},${workspace.ownerId}`,
        leadId: accountId,
      })
    }
    await dismiss(accountId)
    for (const { members } of await list(workspace)) {
      expect(members.map((one) => one.accountId)).toEqual([workspace.ownerId])
    }
    const leaver = await instance.member(workspace.id, [], 5)
    await post(workspace, 'members', { id: ids[0], accountIds: leaver.accountId })
    const search = new URLSearchParams({ workspaceId: workspace.id, accountId: leaver.accountId })
    const left = await instance.call('DELETE', `/portal/api/members?${search}`, { session: leaver.session })
    expect(left.status).toBe(200)
    expect((await list(workspace))[0]?.members).toEqual([])
  })

  test('stay with a department that is deleted and comes back, but nobody is put into one that is gone', async () => {
    const { workspace, ids, department } = await withDepartments('Crew')
    const [id = ''] = ids
    await post(workspace, 'members', { id, accountIds: workspace.ownerId })
    await department({ id, action: 'delete' })
    const refused = await post(workspace, 'members', { id, accountIds: '' })
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
    await department({ id, action: 'restore' })
    expect((await list(workspace))[0]?.members).toHaveLength(1)
  })

  test('are members of the workspace, each named once, the one who leads among them', async () => {
    const { workspace, ids } = await withDepartments('Crew')
    const stranger = (await instance.workspace()).ownerId
    const before = await stored(instance)
    const refused = async (body: object) => {
      const { status, body: answer } = await post(workspace, 'members', { id: ids[0], ...body })
      return [status, answer.details?.[0].field]
    }
    expect(await refused({ accountIds: stranger })).toEqual([400, 'accountIds'])
    expect(await refused({ accountIds: NEVER_WAS })).toEqual([400, 'accountIds'])
    expect(await refused({ accountIds: `${workspace.ownerId},${stranger}` })).toEqual([400, 'accountIds'])
    expect(await refused({ accountIds: workspace.ownerId, leadId: stranger })).toEqual([400, 'leadId'])
    expect(await refused({ accountIds: '', leadId: workspace.ownerId })).toEqual([400, 'leadId'])
    expect(await refused({})).toEqual([400, 'accountIds'])
    expect(await refused({ accountIds: Array.from({ length: 501 }, (_, n) => n).join() })).toEqual([
      400,
      'accountIds',
    ])
    expect(await stored(instance)).toEqual(before)
    const twice = await post(workspace, 'members', {
      id: ids[0],
      accountIds: `${workspace.ownerId},${workspace.ownerId}`,
    })
    expect(twice.body.department.members).toHaveLength(1)
  })

  test('are not overwritten unseen: a stale version is refused', async () => {
    const { workspace, ids } = await withDepartments('Crew')
    const set = (version: string) =>
      post(
        workspace,
        'members',
        { id: ids[0], accountIds: workspace.ownerId },
        { 'if-match': `"${version}"` },
      )
    expect((await set('1')).status).toBe(200)
    const stale = await set('1')
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch'])
  })

  test('go into the audit log, before and after', async () => {
    const { workspace, ids } = await withDepartments('Crew')
    await post(workspace, 'members', { id: ids[0], accountIds: workspace.ownerId, leadId: workspace.ownerId })
    const { body } = await instance.call('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=1`, {
      session: workspace.ownerSession,
    })
    expect(body.entries[0]).toMatchObject({
      action: 'departments.set_members',
      targetKind: 'department',
      targetId: ids[0],
      changes: {
        before: { members: [] },
        after: { members: [{ accountId: workspace.ownerId, isLead: 'true' }] },
      },
    })
  })

  test('of another workspace are neither shown nor changed: its departments are not found', async () => {
    const { workspace, ids } = await withDepartments('Crew')
    const other = await instance.workspace()
    const outcomes = []
    for (const id of [ids[0], NEVER_WAS]) {
      const { status, body } = await post(other, 'members', { id, accountIds: other.ownerId })
      outcomes.push([status, body.error, body.code])
    }
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[0]?.[0]).toBe(404)
    expect(await list(other)).toEqual([])
    expect((await list(workspace))[0]?.members).toEqual([])
  })
})

test('reading needs departments.view; setting members and order needs departments.manage', async () => {
  const { workspace, ids } = await withDepartments('Crew')
  const request = { who: 'session', workspaceId: workspace.id } as const
  await replay(instance, {
    ...request,
    method: 'GET',
    path,
    query: { workspaceId: workspace.id },
    permission: 'departments.view',
  })
  await replay(instance, {
    ...request,
    method: 'POST',
    path: `${path}/members`,
    body: { workspaceId: workspace.id, id: ids[0] ?? '', accountIds: workspace.ownerId },
    permission: 'departments.manage',
  })
  await replay(instance, {
    ...request,
    method: 'POST',
    path: `${path}/order`,
    body: { workspaceId: workspace.id, ids: ids.join() },
    permission: 'departments.manage',
  })
  expect(instance.failures).toEqual([])
})
