import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Answer, type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { archived } from '../../support/states.ts'
import { stored } from '../../support/stored.ts'
import { ACCEPT, invitationCalls, newAddress, SECRET } from './invitation-calls.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof invitationCalls>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  calls = invitationCalls(instance, workspace)
})
afterAll(() => instance.close())

const tokenIn = (answer: Answer): string =>
  /^reeve_session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
const memberOf = (accountId: string) =>
  instance.call(
    'GET',
    `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`,
    calls.asOwner(),
  )

describe('whoever holds the link', () => {
  test('reads which group it is, who invited, with which roles and until when, and nothing else', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const token = await calls.invite({ roleIds: role, note: 'Secret note' })
    const { status, body, text } = await calls.read(token)
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
    const token = await calls.invite()
    const from = newAddress()
    for (let count = 0; count < 12; count++) expect((await calls.read(token, { from })).status).toBe(200)
  })

  test('becomes a member with the roles, once signed in', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const { accountId, session } = await calls.someone()
    const { status, body } = await calls.accept(await calls.invite({ roleIds: role }), session)
    expect(status).toBe(200)
    expect(body.workspace).toEqual({ id: workspace.id, groupName: expect.stringMatching(/^group /) })
    expect(body.member).toMatchObject({ accountId, rank: '5', isOwner: 'false' })
    expect((await memberOf(accountId)).body.member).toEqual(body.member)
    const departments = `/api/departments?workspaceId=${workspace.id}`
    expect((await instance.call('GET', departments, { session })).status).toBe(200)
  })

  test('without an account makes one, is signed in with it, and can sign in again', async () => {
    const answer = await calls.signUp(await calls.invite(), { username: 'Nele' })
    expect(answer.status).toBe(200)
    expect(answer.body.account).toMatchObject({ username: 'Nele', isOperator: 'false' })
    expect(answer.body.member).toMatchObject({ username: 'Nele', roles: [] })
    expect(answer.headers.get('set-cookie')).toContain('HttpOnly')
    const me = await instance.call('GET', '/portal/api/me', { session: tokenIn(answer) })
    expect(me.body.workspaces.map(({ id }: { id: string }) => id)).toEqual([workspace.id])
    const again = { username: 'nele', password: SECRET }
    expect((await instance.call('POST', '/portal/api/sign-in', { body: again })).status).toBe(200)
  })

  test('who signs up in a browser that was signed in leaves no session behind', async () => {
    const { session } = await calls.someone()
    expect((await calls.signUp(await calls.invite(), {}, { session })).status).toBe(200)
    const me = await instance.call('GET', '/portal/api/me', { session })
    expect([me.status, me.body.reason]).toEqual([401, 'invalid_session'])
  })

  test('a repeat under an Idempotency-Key is answered as the first one was', async () => {
    const { session } = await calls.someone()
    const token = await calls.invite()
    const headers = { 'idempotency-key': 'join' }
    const [first, second] = [
      await instance.call('POST', ACCEPT, { session, headers, body: { token } }),
      await instance.call('POST', ACCEPT, { session, headers, body: { token } }),
    ]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })
})

describe('what it gives is decided when it is accepted', () => {
  const change = (id: string, body: object) =>
    instance.call('PATCH', '/portal/api/roles', {
      ...calls.asOwner(),
      body: { workspaceId: workspace.id, id, ...body },
    })

  test('a role that was deleted, raised above its maker or given what they lack is left out; the log says so', async () => {
    const maker = await instance.member(workspace.id, ['members.manage', 'departments.view'], 30)
    const roles = []
    for (const rank of [5, 6, 7, 8]) roles.push(await instance.role(workspace.id, [], rank))
    const [stays, deleted, raised, enriched] = roles as [string, string, string, string]
    const token = await calls.invite({ roleIds: roles.join() }, maker.session)
    await instance.call(
      'DELETE',
      `/portal/api/roles?workspaceId=${workspace.id}&id=${deleted}`,
      calls.asOwner(),
    )
    await change(raised, { rank: '30' })
    await change(enriched, { permissions: 'moderation.ban' })
    const ids = (answer: Answer, of: string) => answer.body[of].roles.map(({ id }: { id: string }) => id)
    expect(ids(await calls.read(token), 'invitation')).toEqual([stays])
    const { accountId, session } = await calls.someone()
    expect(ids(await calls.accept(token, session), 'member')).toEqual([stays])
    const { body } = await instance.call(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&limit=2`,
      calls.asOwner(),
    )
    expect(
      body.entries.map(({ action, actorId }: { action: string; actorId: string }) => [action, actorId]),
    ).toEqual([
      ['invitations.accept', accountId],
      ['members.join', accountId],
    ])
    for (const id of [deleted, raised, enriched]) expect(JSON.stringify(body.entries[0])).toContain(id)
  })

  test('whose maker left, lost members.manage or was disabled opens nothing', async () => {
    const operator = await instance.session(await instance.account(undefined, true))
    const ends: ((maker: { accountId: string; roleId: string }) => Promise<unknown>)[] = [
      ({ accountId }) =>
        instance.call(
          'DELETE',
          `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`,
          calls.asOwner(),
        ),
      ({ roleId }) => change(roleId, { permissions: 'members.view' }),
      ({ accountId }) =>
        instance.call('PATCH', '/admin/api/accounts', {
          session: operator,
          body: { id: accountId, disabled: 'true' },
        }),
    ]
    for (const end of ends) {
      const maker = await instance.member(workspace.id, permissions, 30)
      const token = await calls.invite({}, maker.session)
      expect((await calls.read(token)).status).toBe(200)
      await end(maker)
      await calls.opensNothing(token)
    }
  })

  test('an archived workspace takes nobody in; its links are good again once it is in use', async () => {
    const token = await calls.invite()
    const { session } = await calls.someone()
    await archived(instance, workspace.id, true)
    expect((await calls.read(token)).body.invitation.status).toBe('archived')
    const before = await stored(instance)
    for (const answer of [await calls.accept(token, session), await calls.signUp(token)]) {
      expect([answer.status, answer.body.reason]).toEqual([403, 'workspace_archived'])
    }
    expect(await stored(instance)).toEqual(before)
    await archived(instance, workspace.id, false)
    expect((await calls.accept(token, session)).status).toBe(200)
  })
})

describe('access', () => {
  test('accepting as oneself is for people who are signed in', async () => {
    const elsewhere = workspace
    const token = await calls.invite()
    workspace = await instance.workspace()
    await replay(instance, {
      method: 'POST',
      path: ACCEPT,
      who: 'session',
      workspace: 'none',
      workspaceId: workspace.id,
      permission: null,
      body: { token },
    })
    workspace = elsewhere
    expect((await calls.read(token)).status).toBe(404)
  })

  test('another site can neither read an invitation nor sign anyone up through a browser', async () => {
    const token = await calls.invite()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }]) {
      for (const answer of [
        await calls.read(token, { headers }),
        await calls.signUp(token, {}, { headers }),
      ]) {
        expect([answer.status, answer.body.reason]).toEqual([403, 'cross_site_request'])
      }
    }
    expect((await calls.read(token)).status).toBe(200)
  })

  test('nothing that was refused was our own failure', () => {
    expect(instance.failures).toEqual([])
  })
})
