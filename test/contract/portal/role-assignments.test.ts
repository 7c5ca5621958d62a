import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
const path = '/portal/api/roles/holdings'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

async function listCombinations(workspace: { readonly id: string; readonly ownerSession: string }) {
  const { status, body } = await instance.request('GET', `${path}?workspaceId=${workspace.id}`, {
    session: workspace.ownerSession,
  })
  expect(status).toBe(200)
  return body.holdings as { roleIds: string[]; members: string }[]
}

/** Creates a member with exactly these roles. */
async function addMemberWithRoles(
  workspace: { readonly id: string; readonly ownerSession: string },
  roleIds: readonly string[],
) {
  const { accountId } = await instance.member(workspace.id, [])
  const body = { workspaceId: workspace.id, accountId, roleIds: roleIds.join(',') }
  const { status } = await instance.request('PATCH', '/portal/api/members', {
    session: workspace.ownerSession,
    body,
  })
  expect(status).toBe(200)
}

describe('combinations of roles', () => {
  test('count each member once, by all of its roles, most members first', async () => {
    const workspace = await instance.workspace()
    const firstRole = await instance.role(workspace.id, ['moderation.view'])
    const secondRole = await instance.role(workspace.id, ['moderation.ban'])
    await addMemberWithRoles(workspace, [firstRole])
    await addMemberWithRoles(workspace, [firstRole])
    await addMemberWithRoles(workspace, [firstRole])
    await addMemberWithRoles(workspace, [secondRole, firstRole])
    await addMemberWithRoles(workspace, [firstRole, secondRole])
    expect(await listCombinations(workspace)).toEqual([
      { roleIds: [firstRole], members: '3' },
      { roleIds: [firstRole, secondRole].sort(), members: '2' },
      { roleIds: [workspace.ownerRoleId], members: '1' },
    ])
  })

  test('omit members without a role, roles without a member, and other workspaces', async () => {
    const [workspace, otherWorkspace] = [await instance.workspace(), await instance.workspace()]
    await instance.role(workspace.id, [])
    await addMemberWithRoles(workspace, [])
    await addMemberWithRoles(otherWorkspace, [await instance.role(otherWorkspace.id, [])])
    expect(await listCombinations(workspace)).toEqual([{ roleIds: [workspace.ownerRoleId], members: '1' }])
  })

  test('require roles.view', async () => {
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
