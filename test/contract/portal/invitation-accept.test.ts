import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { setArchived } from '../../support/workspace-states.ts'
import { ACCEPT, createInvitationRequests, nextIp, SECRET } from './invitation-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let requests: ReturnType<typeof createInvitationRequests>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  requests = createInvitationRequests(instance, workspace)
})
afterAll(() => instance.close())

const memberOf = (accountId: string) =>
  instance.request(
    'GET',
    `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`,
    requests.ownerCredentials(),
  )

describe('a person who has the link', () => {
  test('sees the workspace name, the inviter, the roles and the expiry, and nothing else', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const token = await requests.createInvitation({ roleIds: role, note: 'Secret note' })
    const { status, body, text } = await requests.readInvitation(token)
    expect(status).toBe(200)
    expect(body.invitation).toEqual({
      groupName: expect.stringMatching(/^group /),
      status: 'active',
      invitedBy: expect.stringMatching(/^account /),
      roles: [{ id: role, name: expect.any(String), color: null }],
      expiresAt: new Date(instance.ports.now() + 7 * 24 * 3_600_000).toISOString(),
    })
    expect(text).not.toContain('Secret note')
    expect(text).not.toContain(workspace.id)
  })

  test('can read it any number of times: only unusable tokens are throttled', async () => {
    const token = await requests.createInvitation()
    const from = nextIp()
    for (let count = 0; count < 12; count++)
      expect((await requests.readInvitation(token, { from })).status).toBe(200)
  })

  test('becomes a member with the roles when signed in', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const { accountId, session } = await requests.createNonMember()
    const { status, body } = await requests.acceptInvitation(
      await requests.createInvitation({ roleIds: role }),
      session,
    )
    expect(status).toBe(200)
    expect(body.workspace).toEqual({ id: workspace.id, groupName: expect.stringMatching(/^group /) })
    expect(body.member).toMatchObject({ accountId, rank: '5', isOwner: 'false' })
    expect((await memberOf(accountId)).body.member).toMatchObject(body.member)
    const departments = `/api/departments?workspaceId=${workspace.id}`
    expect((await instance.request('GET', departments, { session })).status).toBe(200)
  })

  test('can sign up, is signed in, and can sign in again', async () => {
    const response = await requests.signUp(await requests.createInvitation(), { username: 'Nele' })
    expect(response.status).toBe(200)
    expect(response.body.account).toMatchObject({ username: 'Nele', isOperator: 'false' })
    expect(response.body.member).toMatchObject({ username: 'Nele', roles: [] })
    expect(response.headers.get('set-cookie')).toContain('HttpOnly')
    const me = await instance.request('GET', '/portal/api/me', { session: readSessionToken(response) })
    expect(me.body.workspaces.map(({ id }: { id: string }) => id)).toEqual([workspace.id])
    const signUpFields = { username: 'nele', password: SECRET }
    expect((await instance.request('POST', '/portal/api/sign-in', { body: signUpFields })).status).toBe(200)
  })

  test('signing up in a signed-in browser ends the previous session', async () => {
    const { session } = await requests.createNonMember()
    expect((await requests.signUp(await requests.createInvitation(), {}, { session })).status).toBe(200)
    const me = await instance.request('GET', '/portal/api/me', { session })
    expect([me.status, me.body.reason]).toEqual([401, 'invalid_session'])
  })

  test('a retry with the same Idempotency-Key gets the first response', async () => {
    const { session } = await requests.createNonMember()
    const token = await requests.createInvitation()
    const headers = { 'idempotency-key': 'join' }
    const [first, second] = [
      await instance.request('POST', ACCEPT, { session, headers, body: { token } }),
      await instance.request('POST', ACCEPT, { session, headers, body: { token } }),
    ]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })
})

