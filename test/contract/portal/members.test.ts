import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
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

describe('adding', () => {
  test('makes an existing account a member with roles, by its case-insensitive username', async () => {
    const accountId = await instance.account('Zoë')
    const session = await instance.session(accountId)
    const lowRole = await instance.role(workspace.id, ['departments.view'], 5)
    const highRole = await instance.role(workspace.id, ['events.view'], 70)
    expect(await requests.readGateReason(session)).toBe('not_a_member')
    const { status, body } = await requests.write('POST', {
      username: 'ZOË',
      roleIds: `${lowRole}, ${highRole},${lowRole}`,
    })
    expect(status).toBe(200)
    expect(body.member).toEqual({
      accountId,
      username: 'Zoë',
      roles: [
        { id: highRole, name: expect.any(String), color: null, rank: '70' },
        { id: lowRole, name: expect.any(String), color: null, rank: '5' },
      ],
      rank: '70',
      joinedAt: new Date(instance.ports.now()).toISOString(),
      isOwner: 'false',
    })
    expect(await requests.readGateReason(session)).toBe('accepted')
  })

  test('without roles creates a member without permissions', async () => {
    const session = await instance.session(await instance.account('Bare'))
    const { body } = await requests.write('POST', { username: 'Bare' })
    expect([body.member.roles, body.member.rank]).toEqual([[], '0'])
    expect(await requests.readGateReason(session)).toBe('missing_permission')
  })

  test('a member again is a conflict, also with concurrent requests', async () => {
    await instance.account('Twice')
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => requests.write('POST', { username: 'twice' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(responses.find(({ status }) => status === 409)?.body.error).toBe('Twice is already a member.')
  })

  test('an unknown username is not found, with a clear message', async () => {
    expect(
      await requests.expectRejected(() => requests.write('POST', { username: 'nobody here' })),
    ).toMatchObject({
      status: 404,
      code: 'not_found',
      error: 'There is no account named nobody here on this instance.',
    })
  })

  test('without members.manage, the response does not reveal which usernames exist', async () => {
    await instance.account('Secret')
    const { session } = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'members.manage'),
    )
    const responses = []
    for (const username of ['Secret', 'no such account']) {
      const { requestId: _, ...rest } = await requests.expectRejected(() =>
        requests.write('POST', { username }, session),
      )
      responses.push(rest)
    }
    expect(responses[0]).toMatchObject({ status: 403, permission: 'members.manage' })
    expect(responses[0]).toEqual(responses[1])
  })
})

describe('removing', () => {
  test('ends the membership from the next request; an account that is added again has no roles', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const { username } = (await requests.read({ accountId: member.accountId })).body.member
    const { status, body } = await requests.remove(member.accountId)
    expect([status, body.member.accountId]).toEqual([200, member.accountId])
    expect(await requests.readGateReason(member.session)).toBe('not_a_member')
    expect((await requests.read({ accountId: member.accountId })).status).toBe(404)
    expect((await requests.write('POST', { username })).body.member.roles).toEqual([])
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
    expect((await requests.expectRejected(() => requests.write('POST', {}))).details).toEqual([
      { field: 'username', message: 'is required' },
    ])
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

  test('adding, assigning roles and removing require members.manage', async () => {
    await instance.account('Replayed')
    const { accountId } = await instance.member(workspace.id, [], 1)
    const request = {
      path: PATH,
      who: 'session',
      workspaceId: workspace.id,
      permission: 'members.manage',
    } as const
    await expectAccessRules(instance, {
      ...request,
      method: 'POST',
      body: { workspaceId: workspace.id, username: 'Replayed' },
    })
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
