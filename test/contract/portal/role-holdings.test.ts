import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'

let instance: Instance
const path = '/portal/api/roles/holdings'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

async function holdings(of: { readonly id: string; readonly ownerSession: string }) {
  const { status, body } = await instance.call('GET', `${path}?workspaceId=${of.id}`, {
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
  const { status } = await instance.call('PATCH', '/portal/api/members', { session: of.ownerSession, body })
  expect(status).toBe(200)
}

describe('which roles are held together', () => {
  test('is counted once a member, by all that each holds, most first', async () => {
    const workspace = await instance.workspace()
    const one = await instance.role(workspace.id, ['moderation.view'])
    const other = await instance.role(workspace.id, ['moderation.ban'])
    await holder(workspace, [one])
    await holder(workspace, [one])
    await holder(workspace, [one])
    await holder(workspace, [other, one])
    await holder(workspace, [one, other])
    expect(await holdings(workspace)).toEqual([
      { roleIds: [one], members: '3' },
      { roleIds: [one, other].sort(), members: '2' },
      { roleIds: [workspace.ownerRoleId], members: '1' },
    ])
  })

  test('leaves out members without a role, roles that nobody holds, and every other workspace', async () => {
    const [workspace, elsewhere] = [await instance.workspace(), await instance.workspace()]
    await instance.role(workspace.id, [])
    await holder(workspace, [])
    await holder(elsewhere, [await instance.role(elsewhere.id, [])])
    expect(await holdings(workspace)).toEqual([{ roleIds: [workspace.ownerRoleId], members: '1' }])
  })

  test('is for those who may read roles', async () => {
    const { id } = await instance.workspace()
    await replay(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: id,
      query: { workspaceId: id },
      permission: 'roles.view',
    })
  })
})
