import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { joinWorkspace } from '../../support/join-workspace.ts'
import { createMemberRequests, PATH } from './member-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let requests: ReturnType<typeof createMemberRequests>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createMemberRequests(instance, workspace)
})
afterAll(() => instance.close())

describe('removing', () => {
  test('ends the membership from the next request; an account that is added again has no roles', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const { username } = (await requests.read({ accountId: member.accountId })).body.member
    const { status, body } = await requests.remove(member.accountId)
    expect([status, body.member.accountId]).toEqual([200, member.accountId])
    expect(await requests.readGateReason(member.session)).toBe('not_a_member')
    expect((await requests.read({ accountId: member.accountId })).status).toBe(404)
    expect((await joinWorkspace(instance, workspace, { username })).roles).toEqual([])
  })

  test('a member of equal or higher rank, or the owner, is refused', async () => {
    const self = await instance.member(workspace.id, permissions, 30)
    const equalMember = await instance.member(workspace.id, [], 30)
    const higherMember = await instance.member(workspace.id, [], 31)
    for (const { accountId } of [equalMember, higherMember, { accountId: workspace.ownerId }]) {
      expect(await requests.expectRejected(() => requests.remove(accountId, self.session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('a member can leave without any permission, also an archived workspace', async () => {
    const member = await instance.member(workspace.id, [])
    expect((await requests.remove(member.accountId, member.session)).status).toBe(200)
    expect(await requests.readGateReason(member.session)).toBe('not_a_member')
    const archivedWorkspace = await instance.workspace()
    const leavingMember = await instance.member(archivedWorkspace.id, [])
    await instance.request('POST', '/api/workspaces', {
      key: archivedWorkspace.key,
      body: { id: archivedWorkspace.id, archive: 'true' },
    })
    const removeResponse = await instance.request(
      'DELETE',
      requests.toPath({ accountId: leavingMember.accountId }, archivedWorkspace.id),
      {
        session: leavingMember.session,
      },
    )
    expect(removeResponse.status).toBe(200)
  })

  test('the owner cannot leave, because a workspace always has an owner', async () => {
    expect(await requests.expectRejected(() => requests.remove(workspace.ownerId))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
  })

  test('the audit log distinguishes leaving from being removed', async () => {
    const { id, ownerSession } = await instance.workspace()
    const [leavingMember, removed] = [await instance.member(id, []), await instance.member(id, [])]
    await instance.request('DELETE', requests.toPath({ accountId: leavingMember.accountId }, id), {
      session: leavingMember.session,
    })
    await instance.request('DELETE', requests.toPath({ accountId: removed.accountId }, id), {
      session: ownerSession,
    })
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${id}&limit=2`, {
      session: ownerSession,
    })
    expect(
      body.entries.map(({ action, targetId }: { action: string; targetId: string }) => [action, targetId]),
    ).toEqual([
      ['members.remove', removed.accountId],
      ['members.leave', leavingMember.accountId],
    ])
  })
})

describe('fields', () => {
  test('all missing fields are named', async () => {
    expect((await requests.expectRejected(() => requests.write('PATCH', {}))).details).toEqual([
      { field: 'accountId', message: 'is required' },
      { field: 'roleIds', message: 'is required' },
    ])
    const { details } = await requests.expectRejected(() =>
      instance.request('DELETE', requests.toPath(), { session: workspace.ownerSession }),
    )
    expect(details).toEqual([{ field: 'accountId', message: 'is required' }])
  })

  test('role ids that are not a string are refused with their field name', async () => {
    for (const roleIds of [['a'], null, {}]) {
      const { status, details } = await requests.expectRejected(() =>
        requests.write('PATCH', { accountId: 'a', roleIds }),
      )
      expect([status, details[0].field]).toEqual([400, 'roleIds'])
    }
  })
})

describe('access', () => {
  test('reading requires members.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path: PATH,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'members.view',
    })
  })

  test('assigning roles and removing require members.manage', async () => {
    const { accountId } = await instance.member(workspace.id, [], 1)
    const request = {
      path: PATH,
      who: 'session',
      workspaceId: workspace.id,
      permission: 'members.manage',
    } as const
    await expectAccessRules(instance, {
      ...request,
      method: 'PATCH',
      body: { workspaceId: workspace.id, accountId, roleIds: '' },
    })
    await expectAccessRules(instance, {
      ...request,
      method: 'DELETE',
      query: { workspaceId: workspace.id, accountId },
      whileArchived: true,
    })
  })

  test("another workspace's member gets the same response as an unknown one", async () => {
    const otherWorkspace = await instance.workspace()
    const foreignMember = await instance.member(otherWorkspace.id, [])
    const outcomes = []
    for (const accountId of [foreignMember.accountId, UNKNOWN_ID]) {
      for (const step of [
        () => requests.write('PATCH', { accountId, roleIds: '' }),
        () => requests.remove(accountId),
        () => requests.read({ accountId }),
      ]) {
        const { requestId: _, ...rest } = await requests.expectRejected(step)
        outcomes.push(JSON.stringify(rest))
      }
    }
    expect(new Set(outcomes).size).toBe(1)
    expect(outcomes[0]).toContain('not_found')
  })

  test('no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