describe('the grant is determined at acceptance', () => {
  const change = (id: string, body: object) =>
    instance.request('PATCH', '/portal/api/roles', {
      ...requests.ownerCredentials(),
      body: { workspaceId: workspace.id, id, ...body },
    })

  test('roles that were deleted, or that the creator can no longer assign, are skipped and recorded in the audit log', async () => {
    const inviter = await instance.member(workspace.id, ['members.manage', 'departments.view'], 30)
    const roles = []
    for (const rank of [5, 6, 7, 8]) roles.push(await instance.role(workspace.id, [], rank))
    const [keptRoleId, deleted, raisedRoleId, enriched] = roles as [string, string, string, string]
    const token = await requests.createInvitation({ roleIds: roles.join() }, inviter.session)
    await instance.request(
      'DELETE',
      `/portal/api/roles?workspaceId=${workspace.id}&id=${deleted}`,
      requests.ownerCredentials(),
    )
    await change(raisedRoleId, { rank: '30' })
    await change(enriched, { permissions: 'moderation.ban' })
    const ids = (response: TestResponse, of: string) =>
      response.body[of].roles.map(({ id }: { id: string }) => id)
    expect(ids(await requests.readInvitation(token), 'invitation')).toEqual([keptRoleId])
    const { accountId, session } = await requests.createNonMember()
    expect(ids(await requests.acceptInvitation(token, session), 'member')).toEqual([keptRoleId])
    const { body } = await instance.request(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&limit=2`,
      requests.ownerCredentials(),
    )
    expect(
      body.entries.map(({ action, actorId }: { action: string; actorId: string }) => [action, actorId]),
    ).toEqual([
      ['invitations.accept', accountId],
      ['members.join', accountId],
    ])
    for (const id of [deleted, raisedRoleId, enriched]) expect(JSON.stringify(body.entries[0])).toContain(id)
  })

  test('an invitation is unusable if its creator left, lost members.manage or was disabled', async () => {
    const operator = await instance.session(await instance.account(undefined, true))
    const ends: ((inviter: { accountId: string; roleId: string }) => Promise<unknown>)[] = [
      ({ accountId }) =>
        instance.request(
          'DELETE',
          `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`,
          requests.ownerCredentials(),
        ),
      ({ roleId }) => change(roleId, { permissions: 'members.view' }),
      ({ accountId }) =>
        instance.request('PATCH', '/admin/api/accounts', {
          session: operator,
          body: { id: accountId, disabled: 'true' },
        }),
    ]
    for (const end of ends) {
      const inviter = await instance.member(workspace.id, permissions, 30)
      const token = await requests.createInvitation({}, inviter.session)
      expect((await requests.readInvitation(token)).status).toBe(200)
      await end(inviter)
      await requests.expectUnusableToken(token)
    }
  })

  test('invitations of an archived workspace cannot be accepted until it is restored', async () => {
    const token = await requests.createInvitation()
    const { session } = await requests.createNonMember()
    await setArchived(instance, workspace.id, true)
    expect((await requests.readInvitation(token)).body.invitation.status).toBe('archived')
    const before = await readStoredRows(instance)
    for (const response of [await requests.acceptInvitation(token, session), await requests.signUp(token)]) {
      expect([response.status, response.body.reason]).toEqual([403, 'workspace_archived'])
    }
    expect(await readStoredRows(instance)).toEqual(before)
    await setArchived(instance, workspace.id, false)
    expect((await requests.acceptInvitation(token, session)).status).toBe(200)
  })
})

describe('access', () => {
  test('accepting with an existing account requires a session', async () => {
    const otherWorkspace = workspace
    const token = await requests.createInvitation()
    workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'POST',
      path: ACCEPT,
      who: 'session',
      workspace: 'none',
      workspaceId: workspace.id,
      permission: null,
      body: { token },
    })
    workspace = otherWorkspace
    expect((await requests.readInvitation(token)).status).toBe(404)
  })

  test('another site can neither read an invitation nor sign up through a browser', async () => {
    const token = await requests.createInvitation()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }]) {
      for (const response of [
        await requests.readInvitation(token, { headers }),
        await requests.signUp(token, {}, { headers }),
      ]) {
        expect([response.status, response.body.reason]).toEqual([403, 'cross_site_request'])
      }
    }
    expect((await requests.readInvitation(token)).status).toBe(200)
  })

  test('no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
