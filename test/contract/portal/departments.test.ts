import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

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
  (await instance.request('GET', `${path}?workspaceId=${id}`, { session: ownerSession })).body.departments
const names = async (workspace: Workspace) => (await list(workspace)).map(({ name }) => name)
const post = (
  { id, ownerSession }: Workspace,
  resource: 'members' | 'order',
  body: object,
  headers: Record<string, string> = {},
) =>
  instance.request('POST', `${path}/${resource}`, {
    session: ownerSession,
    body: { workspaceId: id, ...body },
    headers,
  })

/** Creates a workspace with departments of these names. */
async function createWithDepartments(...departmentNames: string[]) {
  const workspace = await instance.workspace()
  const { writeDepartment } = createWorkspaceRequests(instance, workspace)
  const ids: string[] = []
  for (const name of departmentNames) ids.push((await writeDepartment({ name })).id)
  return { workspace, ids, department: writeDepartment }
}

describe('the order of departments', () => {
  test('is the order of creation until it is set; new and restored departments go last', async () => {
    const { workspace, ids, department } = await createWithDepartments('Pilots', 'Crew', 'Builders')
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

  test('changes no department, and does not appear in the public list', async () => {
    const { workspace, ids } = await createWithDepartments('B', 'A', 'C')
    const before = await list(workspace)
    await post(workspace, 'order', { ids: ids.toReversed().join() })
    expect(await list(workspace)).toEqual(before.toReversed())
    const { body } = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, workspace)
    expect(body.departments.map(({ name }: Department) => name)).toEqual(['A', 'B', 'C'])
    expect(Object.keys(body.departments[0])).not.toContain('members')
    expect(Object.keys(body.departments[0])).not.toContain('position')
  })

  test('is set for all departments at once: a list that omits, adds or repeats one is rejected', async () => {
    const { workspace, ids, department } = await createWithDepartments('One', 'Two', 'Gone')
    const [one = '', two = '', deletedId = ''] = ids
    await department({ id: deletedId, action: 'delete' })
    const foreignId = (await createWithDepartments('Foreign')).ids[0] ?? ''
    const before = await readStoredRows(instance)
    for (const wrong of [
      [one],
      [one, two, deletedId],
      [one, foreignId],
      [one, one],
      [one, two, UNKNOWN_ID],
      [],
    ]) {
      const { status, body } = await post(workspace, 'order', { ids: wrong.join() })
      expect([status, body.code]).toEqual([409, 'conflict'])
    }
    const missingResponse = await post(workspace, 'order', {})
    expect([missingResponse.status, missingResponse.body.details]).toEqual([
      400,
      [{ field: 'ids', message: 'is required' }],
    ])
    expect(await readStoredRows(instance)).toEqual(before)
    expect((await post(workspace, 'order', { ids: [two, one].join() })).status).toBe(200)
  })

  test('is recorded in the audit log, before and after', async () => {
    const { workspace, ids } = await createWithDepartments('One', 'Two')
    await post(workspace, 'order', { ids: ids.toReversed().join() })
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=1`, {
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
  test('are set together, and listed with the lead first and the others by name', async () => {
    const { workspace, ids } = await createWithDepartments('Crew', 'Pilots')
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
    const emptyResponse = await post(workspace, 'members', { id: ids[0], accountIds: '' })
    expect(emptyResponse.body.department.members).toEqual([])
  })

  test('can be in several departments, and leave all of them when they leave the workspace', async () => {
    const { workspace, ids } = await createWithDepartments('Crew', 'Pilots')
    const { removeMember } = createWorkspaceRequests(instance, workspace)
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const id of ids) {
      await post(workspace, 'members', {
        id,
        accountIds: `${accountId},${workspace.ownerId}`,
        leadId: accountId,
      })
    }
    await removeMember(accountId)
    for (const { members } of await list(workspace)) {
      expect(members.map((one) => one.accountId)).toEqual([workspace.ownerId])
    }
    const removedMember = await instance.member(workspace.id, [], 5)
    await post(workspace, 'members', { id: ids[0], accountIds: removedMember.accountId })
    const search = new URLSearchParams({ workspaceId: workspace.id, accountId: removedMember.accountId })
    const removeResponse = await instance.request('DELETE', `/portal/api/members?${search}`, {
      session: removedMember.session,
    })
    expect(removeResponse.status).toBe(200)
    expect((await list(workspace))[0]?.members).toEqual([])
  })

  test('are kept when a department is deleted and restored, but cannot be set while it is deleted', async () => {
    const { workspace, ids, department } = await createWithDepartments('Crew')
    const [id = ''] = ids
    await post(workspace, 'members', { id, accountIds: workspace.ownerId })
    await department({ id, action: 'delete' })
    const rejectedResponse = await post(workspace, 'members', { id, accountIds: '' })
    expect([rejectedResponse.status, rejectedResponse.body.code]).toEqual([404, 'not_found'])
    await department({ id, action: 'restore' })
    expect((await list(workspace))[0]?.members).toHaveLength(1)
  })

  test('must be members of the workspace and include the lead; duplicates count once', async () => {
    const { workspace, ids } = await createWithDepartments('Crew')
    const stranger = (await instance.workspace()).ownerId
    const before = await readStoredRows(instance)
    const rejectedResponse = async (body: object) => {
      const { status, body: response } = await post(workspace, 'members', { id: ids[0], ...body })
      return [status, response.details?.[0].field]
    }
    expect(await rejectedResponse({ accountIds: stranger })).toEqual([400, 'accountIds'])
    expect(await rejectedResponse({ accountIds: UNKNOWN_ID })).toEqual([400, 'accountIds'])
    expect(await rejectedResponse({ accountIds: `${workspace.ownerId},${stranger}` })).toEqual([
      400,
      'accountIds',
    ])
    expect(await rejectedResponse({ accountIds: workspace.ownerId, leadId: stranger })).toEqual([
      400,
      'leadId',
    ])
    expect(await rejectedResponse({ accountIds: '', leadId: workspace.ownerId })).toEqual([400, 'leadId'])
    expect(await rejectedResponse({})).toEqual([400, 'accountIds'])
    expect(await rejectedResponse({ accountIds: Array.from({ length: 501 }, (_, n) => n).join() })).toEqual([
      400,
      'accountIds',
    ])
    expect(await readStoredRows(instance)).toEqual(before)
    const duplicateResponse = await post(workspace, 'members', {
      id: ids[0],
      accountIds: `${workspace.ownerId},${workspace.ownerId}`,
    })
    expect(duplicateResponse.body.department.members).toHaveLength(1)
  })

  test('cannot be set with a stale version', async () => {
    const { workspace, ids } = await createWithDepartments('Crew')
    const set = (version: string) =>
      post(
        workspace,
        'members',
        { id: ids[0], accountIds: workspace.ownerId },
        { 'if-match': `"${version}"` },
      )
    expect((await set('1')).status).toBe(200)
    const staleResponse = await set('1')
    expect([staleResponse.status, staleResponse.body.code]).toEqual([412, 'version_mismatch'])
  })

  test('are recorded in the audit log, before and after', async () => {
    const { workspace, ids } = await createWithDepartments('Crew')
    await post(workspace, 'members', { id: ids[0], accountIds: workspace.ownerId, leadId: workspace.ownerId })
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=1`, {
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

  test('of another workspace can be neither read nor changed: its departments are not found', async () => {
    const { workspace, ids } = await createWithDepartments('Crew')
    const other = await instance.workspace()
    const outcomes = []
    for (const id of [ids[0], UNKNOWN_ID]) {
      const { status, body } = await post(other, 'members', { id, accountIds: other.ownerId })
      outcomes.push([status, body.error, body.code])
    }
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[0]?.[0]).toBe(404)
    expect(await list(other)).toEqual([])
    expect((await list(workspace))[0]?.members).toEqual([])
  })
})

test('reading requires departments.view; setting members or the order requires departments.manage', async () => {
  const { workspace, ids } = await createWithDepartments('Crew')
  const request = { who: 'session', workspaceId: workspace.id } as const
  await expectAccessRules(instance, {
    ...request,
    method: 'GET',
    path,
    query: { workspaceId: workspace.id },
    permission: 'departments.view',
  })
  await expectAccessRules(instance, {
    ...request,
    method: 'POST',
    path: `${path}/members`,
    body: { workspaceId: workspace.id, id: ids[0] ?? '', accountIds: workspace.ownerId },
    permission: 'departments.manage',
  })
  await expectAccessRules(instance, {
    ...request,
    method: 'POST',
    path: `${path}/order`,
    body: { workspaceId: workspace.id, ids: ids.join() },
    permission: 'departments.manage',
  })
  expect(instance.unexpectedErrors).toEqual([])
})
