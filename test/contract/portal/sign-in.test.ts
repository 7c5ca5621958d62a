import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hashPassword, setPassword } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { holdWrites } from '../../support/write-queue.ts'

/** Fifty hashes, one after another on two cores. */
setDefaultTimeout(60_000)

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const PATH = '/portal/api/sign-in'

const attempt = (username: unknown, password: unknown, options: object = {}): Promise<TestResponse> =>
  instance.request('POST', PATH, { body: { username, password }, ...options })

let ipCount = 0
/** A new IP address for each test, so that tests do not throttle each other. */
const nextIp = () => `198.51.100.${++ipCount}`

describe('a sign-in', () => {
  test('with the correct password creates a session that authenticates the next request', async () => {
    const id = await instance.account('Robin')
    const response = await attempt('Robin', PASSWORD)
    expect(response.status).toBe(200)
    const account = { id, username: 'Robin', isOperator: 'false' }
    expect(response.body).toEqual({ account, secondFactor: null })
    const me = await instance.request('GET', '/portal/api/me', { session: readSessionToken(response) ?? '' })
    expect(me.body.account).toEqual(account)
  })

  test('compares the username case-insensitively', async () => {
    await instance.account('Ämilia')
    expect((await attempt('äMILIA', PASSWORD)).status).toBe(200)
  })

  test('sets a cookie that scripts and other sites cannot read, with the maximum lifetime of a session', async () => {
    await instance.account('cookie')
    const [cookie = ''] = (await attempt('cookie', PASSWORD)).headers.getSetCookie()
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
    ])
  })

  test('over HTTPS sets a cookie that is bound to the host and to HTTPS', async () => {
    const secure = await openInstance({ publicUrl: 'https://reeve.example' })
    await secure.account('robin')
    const response = await secure.request('POST', PATH, { body: { username: 'robin', password: PASSWORD } })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toStartWith('__Host-reeve_session=')
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
    await secure.close()
  })

  test('has its own token and ends the session that the browser presented', async () => {
    await instance.account('twice')
    const first = readSessionToken(await attempt('twice', PASSWORD))
    const second = readSessionToken(await attempt('twice', PASSWORD, { session: first })) ?? ''
    expect(second).not.toBe(first)
    const old = await instance.request('GET', '/portal/api/me', { session: first })
    expect([old.status, old.body.reason]).toEqual([401, 'invalid_session'])
    expect((await instance.request('GET', '/portal/api/me', { session: second })).status).toBe(200)
  })

  test('works without browser headers, and with the Origin of the portal', async () => {
    await instance.account('programs')
    expect((await attempt('programs', PASSWORD)).status).toBe(200)
    const origin = { origin: 'http://localhost:3000' }
    expect((await attempt('programs', PASSWORD, { headers: origin })).status).toBe(200)
  })

  test('uses the password unchanged, with white space and any Unicode letters', async () => {
    const accountId = await instance.account('letters')
    const session = await instance.session(accountId)
    const unusualPassword = '  pässwörter 🔑 и пробелы '
    const change = { currentPassword: PASSWORD, newPassword: unusualPassword }
    expect((await instance.request('POST', '/portal/api/password', { session, body: change })).status).toBe(
      200,
    )
    expect((await attempt('letters', unusualPassword.trim())).status).toBe(401)
    expect((await attempt('letters', unusualPassword.normalize('NFD'))).status).toBe(200)
  })
})

describe('errors', () => {
  test('an unknown username and a wrong password get the same response', async () => {
    await instance.account('known')
    const wrong = await attempt('known', 'not the password', { from: nextIp() })
    const unknown = await attempt('unknown', 'not the password', { from: nextIp() })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({
      error: 'The username or password is incorrect.',
      code: 'unauthorized',
      reason: 'missing_credentials',
      requestId: wrong.headers.get('x-request-id'),
    })
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect(unknown.headers.get('set-cookie')).toBeNull()
    expect([...unknown.headers.keys()].sort()).toEqual([...wrong.headers.keys()].sort())
  })

  test('missing, unknown and malformed fields are all named', async () => {
    const emptyResponse = await instance.request('POST', PATH, { body: {} })
    expect(emptyResponse.status).toBe(400)
    expect(emptyResponse.body.details.map((detail: { field: string }) => detail.field)).toEqual([
      'username',
      'password',
    ])
    const wrong = await instance.request('POST', PATH, { body: { userName: 'a', password: ['x'] } })
    expect(wrong.body.details).toEqual(
      expect.arrayContaining([
        { field: 'userName', message: 'is not a field of this request; did you mean username?' },
        { field: 'password', message: 'must be a string' },
      ]),
    )
  })

  test('no error response contains the password', async () => {
    const secret = 'the-secret-that-leaks'
    for (const body of [
      { username: 'a', password: secret.repeat(50) },
      { username: ['x'], password: secret },
      { username: 'a', password: secret, extra: secret },
      { username: 'a', password: `${secret}\uD800` },
      `{"username":"a","password":"${secret}"`,
    ]) {
      const response = await instance.request('POST', PATH, { body, from: nextIp() })
      expect([400, 401]).toContain(response.status)
      expect(response.text).not.toContain(secret)
    }
  })

  test('only POST with JSON is accepted', async () => {
    expect((await instance.request('GET', PATH)).status).toBe(405)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await instance.request('POST', PATH, { body: 'username=a', headers: form })).status).toBe(415)
    expect((await instance.request('POST', PATH, { body: '[]' })).body.code).toBe('invalid_json')
  })

  test('it is not part of the public API', async () => {
    expect((await instance.request('POST', '/api/sign-in', { body: {} })).status).toBe(404)
    expect((await instance.request('POST', '/api/public/v1/sign-in', { body: {} })).status).toBe(404)
  })
})

describe('access', () => {
  test('another site cannot sign in a browser', async () => {
    await instance.account('lured')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
    ]) {
      const response = await attempt('lured', PASSWORD, { headers })
      expect([response.status, response.body.reason]).toEqual([403, 'cross_site_request'])
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test('fails if the password is changed while it is being verified', async () => {
    const { db, ports } = instance
    const accountId = await instance.account('raced')
    const passwordHash = await hashPassword('another long secret')
    const from = nextIp()
    const held = await holdWrites(db)
    const signingIn = attempt('raced', PASSWORD, { from })
    // The account has been read, and the attempt will be recorded before the change, which comes before the session.
    await held.untilWaiting(1)
    const changing = db.write((tx) => setPassword(tx, ports, anonymousActor, { accountId, passwordHash }))
    await held.untilWaiting(2)
    await held.release()
    await changing
    expect((await signingIn).status).toBe(401)
    expect((await attempt('raced', 'another long secret', { from })).status).toBe(200)
  })
})
