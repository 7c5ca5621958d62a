import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Answer, type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { archived } from '../../support/states.ts'
import { stored } from '../../support/stored.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const READ = '/portal/api/invitation'
const ACCEPT = '/portal/api/invitation/accept'
const SIGN_UP = '/portal/api/invitation/sign-up'
const SECRET = 'four words that I chose'

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

let visitors = 0
/** An address of its own, so that no test uses up another's attempts. */
const newAddress = () => `198.51.100.${++visitors}`

async function invite(body: object = {}, session = workspace.ownerSession): Promise<string> {
  const { body: made } = await instance.call('POST', '/portal/api/invitations', {
    session,
    body: { workspaceId: workspace.id, ...body },
  })
  return made.token
}
const read = (token: string, more: object = {}) =>
  instance.call('POST', READ, { body: { token }, from: newAddress(), ...more })
const accept = (token: string, session: string) => instance.call('POST', ACCEPT, { session, body: { token } })
const signUp = (token: string, fields: object = {}, more: object = {}): Promise<Answer> =>
  instance.call('POST', SIGN_UP, {
    body: { token, username: `new ${++visitors}`, password: SECRET, ...fields },
    from: newAddress(),
    ...more,
  })
const someone = async () => {
  const accountId = await instance.account()
  return { accountId, session: await instance.session(accountId) }
}
const tokenIn = (answer: Answer): string =>
  /^reeve_session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
const asOwner = () => ({ session: workspace.ownerSession })
const memberOf = (accountId: string) =>
  instance.call('GET', `/portal/api/members?workspaceId=${workspace.id}&accountId=${accountId}`, asOwner())
const withoutId = ({ status, body }: Answer) => ({ status, ...body, requestId: '' })

/** The answer to a token that opens nothing, and that nothing was changed by any of the three ways to use it. */
async function opensNothing(token: string) {
  const { session } = await someone()
  const before = await stored(instance)
  const answers = [await read(token), await accept(token, session), await signUp(token)]
  expect(await stored(instance)).toEqual(before)
  const [first, ...others] = answers.map(withoutId)
  for (const other of others) expect(other).toEqual(first as object)
  expect(first).toMatchObject({ status: 404, code: 'not_found' })
  return first
}

describe('whoever holds the link', () => {
  test('reads which group it is, who invited, with which roles and until when, and nothing else', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const token = await invite({ roleIds: role, note: 'Secret note' })
    const { status, body, text } = await read(token)
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
    const token = await invite()
    const from = newAddress()
    for (let count = 0; count < 12; count++) expect((await read(token, { from })).status).toBe(200)
  })

  test('becomes a member with the roles, once signed in', async () => {
    const role = await instance.role(workspace.id, ['departments.view'], 5)
    const { accountId, session } = await someone()
    const { status, body } = await accept(await invite({ roleIds: role }), session)
    expect(status).toBe(200)
    expect(body.workspace).toEqual({ id: workspace.id, groupName: expect.stringMatching(/^group /) })
    expect(body.member).toMatchObject({ accountId, rank: '5', isOwner: 'false' })
    expect((await memberOf(accountId)).body.member).toEqual(body.member)
    const departments = `/api/departments?workspaceId=${workspace.id}`
    expect((await instance.call('GET', departments, { session })).status).toBe(200)
  })

  test('without an account makes one, is signed in with it, and can sign in again', async () => {
    const answer = await signUp(await invite(), { username: 'Nele' })
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
    const { session } = await someone()
    expect((await signUp(await invite(), {}, { session })).status).toBe(200)
    const me = await instance.call('GET', '/portal/api/me', { session })
    expect([me.status, me.body.reason]).toEqual([401, 'invalid_session'])
  })

  test('a repeat under an Idempotency-Key is answered as the first one was', async () => {
    const { session } = await someone()
    const token = await invite()
    const headers = { 'idempotency-key': 'join' }
    const [first, second] = [
      await instance.call('POST', ACCEPT, { session, headers, body: { token } }),
      await instance.call('POST', ACCEPT, { session, headers, body: { token } }),
    ]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })
})

