import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { setArchived } from '../../support/workspace-states.ts'
import { ACCEPT, createInvitationRequests, nextIp, SECRET } from './invitation-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof createInvitationRequests>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  calls = createInvitationRequests(instance, workspace)
})
afterAll(() => instance.close())

const tokenIn = (response: TestResponse): string =>
  /^reeve_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
const memberOf = (accountId: string) =>
  instance.request(
    'GET',
    `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`,
    calls.ownerCredentials(),
  )

describe('whoever holds the link', () => {
  test('reads which group it is, who invited, with which roles and until when, and nothing else', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const token = await calls.createInvitation({ roleIds: role, note: 'Secret note' })
    const { status, body, text } = await calls.readInvitation(token)
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

  test('may read it as often as they like: only what opens nothing counts as a guess', async () => {
    const token = await calls.createInvitation()
    const from = nextIp()
    for (let count = 0; count < 12; count++)
      expect((await calls.readInvitation(token, { from })).status).toBe(200)
  })

  test('becomes a member with the roles, once signed in', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const { accountId, session } = await calls.createNonMember()
    const { status, body } = await calls.acceptInvitation(
      await calls.createInvitation({ roleIds: role }),
      session,
    )
    expect(status).toBe(200)
    expect(body.workspace).toEqual({ id: workspace.id, groupName: expect.stringMatching(/^group /) })
    expect(body.member).toMatchObject({ accountId, rank: '5', isOwner: 'false' })
    expect((await memberOf(accountId)).body.member).toEqual(body.member)
    const departments = `/api/departments?workspaceId=${workspace.id}`
    expect((await instance.request('GET', departments, { session })).status).toBe(200)
  })

  test('without an account makes one, is signed in with it, and can sign in again', async () => {
    const response = await calls.signUp(await calls.createInvitation(), { username: 'Nele' })
    expect(response.status).toBe(200)
    expect(response.body.account).toMatchObject({ username: 'Nele', isOperator: 'false' })
    expect(response.body.member).toMatchObject({ username: 'Nele', roles: [] })
    expect(response.headers.get('set-cookie')).toContain('HttpOnly')
    const me = await instance.request('GET', '/portal/api/me', { session: tokenIn(response) })
    expect(me.body.workspaces.map(({ id }: { id: string }) => id)).toEqual([workspace.id])
    const signUpFields = { username: 'nele', password: SECRET }
    expect((await instance.request('POST', '/portal/api/sign-in', { body: signUpFields })).status).toBe(200)
  })

  test('who signs up in a browser that was signed in leaves no session behind', async () => {
    const { session } = await calls.createNonMember()
    expect((await calls.signUp(await calls.createInvitation(), {}, { session })).status).toBe(200)
    const me = await instance.request('GET', '/portal/api/me', { session })
    expect([me.status, me.body.reason]).toEqual([401, 'invalid_session'])
  })

  test('a repeat under an Idempotency-Key is answered as the first one was', async () => {
    const { session } = await calls.createNonMember()
    const token = await calls.createInvitation()
    const headers = { 'idempotency-key': 'join' }
    const [first, second] = [
      await instance.request('POST', ACCEPT, { session, headers, body: { token } }),
      await instance.request('POST', ACCEPT, { session, headers, body: { token } }),
    ]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })
})

describe('what it gives is decided when it is accepted', () => {
  const change = (id: string, body: object) =>
    instance.request('PATCH', '/portal/api/roles', {
      ...calls.ownerCredentials(),
      body: { workspaceId: workspace.id, id, ...body },
    })

  test('a role that was deleted, raised above its maker or given what they lack is left out; the log says so', async () => {
    const inviter = await instance.member(workspace.id, ['members.manage', 'departments.view'], 30)
    const roles = []
    for (const rank of [5, 6, 7, 8]) roles.push(await instance.role(workspace.id, [], rank))
    const [keptRoleId, deleted, raisedRoleId, enriched] = roles as [string, string, string, string]
    const token = await calls.createInvitation({ roleIds: roles.join() }, inviter.session)
    await instance.request(
      'DELETE',
      `/portal/api/roles?workspaceId=${workspace.id}&id=${deleted}`,
      calls.ownerCredentials(),
    )
    await change(raisedRoleId, { rank: '30' })
    await change(enriched, { permissions: 'moderation.ban' })
    const ids = (response: TestResponse, of: string) =>
      response.body[of].roles.map(({ id }: { id: string }) => id)
    expect(ids(await calls.readInvitation(token), 'invitation')).toEqual([keptRoleId])
    const { accountId, session } = await calls.createNonMember()
    expect(ids(await calls.acceptInvitation(token, session), 'member')).toEqual([keptRoleId])
    const { body } = await instance.request(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&limit=2`,
      calls.ownerCredentials(),
    )
    expect(
      body.entries.map(({ action, actorId }: { action: string; actorId: string }) => [action, actorId]),
    ).toEqual([
      ['invitations.accept', accountId],
      ['members.join', accountId],
    ])
    for (const id of [deleted, raisedRoleId, enriched]) expect(JSON.stringify(body.entries[0])).toContain(id)
  })

  test('whose maker left, lost members.manage or was disabled opens nothing', async () => {
    const operator = await instance.session(await instance.account(undefined, true))
    const ends: ((inviter: { accountId: string; roleId: string }) => Promise<unknown>)[] = [
      ({ accountId }) =>
        instance.request(
          'DELETE',
          `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`,
          calls.ownerCredentials(),
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
      const token = await calls.createInvitation({}, inviter.session)
      expect((await calls.readInvitation(token)).status).toBe(200)
      await end(inviter)
      await calls.expectUnusableToken(token)
    }
  })

  test('an archived workspace takes nobody in; its links are good again once it is in use', async () => {
    const token = await calls.createInvitation()
    const { session } = await calls.createNonMember()
    await setArchived(instance, workspace.id, true)
    expect((await calls.readInvitation(token)).body.invitation.status).toBe('archived')
    const before = await readStoredRows(instance)
    for (const response of [await calls.acceptInvitation(token, session), await calls.signUp(token)]) {
      expect([response.status, response.body.reason]).toEqual([403, 'workspace_archived'])
    }
    expect(await readStoredRows(instance)).toEqual(before)
    await setArchived(instance, workspace.id, false)
    expect((await calls.acceptInvitation(token, session)).status).toBe(200)
  })
})

describe('access', () => {
  test('accepting as oneself is for people who are signed in', async () => {
    const otherWorkspace = workspace
    const token = await calls.createInvitation()
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
    expect((await calls.readInvitation(token)).status).toBe(404)
  })

  test('another site can neither read an invitation nor sign anyone up through a browser', async () => {
    const token = await calls.createInvitation()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }]) {
      for (const response of [
        await calls.readInvitation(token, { headers }),
        await calls.signUp(token, {}, { headers }),
      ]) {
        expect([response.status, response.body.reason]).toEqual([403, 'cross_site_request'])
      }
    }
    expect((await calls.readInvitation(token)).status).toBe(200)
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
