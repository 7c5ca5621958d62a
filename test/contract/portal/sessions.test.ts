import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSession } from '@reeve/auth'
import { statement } from '@reeve/db'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

const get = (path: string, session: string) => instance.request('GET', `/portal/api/${path}`, { session })
const post = (path: string, session: string, body?: unknown) =>
  instance.request('POST', `/portal/api/${path}`, { session, ...(body === undefined ? {} : { body }) })
const end = (session: string, id: string) =>
  instance.request('DELETE', `/portal/api/sessions?id=${id}`, { session })

/** A new account with `count` sessions. */
async function signedIn(count: number) {
  const accountId = await instance.account()
  const sessions: string[] = []
  for (let index = 0; index < count; index++) sessions.push(await instance.session(accountId))
  return { accountId, sessions: sessions as [string, string, string] }
}

/** A session that the test does not keep verified, because that writes to it. */
const createUnverifiedSession = (accountId: string): Promise<string> =>
  instance.db.write((tx) =>
    createSession(tx, instance.ports, accountId, {
      ip: '127.0.0.1',
      userAgent: 'test',
      factors: ['password'],
    }),
  )

const touchSessions = statement<{ accountId: string }>()((sql, p) =>
  sql
    .updateTable('session')
    .set((eb) => ({ last_seen_at: eb.ref('last_seen_at') }))
    .where('account_id', '=', p.accountId),
)

/** Holds the rows of an account's sessions, so that writes to them wait. */
async function holdSessions(accountId: string) {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = instance.db.write(async (tx) => {
    await tx.run(touchSessions, { accountId })
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, holding])
  return {
    async release(): Promise<void> {
      released.resolve()
      await holding
    },
  }
}

test('requests of many sessions at the same time write their last uses in few transactions', async () => {
  const accountId = await instance.account()
  const sessions: string[] = []
  for (let index = 0; index < 12; index++) sessions.push(await createUnverifiedSession(accountId))
  instance.clock.advance(HOUR)
  const otherSession = await instance.session(await instance.account())
  const before = instance.db.stats().committed
  const rows = await holdSessions(accountId)
  const requests = sessions.map((session) => get('sessions', session))
  // Each connection answers lookups in their order: after these, the lookups of all requests are answered.
  for (let count = 0; count < 20; count++) expect((await get('me', otherSession)).status).toBe(200)
  await rows.release()
  const responses = await Promise.all(requests)
  expect(responses.map(({ status }) => status)).toEqual(sessions.map(() => 200))
  // The one that held the rows, the one that waited for them, and one for all others.
  expect(instance.db.stats().committed - before).toBeLessThanOrEqual(3)
  const { body } = await get('sessions', sessions[0] ?? '')
  const lastUses = new Set(body.sessions.map((session: { lastSeenAt: string }) => session.lastSeenAt))
  expect([...lastUses]).toEqual([new Date(instance.clock.now()).toISOString()])
})

