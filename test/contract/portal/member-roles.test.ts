import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { createMemberRequests } from './member-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let requests: ReturnType<typeof createMemberRequests>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createMemberRequests(instance, workspace)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

describe('roles of a member', () => {
  test('are replaced, from the next request', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const otherRole = await instance.role(workspace.id, ['events.view'], 20)
    const { accountId } = member
    const { body } = await requests.write('PATCH', { accountId, roleIds: otherRole })
    expect(body.member.roles.map(({ id }: { id: string }) => id)).toEqual([otherRole])
    expect(await requests.readGateReason(member.session)).toBe('missing_permission')
    await requests.write('PATCH', { accountId, roleIds: `${otherRole},${member.roleId}` })
    expect(await requests.readGateReason(member.session)).toBe('accepted')
    expect((await requests.write('PATCH', { accountId, roleIds: '' })).body.member).toMatchObject({
      roles: [],
      rank: '0',
    })
  })

  test('are not replaced if the member has others than the request expects', async () => {
    const { accountId, roleId } = await instance.member(workspace.id, [], 5)
    const [added, other] = [
      await instance.role(workspace.id, [], 3),
      await instance.role(workspace.id, [], 4),
    ]
    await requests.write('PATCH', { accountId, roleIds: `${roleId},${added}` })
    const replace = (expectedRoleIds: string, roleIds = `${roleId},${other}`) =>
      requests.write('PATCH', { accountId, roleIds, expectedRoleIds })
    for (const expected of [roleId, '', `${roleId},${other}`, `${roleId},${added},${other}`])
      expect(await requests.expectRejected(() => replace(expected))).toMatchObject({
        status: 412,
        code: 'version_mismatch',
      })
    const { body } = await replace(`${added},${roleId}`)
    expect(body.member.roles.map(({ id }: { id: string }) => id)).toEqual([roleId, other])
    // What the request would store is stored already, and a role that it names was deleted.
    expect((await replace(`${roleId},${added}`)).status).toBe(412)
    const query = new URLSearchParams({ workspaceId: workspace.id, id: other })
    const { ownerSession: session } = workspace
    await instance.request('DELETE', `/portal/api/roles?${query}`, { session })
    expect((await replace(`${roleId},${other}`)).status).toBe(412)
    expect((await replace(roleId, '')).body.member.roles).toEqual([])
  })

  const permissionSet: Permission[] = ['members.manage', 'members.view', 'departments.view']

  test('must be below the rank of the actor, who must have all of their permissions', async () => {
    const { session } = await instance.member(workspace.id, permissionSet, 30)
    const { accountId } = await instance.member(workspace.id, [], 5)
    const assignments = [
      (roleIds: string) => requests.write('PATCH', { accountId, roleIds }, session),
      (roleIds: string) =>
        instance.request('POST', '/portal/api/invitations', {
          session,
          body: { workspaceId: workspace.id, username: 'Newcomer', roleIds },
        }),
    ]
    const same = await instance.role(workspace.id, [], 30)
    const privilegedRole = await instance.role(workspace.id, ['departments.view', 'moderation.ban'], 10)
    for (const step of assignments) {
      for (const roleIds of [same, workspace.ownerRoleId]) {
        expect(await requests.expectRejected(() => step(roleIds))).toMatchObject({
          status: 403,
          reason: 'insufficient_rank',
        })
      }
      expect(await requests.expectRejected(() => step(privilegedRole))).toMatchObject({
        status: 403,
        reason: 'missing_permission',
        permission: 'moderation.ban',
      })
      const allowedRole = await instance.role(workspace.id, ['departments.view'], 29)
      expect((await step(allowedRole)).status).toBe(200)
    }
  })

  test('that a member already has can be retained or removed by an actor who cannot assign them', async () => {
    const { session } = await instance.member(workspace.id, permissionSet, 30)
    const { accountId, roleId } = await instance.member(workspace.id, ['moderation.ban'], 10)
    const allowedRole = await instance.role(workspace.id, [], 3)
    expect(
      (await requests.write('PATCH', { accountId, roleIds: `${roleId},${allowedRole}` }, session)).status,
    ).toBe(200)
    expect((await requests.write('PATCH', { accountId, roleIds: allowedRole }, session)).status).toBe(200)
    expect(
      await requests.expectRejected(() => requests.write('PATCH', { accountId, roleIds: roleId }, session)),
    ).toMatchObject({
      permission: 'moderation.ban',
    })
  })

  test('of a member of equal or higher rank, or of oneself, cannot be changed', async () => {
    const self = await instance.member(workspace.id, permissions, 30)
    const equalMember = await instance.member(workspace.id, [], 30)
    const higherMember = await instance.member(workspace.id, [], 31)
    for (const { accountId } of [self, equalMember, higherMember, { accountId: workspace.ownerId }]) {
      expect(
        await requests.expectRejected(() =>
          requests.write('PATCH', { accountId, roleIds: '' }, self.session),
        ),
      ).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('the owner role can be neither assigned nor removed', async () => {
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const body of [
      { accountId, roleIds: workspace.ownerRoleId },
      { accountId: workspace.ownerId, roleIds: '' },
    ]) {
      expect(await requests.expectRejected(() => requests.write('PATCH', body))).toMatchObject({
        status: 409,
        code: 'conflict',
      })
    }
  })

  test('of another workspace and unknown ones are refused with their id', async () => {
    const otherRole = await instance.workspace()
    const foreignRole = await instance.role(otherRole.id, [])
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const id of [foreignRole, UNKNOWN_ID, 'x']) {
      expect(
        await requests.expectRejected(() => requests.write('PATCH', { accountId, roleIds: id })),
      ).toMatchObject({
        status: 400,
        details: [
          { field: 'roleIds', message: `contains an id that is not a role of this workspace: ${id}` },
        ],
      })
    }
  })
})
