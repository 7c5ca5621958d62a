import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, NEVER_WAS, openInstance } from '../../support/instance.ts'
import { memberCalls } from './member-calls.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof memberCalls>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  calls = memberCalls(instance, workspace)
})
afterAll(async () => {
  expect(instance.failures).toEqual([])
  await instance.close()
})

describe('roles of a member', () => {
  test('are replaced, and hold from the next request on', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const other = await instance.role(workspace.id, ['events.view'], 20)
    const { accountId } = member
    const { body } = await calls.write('PATCH', { accountId, roleIds: other })
    expect(body.member.roles.map(({ id }: { id: string }) => id)).toEqual([other])
    expect(await calls.reasonFor(member.session)).toBe('missing_permission')
    await calls.write('PATCH', { accountId, roleIds: `${other},${member.roleId}` })
    expect(await calls.reasonFor(member.session)).toBe('let in')
    expect((await calls.write('PATCH', { accountId, roleIds: '' })).body.member).toMatchObject({
      roles: [],
      rank: '0',
    })
  })

  const may: Permission[] = ['members.manage', 'members.view', 'departments.view']

  test('are given below the rank of whoever gives them, and with no permission the giver lacks', async () => {
    const { session } = await instance.member(workspace.id, may, 30)
    const { accountId } = await instance.member(workspace.id, [], 5)
    await instance.account('Newcomer')
    const give = [
      (roleIds: string) => calls.write('PATCH', { accountId, roleIds }, session),
      (roleIds: string) => calls.write('POST', { username: 'Newcomer', roleIds }, session),
    ]
    const same = await instance.role(workspace.id, [], 30)
    const rich = await instance.role(workspace.id, ['departments.view', 'moderation.ban'], 10)
    for (const step of give) {
      for (const roleIds of [same, workspace.ownerRoleId]) {
        expect(await calls.refused(() => step(roleIds))).toMatchObject({
          status: 403,
          reason: 'insufficient_rank',
        })
      }
      expect(await calls.refused(() => step(rich))).toMatchObject({
        status: 403,
        reason: 'missing_permission',
        permission: 'moderation.ban',
      })
      const fine = await instance.role(workspace.id, ['departments.view'], 29)
      expect((await step(fine)).status).toBe(200)
    }
  })

  test('that a member has already may stay, and be taken, by one who could not give them', async () => {
    const { session } = await instance.member(workspace.id, may, 30)
    const { accountId, roleId } = await instance.member(workspace.id, ['moderation.ban'], 10)
    const fine = await instance.role(workspace.id, [], 3)
    expect((await calls.write('PATCH', { accountId, roleIds: `${roleId},${fine}` }, session)).status).toBe(
      200,
    )
    expect((await calls.write('PATCH', { accountId, roleIds: fine }, session)).status).toBe(200)
    expect(
      await calls.refused(() => calls.write('PATCH', { accountId, roleIds: roleId }, session)),
    ).toMatchObject({
      permission: 'moderation.ban',
    })
  })

  test('of an equal, of oneself, or of one above are out of reach', async () => {
    const self = await instance.member(workspace.id, permissions, 30)
    const equal = await instance.member(workspace.id, [], 30)
    const above = await instance.member(workspace.id, [], 31)
    for (const { accountId } of [self, equal, above, { accountId: workspace.ownerId }]) {
      expect(
        await calls.refused(() => calls.write('PATCH', { accountId, roleIds: '' }, self.session)),
      ).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('the owner role is assigned to nobody, and the owner keeps it', async () => {
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const body of [
      { accountId, roleIds: workspace.ownerRoleId },
      { accountId: workspace.ownerId, roleIds: '' },
    ]) {
      expect(await calls.refused(() => calls.write('PATCH', body))).toMatchObject({
        status: 409,
        code: 'conflict',
      })
    }
  })

  test('that are no roles of this workspace are refused by name', async () => {
    const other = await instance.workspace()
    const foreign = await instance.role(other.id, [])
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const id of [foreign, NEVER_WAS, 'x']) {
      expect(await calls.refused(() => calls.write('PATCH', { accountId, roleIds: id }))).toMatchObject({
        status: 400,
        details: [{ field: 'roleIds', message: `names no role of this workspace: ${id}` }],
      })
    }
  })
})