describe('a link is good for one', () => {
  test('used, withdrawn, expired and never made are answered alike, and change nothing', async () => {
    const used = await invite()
    await accept(used, (await someone()).session)
    const withdrawn = await invite()
    const [{ id }] = (
      await instance.call('GET', `/portal/api/invitations?workspaceId=${workspace.id}`, asOwner())
    ).body.invitations
    await instance.call('DELETE', `/portal/api/invitations?workspaceId=${workspace.id}&id=${id}`, asOwner())
    const expired = await invite({ validSeconds: '3600' })
    const cut = (await invite()).slice(0, -1)
    instance.clock.advance(3_600_000)
    const answers = []
    for (const token of [used, withdrawn, expired, cut, 'never made']) answers.push(await opensNothing(token))
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  test('of many who accept it at the same time exactly one becomes a member', async () => {
    const token = await invite()
    const people = await Promise.all(Array.from({ length: 8 }, () => someone()))
    const answers = await Promise.all([
      ...people.map(({ session }) => accept(token, session)),
      signUp(token),
      signUp(token),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
    const { body } = await instance.call('GET', `/portal/api/members?workspaceId=${workspace.id}`, asOwner())
    expect(body.members).toHaveLength(2)
  })

  test('one person who accepts it twice at the same time is a member once', async () => {
    const { session } = await someone()
    const token = await invite()
    const answers = await Promise.all([accept(token, session), accept(token, session)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('of two who choose the same name at the same time, one gets it, and the other link stays good', async () => {
    const [one, other] = [await invite(), await invite()]
    const username = 'Wanted by two'
    const answers = await Promise.all([signUp(one, { username }), signUp(other, { username })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const left = answers[0]?.status === 409 ? one : other
    expect((await signUp(left, { username: 'Third choice' })).status).toBe(200)
  })

  test('a member who follows it is told so, and it stays good for another', async () => {
    const token = await invite()
    const before = await stored(instance)
    const answer = await accept(token, workspace.ownerSession)
    expect([answer.status, answer.body.error]).toEqual([
      409,
      expect.stringMatching(/^You are a member of group \d+ already\.$/),
    ])
    expect(await stored(instance)).toEqual(before)
    expect((await accept(token, (await someone()).session)).status).toBe(200)
  })
})

describe('what it gives is decided when it is accepted', () => {
  const change = (id: string, body: object) =>
    instance.call('PATCH', '/portal/api/roles', {
      ...asOwner(),
      body: { workspaceId: workspace.id, id, ...body },
    })

  test('a role that was deleted, raised above its maker or given what they lack is left out; the log says so', async () => {
    const maker = await instance.member(workspace.id, ['members.manage', 'departments.view'], 30)
    const roles = []
    for (const rank of [5, 6, 7, 8]) roles.push(await instance.role(workspace.id, [], rank))
    const [stays, deleted, raised, enriched] = roles as [string, string, string, string]
    const token = await invite({ roleIds: roles.join() }, maker.session)
    await instance.call('DELETE', `/portal/api/roles?workspaceId=${workspace.id}&id=${deleted}`, asOwner())
    await change(raised, { rank: '30' })
    await change(enriched, { permissions: 'moderation.ban' })
    const ids = (answer: Answer, of: string) => answer.body[of].roles.map(({ id }: { id: string }) => id)
    expect(ids(await read(token), 'invitation')).toEqual([stays])
    const { accountId, session } = await someone()
    expect(ids(await accept(token, session), 'member')).toEqual([stays])
    const { body } = await instance.call(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&limit=2`,
      asOwner(),
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
          asOwner(),
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
      const token = await invite({}, maker.session)
      expect((await read(token)).status).toBe(200)
      await end(maker)
      await opensNothing(token)
    }
  })

  test('an archived workspace takes nobody in; its links are good again once it is in use', async () => {
    const token = await invite()
    const { session } = await someone()
    await archived(instance, workspace.id, true)
    expect((await read(token)).body.invitation.status).toBe('archived')
    const before = await stored(instance)
    for (const answer of [await accept(token, session), await signUp(token)]) {
      expect([answer.status, answer.body.reason]).toEqual([403, 'workspace_archived'])
    }
    expect(await stored(instance)).toEqual(before)
    await archived(instance, workspace.id, false)
    expect((await accept(token, session)).status).toBe(200)
  })
})

describe('errors', () => {
  test('fields that are absent or not good enough are named, and the link stays good', async () => {
    const token = await invite()
    const named = (answer: Answer) => answer.body.details.map(({ field }: { field: string }) => field).sort()
    expect(named(await instance.call('POST', READ, { body: {} }))).toEqual(['token'])
    expect(named(await instance.call('POST', SIGN_UP, { body: {} }))).toEqual([
      'password',
      'token',
      'username',
    ])
    expect(named(await signUp(token, { password: 'short' }))).toEqual(['password'])
    expect(named(await signUp(token, { username: 'a\u200bb' }))).toEqual(['username'])
    expect((await signUp(token)).status).toBe(200)
  })

  test('a taken name is a conflict, ignoring case, and the link stays good', async () => {
    await instance.account('Taken')
    const token = await invite()
    const answer = await signUp(token, { username: 'TAKEN' })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([409, null])
    expect((await signUp(token)).status).toBe(200)
  })

  test('guesses at tokens are throttled by address, a good one too', async () => {
    const token = await invite()
    const from = newAddress()
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 ? read(`x${index}`, { from }) : signUp('x', {}, { from }),
      ),
    )
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20)
    const refused = await read(token, { from })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    expect((await read(token)).status).toBe(200)
  })

  test('neither token nor password is echoed or stored, however a call is refused', async () => {
    const token = await invite()
    const answers = [
      await signUp(token, { password: ['the-secret-that-leaks'] }),
      await signUp(token, { extra: 'the-secret-that-leaks' }),
      await instance.call('POST', READ, { body: `{"token":"${token}"` }),
      await signUp(token, { password: 'the-secret-that-leaks' }),
    ]
    for (const { text } of answers) {
      expect(text).not.toContain('the-secret-that-leaks')
      expect(text).not.toContain(token)
    }
    const all = JSON.stringify(await stored(instance))
    expect(all).not.toContain('the-secret-that-leaks')
    expect(all).not.toContain(token)
  })

  test('a token is taken from the body alone: an address ends up in logs', async () => {
    const token = await invite()
    const answer = await instance.call('POST', `${READ}?token=${token}`, { body: {}, from: newAddress() })
    expect(answer.status).toBe(400)
    expect((await instance.call('GET', READ)).status).toBe(405)
  })
})

describe('access', () => {
  test('accepting as oneself is for people who are signed in', async () => {
    const elsewhere = workspace
    const token = await invite()
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
    expect((await read(token)).status).toBe(404)
  })

  test('another site can neither read an invitation nor sign anyone up through a browser', async () => {
    const token = await invite()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }]) {
      for (const answer of [await read(token, { headers }), await signUp(token, {}, { headers })]) {
        expect([answer.status, answer.body.reason]).toEqual([403, 'cross_site_request'])
      }
    }
    expect((await read(token)).status).toBe(200)
  })

  test('nothing that was refused was our own failure', () => {
    expect(instance.failures).toEqual([])
  })
})