describe('sessions', () => {
  test('are listed for their own account, newest first, with the current one marked', async () => {
    const { sessions } = await signedIn(3)
    const { body } = await get('sessions', sessions[1])
    expect(body.nextCursor).toBeNull()
    expect(body.sessions.map((session: { current: string }) => session.current)).toEqual([
      'false',
      'true',
      'false',
    ])
    const at = new Date(instance.clock.now()).toISOString()
    expect(body.sessions[1]).toEqual({
      id: (await get('me', sessions[1])).body.sessionId,
      createdAt: at,
      lastSeenAt: at,
      expiresAt: new Date(instance.clock.now() + 30 * DAY).toISOString(),
      address: '127.0.0.1',
      userAgent: 'test',
      current: 'true',
    })
  })

  test('are paginated without gaps or duplicates', async () => {
    const { sessions } = await signedIn(3)
    const allSessions = (await get('sessions', sessions[0])).body.sessions
    const first = (await get('sessions?limit=2', sessions[0])).body
    const rest = (await get(`sessions?limit=2&cursor=${first.nextCursor}`, sessions[0])).body
    expect([...first.sessions, ...rest.sessions]).toEqual(allSessions)
    expect(rest.nextCursor).toBeNull()
  })

  test('ended from another session are refused from the next request', async () => {
    const { sessions } = await signedIn(2)
    const id = (await get('me', sessions[1])).body.sessionId
    const ended = await end(sessions[0], id)
    expect([ended.status, ended.body]).toEqual([200, { id }])
    expect(ended.headers.get('set-cookie')).toBeNull()
    expect((await get('me', sessions[1])).body.reason).toBe('invalid_session')
    expect((await get('me', sessions[0])).status).toBe(200)
  })

  test('ended by themselves clear the cookie', async () => {
    const { sessions } = await signedIn(1)
    const ended = await end(sessions[0], (await get('me', sessions[0])).body.sessionId)
    expect(ended.headers.get('set-cookie')).toStartWith('reeve_session=; Path=/; Max-Age=0; HttpOnly')
    expect((await get('me', sessions[0])).status).toBe(401)
  })

  test('signing out ends the session and clears the cookie; other sessions stay valid', async () => {
    const { sessions } = await signedIn(2)
    const out = await post('sign-out', sessions[0])
    expect([out.status, out.body]).toEqual([200, { signedOut: 'true' }])
    expect(out.headers.get('set-cookie')).toStartWith('reeve_session=; Path=/; Max-Age=0; HttpOnly')
    expect((await get('me', sessions[0])).body.reason).toBe('invalid_session')
    expect((await get('me', sessions[1])).status).toBe(200)
  })

  test('expire seven days after their last use and thirty days after they started', async () => {
    const { sessions } = await signedIn(2)
    const [lastUsedAt, unused] = sessions
    for (let days = 6; days < 30; days += 6) {
      instance.clock.advance(6 * DAY)
      expect((await get('me', lastUsedAt)).status).toBe(200)
    }
    expect((await get('me', unused)).body.reason).toBe('session_expired')
    instance.clock.advance(6 * DAY - 1)
    expect((await get('me', lastUsedAt)).status).toBe(200)
    instance.clock.advance(1)
    expect((await get('me', lastUsedAt)).body.reason).toBe('session_expired')
  })

  test('the signed-in account sees its workspaces with its permissions in each, and no others', async () => {
    const workspace = await instance.workspace('A group')
    await instance.workspace('Not theirs')
    const member = await instance.member(workspace.id, ['moderation.view', 'moderation.ban'], 7)
    const { body } = await get('me', member.session)
    expect(body).toEqual({
      account: { id: member.accountId, username: expect.any(String), isOperator: 'false' },
      sessionId: expect.any(String),
      hasPassword: 'true',
      email: null,
      verificationFactors: ['password'],
      verificationProviders: [],
      missingSecondFactor: 'none',
      receivedInvitations: '0',
      workspaceCreation: 'anyone',
      workspaceLimit: null,
      ownedWorkspaces: '0',
      workspaces: [
        {
          id: workspace.id,
          groupName: 'A group',
          status: 'active',
          roles: [{ id: member.roleId, name: expect.any(String), color: null }],
          permissions: '["moderation.view","moderation.ban"]',
          rank: '7',
          isOwner: 'false',
          restrictedEndpoints: [],
          profileUrl: null,
          platforms: ['roblox'],
          missingSecondFactor: 'none',
          secondFactorDueAt: null,
          deleteAt: null,
          sequence: expect.stringMatching(/^\d+$/),
        },
      ],
    })
  })
})

describe('errors', () => {
  test("another account's session gets the same response as an unknown one", async () => {
    const [own, other] = [await signedIn(1), await signedIn(1)]
    const otherSessionId = (await get('me', other.sessions[0])).body.sessionId
    const [foreignResponse, unknownResponse] = [
      await end(own.sessions[0], otherSessionId),
      await end(own.sessions[0], instance.ports.newId()),
    ]
    expect([foreignResponse.status, foreignResponse.body.code]).toEqual([404, 'not_found'])
    expect({ ...foreignResponse.body, requestId: '' }).toEqual({ ...unknownResponse.body, requestId: '' })
    expect((await get('me', other.sessions[0])).status).toBe(200)
  })

  test('ending a session without an id, or with an id in the body, is refused', async () => {
    const { sessions } = await signedIn(1)
    const [session] = sessions
    const missingIdResponse = await instance.request('DELETE', '/portal/api/sessions', { session })
    expect(missingIdResponse.body.details).toEqual([{ field: 'id', message: 'is required' }])
    const body = { id: instance.ports.newId() }
    const inBody = await instance.request('DELETE', '/portal/api/sessions', { session, body })
    expect(inBody.status).toBe(400)
    expect(inBody.body.details).toEqual([
      { field: 'id', message: 'belongs in the query: this method takes no body' },
    ])
  })

  test("another list's cursor is refused", async () => {
    const { sessions } = await signedIn(1)
    expect((await get('sessions?cursor=abc', sessions[0])).body.details[0].field).toBe('cursor')
  })
})

describe('access', () => {
  test('all routes require a session', async () => {
    const { id: workspaceId } = await instance.workspace()
    const common = { workspaceId, permission: null, workspace: 'none', who: 'session' } as const
    await expectAccessRules(instance, { ...common, method: 'GET', path: '/portal/api/me' })
    await expectAccessRules(instance, { ...common, method: 'GET', path: '/portal/api/sessions' })
    const unknownId = { id: instance.ports.newId() }
    await expectAccessRules(instance, {
      ...common,
      method: 'DELETE',
      path: '/portal/api/sessions',
      query: unknownId,
      accepted: 404,
    })
    const body = { currentPassword: PASSWORD, newPassword: 'another long secret' }
    await expectAccessRules(instance, { ...common, method: 'POST', path: '/portal/api/password', body })
    await expectAccessRules(instance, {
      ...common,
      method: 'POST',
      path: '/portal/api/sign-out',
      accepted: null,
    })
  })
})
