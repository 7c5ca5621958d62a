import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { createInvitationRequests } from './invitation-requests.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const IP = '203.0.113.9'
const NEW_PASSWORD = 'another long secret'

const signInsByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .selectAll()
    .where('target_id', '=', p.accountId)
    .where('action', '=', 'accounts.sign_in'),
)

interface StartedSession {
  readonly response: TestResponse
  readonly accountId: string
  /** The session that the browser presented. */
  readonly previousSession: string
}

const SESSION_STARTS: Record<string, () => Promise<StartedSession>> = {
  'a password sign-in': async () => {
    const accountId = await instance.account('Robin')
    const previousSession = await instance.session(await instance.account())
    const response = await instance.request('POST', '/portal/api/sign-in', {
      session: previousSession,
      from: IP,
      headers: { 'user-agent': 'Firefox' },
      body: { username: 'Robin', password: PASSWORD },
    })
    return { response, accountId, previousSession }
  },
  'a sign-up by invitation': async () => {
    const invitations = createInvitationRequests(instance, await instance.workspace())
    const previousSession = await instance.session(await instance.account())
    const options = { session: previousSession, from: IP, headers: { 'user-agent': 'Firefox' } }
    const response = await invitations.signUp(
      await invitations.createInvitation(),
      { password: PASSWORD },
      options,
    )
    return { response, accountId: response.body.account.id, previousSession }
  },
  'the first-run setup': async () => {
    await instance.close()
    instance = await openInstance()
    // Before the first account there can be no session: the cookie of an earlier instance is presented.
    const previousSession = 'session-of-an-earlier-instance'
    const response = await instance.request('POST', '/portal/api/first-run', {
      session: previousSession,
      from: IP,
      headers: { 'user-agent': 'Firefox' },
      body: {
        code: instance.firstRunCode.text,
        username: 'Robin',
        password: PASSWORD,
        groupName: 'Night Shift',
      },
    })
    return { response, accountId: response.body.account.id, previousSession }
  },
  'a change of password': async () => {
    const accountId = await instance.account('Kim')
    const previousSession = await instance.session(accountId)
    const response = await instance.request('POST', '/portal/api/password', {
      session: previousSession,
      from: IP,
      headers: { 'user-agent': 'Firefox' },
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    })
    return { response, accountId, previousSession }
  },
}

for (const [name, startSession] of Object.entries(SESSION_STARTS)) {
  describe(name, () => {
    let started: StartedSession
    beforeAll(async () => {
      started = await startSession()
    })

    test('starts a session of the account, with the IP address and browser it began in', async () => {
      const { response, accountId } = started
      expect(response.status).toBe(200)
      const session = readSessionToken(response)
      expect(response.headers.get('set-cookie')).toContain('HttpOnly')
      expect((await instance.request('GET', '/portal/api/me', { session })).body.account.id).toBe(accountId)
      const { sessions } = (await instance.request('GET', '/portal/api/sessions', { session })).body
      expect(sessions).toMatchObject([{ address: IP, userAgent: 'Firefox', current: 'true' }])
    })

    test('ends the session that the browser presented', async () => {
      const { status, body } = await instance.request('GET', '/portal/api/me', {
        session: started.previousSession,
      })
      expect([status, body.reason]).toEqual([401, 'invalid_session'])
    })

    test('writes one sign-in to the audit log, with the IP address and without a secret', async () => {
      const { response, accountId } = started
      const entries = await instance.db.read.all(signInsByAccount, { accountId })
      expect(entries.map((entry) => [entry.actor_id, entry.actor_name, entry.address])).toEqual([
        [accountId, response.body.account.username, IP],
      ])
      const text = JSON.stringify(entries)
      for (const secret of [PASSWORD, NEW_PASSWORD, readSessionToken(response)])
        expect(text).not.toContain(secret)
    })
  })
}

test('no request failed unexpectedly', () => {
  expect(instance.unexpectedErrors).toEqual([])
})
