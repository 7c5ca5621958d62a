import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { createMemberRequests, PATH } from './member-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof createMemberRequests>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  calls = createMemberRequests(instance, workspace)
})
afterAll(() => instance.close())

describe('adding', () => {
  test('an existing account becomes a member, by its username ignoring case, with roles', async () => {
    const accountId = await instance.account('Zoë')
    const session = await instance.session(accountId)
    const lowRole = await instance.role(workspace.id, ['departments.view'], 5)
    const highRole = await instance.role(workspace.id, ['events.view'], 70)
    expect(await calls.readGateReason(session)).toBe('not_a_member')
    const { status, body } = await calls.write('POST', {
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
    expect(await calls.readGateReason(session)).toBe('let in')
  })

  test('without roles is a member who may do nothing yet', async () => {
    const session = await instance.session(await instance.account('Bare'))
    const { body } = await calls.write('POST', { username: 'Bare' })
    expect([body.member.roles, body.member.rank]).toEqual([[], '0'])
    expect(await calls.readGateReason(session)).toBe('missing_permission')
  })

  test('a member again is a conflict, also when two race', async () => {
    await instance.account('Twice')
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => calls.write('POST', { username: 'twice' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(responses.find(({ status }) => status === 409)?.body.error).toBe('Twice is a member already.')
  })

  test('an unknown username is not found, and the answer says so', async () => {
    expect(await calls.expectRejected(() => calls.write('POST', { username: 'nobody here' }))).toMatchObject({
      status: 404,
      code: 'not_found',
      error: 'There is no account named nobody here on this instance.',
    })
  })

  test('whoever may not add members learns nothing about usernames', async () => {
    await instance.account('Secret')
    const { session } = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'members.manage'),
    )
    const responses = []
    for (const username of ['Secret', 'no such account']) {
      const { requestId: _, ...rest } = await calls.expectRejected(() =>
        calls.write('POST', { username }, session),
      )
      responses.push(rest)
    }
    expect(responses[0]).toMatchObject({ status: 403, permission: 'members.manage' })
    expect(responses[0]).toEqual(responses[1])
  })
})

describe('removing', () => {
  test('ends the membership from the next request on; the account may be added again without its roles', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const { username } = (await calls.read({ accountId: member.accountId })).body.member
    const { status, body } = await calls.remove(member.accountId)
    expect([status, body.member.accountId]).toEqual([200, member.accountId])
    expect(await calls.readGateReason(member.session)).toBe('not_a_member')
    expect((await calls.read({ accountId: member.accountId })).status).toBe(404)
    expect((await calls.write('POST', { username })).body.member.roles).toEqual([])
  })

  test('an equal, one above or the owner is refused', async () => {
    const self = await instance.member(workspace.id, permissions, 30)
    const equalMember = await instance.member(workspace.id, [], 30)
    const higherMember = await instance.member(workspace.id, [], 31)
    for (const { accountId } of [equalMember, higherMember, { accountId: workspace.ownerId }]) {
      expect(await calls.expectRejected(() => calls.remove(accountId, self.session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('whoever wants to leave may, without any permission, also an archived workspace', async () => {
    const member = await instance.member(workspace.id, [])
    expect((await calls.remove(member.accountId, member.session)).status).toBe(200)
    expect(await calls.readGateReason(member.session)).toBe('not_a_member')
    const archivedWorkspace = await instance.workspace()
    const leavingMember = await instance.member(archivedWorkspace.id, [])
    await instance.request('POST', '/api/workspaces', {
      key: archivedWorkspace.key,
      body: { id: archivedWorkspace.id, archive: 'true' },
    })
    const removeResponse = await instance.request(
      'DELETE',
      calls.toPath({ accountId: leavingMember.accountId }, archivedWorkspace.id),
      {
        session: leavingMember.session,
      },
    )
    expect(removeResponse.status).toBe(200)
  })

  test('the owner cannot leave: a workspace is never without one', async () => {
    expect(await calls.expectRejected(() => calls.remove(workspace.ownerId))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
  })

  test('who left is in the log as having left, who was removed', async () => {
    const { id, ownerSession } = await instance.workspace()
    const [leavingMember, removed] = [await instance.member(id, []), await instance.member(id, [])]
    await instance.request('DELETE', calls.toPath({ accountId: leavingMember.accountId }, id), {
      session: leavingMember.session,
    })
    await instance.request('DELETE', calls.toPath({ accountId: removed.accountId }, id), {
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
  test('those that are needed are named, all of them', async () => {
    expect((await calls.expectRejected(() => calls.write('POST', {}))).details).toEqual([
      { field: 'username', message: 'is required' },
    ])
    expect((await calls.expectRejected(() => calls.write('PATCH', {}))).details).toEqual([
      { field: 'accountId', message: 'is required' },
      { field: 'roleIds', message: 'is required' },
    ])
    const { details } = await calls.expectRejected(() =>
      instance.request('DELETE', calls.toPath(), { session: workspace.ownerSession }),
    )
    expect(details).toEqual([{ field: 'accountId', message: 'is required' }])
  })

  test('a list that is no text is refused by name', async () => {
    for (const roleIds of [['a'], null, {}]) {
      const { status, details } = await calls.expectRejected(() =>
        calls.write('PATCH', { accountId: 'a', roleIds }),
      )
      expect([status, details[0].field]).toEqual([400, 'roleIds'])
    }
  })
})

describe('who may', () => {
  test('reading needs members.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path: PATH,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'members.view',
    })
  })

  test('adding, assigning and removing need members.manage', async () => {
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

  test("another workspace's member is not found, exactly as one that never was", async () => {
    const otherWorkspace = await instance.workspace()
    const foreignMember = await instance.member(otherWorkspace.id, [])
    const outcomes = []
    for (const accountId of [foreignMember.accountId, UNKNOWN_ID]) {
      for (const step of [
        () => calls.write('PATCH', { accountId, roleIds: '' }),
        () => calls.remove(accountId),
        () => calls.read({ accountId }),
      ]) {
        const { requestId: _, ...rest } = await calls.expectRejected(step)
        outcomes.push(JSON.stringify(rest))
      }
    }
    expect(new Set(outcomes).size).toBe(1)
    expect(outcomes[0]).toContain('not_found')
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
