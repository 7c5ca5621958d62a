import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const HOUR = 3_600_000
const NEW_PASSWORD = 'another long secret'

const get = (path: string, session: string) => instance.request('GET', `/portal/api/${path}`, { session })

/** A new account with `count` sessions. */
async function signedIn(count: number) {
  const accountId = await instance.account()
  const sessions: string[] = []
  for (let index = 0; index < count; index++) sessions.push(await instance.session(accountId))
  return { sessions: sessions as [string, string, string] }
}

describe('password', () => {
  const change = (session: string, currentPassword: string, newPassword = NEW_PASSWORD) =>
    instance.request('POST', '/portal/api/password', { session, body: { currentPassword, newPassword } })

  test('a change ends every session and starts a new one', async () => {
    const { sessions } = await signedIn(3)
    const response = await change(sessions[0], PASSWORD)
    expect(response.status).toBe(200)
    const token = readSessionToken(response)
    for (const old of sessions) expect((await get('me', old)).body.reason).toBe('invalid_session')
    expect((await get('me', token)).status).toBe(200)
    expect((await get('sessions', token)).body.sessions).toHaveLength(1)
  })

  test('a wrong current password changes nothing, names its field and counts towards the throttle', async () => {
    const { sessions } = await signedIn(1)
    for (let count = 0; count < 10; count++) {
      const wrong = await change(sessions[0], 'not the password')
      expect([wrong.status, wrong.body.details]).toEqual([
        400,
        [{ field: 'currentPassword', message: 'is not your current password' }],
      ])
    }
    const rejectedResponse = await change(sessions[0], PASSWORD)
    expect([rejectedResponse.status, rejectedResponse.headers.get('retry-after')]).toEqual([429, '900'])
    const username = (await get('me', sessions[0])).body.account.username
    const signIn = { username, password: PASSWORD }
    expect((await instance.request('POST', '/portal/api/sign-in', { body: signIn })).status).toBe(429)
    instance.clock.advance(HOUR)
    expect((await change(sessions[0], PASSWORD)).status).toBe(200)
  })

  test('an unacceptable new password is refused before the current one is verified', async () => {
    const { sessions } = await signedIn(1)
    for (const password of ['short', 'password123', 'x'.repeat(201)]) {
      const response = await change(sessions[0], 'not the password', password)
      expect(response.body.details.map((detail: { field: string }) => detail.field)).toEqual(['newPassword'])
    }
  })

  test('of two concurrent changes, exactly one succeeds', async () => {
    const { sessions } = await signedIn(2)
    const responses = await Promise.all([
      change(sessions[0], PASSWORD, 'the first long secret'),
      change(sessions[1], PASSWORD, 'the second long secret'),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('an Idempotency-Key is refused, because replaying would require storing a secret', async () => {
    const { sessions } = await signedIn(1)
    const headers = { 'idempotency-key': 'once' }
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    const response = await instance.request('POST', '/portal/api/password', {
      session: sessions[0],
      headers,
      body,
    })
    expect(response.body.details.map((detail: { field: string }) => detail.field)).toEqual([
      'Idempotency-Key',
    ])
  })
})
