import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
const path = '/portal/api/roles/holdings'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

async function holdings(of: { readonly id: string; readonly ownerSession: string }) {
  const { status, body } = await instance.request('GET', `${path}?workspaceId=${of.id}`, {
    session: of.ownerSession,
  })
  expect(status).toBe(200)
  return body.holdings as { roleIds: string[]; members: string }[]
}

/** Makes a member who holds just these roles. */
async function holder(
  of: { readonly id: string; readonly ownerSession: string },
  roleIds: readonly string[],
) {
  const { accountId } = await instance.member(of.id, [])
  const body = { workspaceId: of.id, accountId, roleIds: roleIds.join(',') }
  const { status } = await instance.request('PATCH', '/portal/api/members', {
    session: of.ownerSession,
    body,
  })
  expect(status).toBe(200)
}

describe('which roles are held together', () => {
  test('is counted once a member, by all that each holds, most first', async () => {
    const workspace = await instance.workspace()
    const firstRole = await instance.role(workspace.id, ['moderation.view'])
    const secondRole = await instance.role(workspace.id, ['moderation.ban'])
    await holder(workspace, [firstRole])
    await holder(workspace, [firstRole])
    await holder(workspace, [firstRole])
    await holder(workspace, [secondRole, firstRole])
    await holder(workspace, [firstRole, secondRole])
    expect(await holdings(workspace)).toEqual([
      { roleIds: [firstRole], members: '3' },
      { roleIds: [firstRole, secondRole].sort(), members: '2' },
      { roleIds: [workspace.ownerRoleId], members: '1' },
    ])
  })

  test('leaves out members without a role, roles that nobody holds, and every other workspace', async () => {
    const [workspace, otherWorkspace] = [await instance.workspace(), await instance.workspace()]
    await instance.role(workspace.id, [])
    await holder(workspace, [])
    await holder(otherWorkspace, [await instance.role(otherWorkspace.id, [])])
    expect(await holdings(workspace)).toEqual([{ roleIds: [workspace.ownerRoleId], members: '1' }])
  })

  test('is for those who may read roles', async () => {
    const { id } = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: id,
      query: { workspaceId: id },
      permission: 'roles.view',
    })
  })
})
