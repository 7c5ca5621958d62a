import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { deleteExpiredAttempts, hashPassword, setPassword } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'

/** Fifty hashes, one after another on two cores. */
setDefaultTimeout(30_000)

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const PATH = '/portal/api/sign-in'
const MINUTE = 60_000

const attempt = (username: unknown, password: unknown, options: object = {}): Promise<TestResponse> =>
  instance.request('POST', PATH, { body: { username, password }, ...options })

/** The token in the cookie of the response. */
const tokenIn = (response: TestResponse): string | undefined =>
  /^reeve_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1]

let ipCount = 0
/** A new IP address for each test, so that tests do not throttle each other. */
const nextIp = () => `198.51.100.${++ipCount}`

describe('a sign-in', () => {
  test('with the correct password creates a session that authenticates the next request', async () => {
    const id = await instance.account('Robin')
    const response = await attempt('Robin', PASSWORD)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ account: { id, username: 'Robin', isOperator: 'false' } })
    const me = await instance.request('GET', '/portal/api/me', { session: tokenIn(response) ?? '' })
    expect(me.body.account).toEqual({ id, username: 'Robin', isOperator: 'false' })
  })

  test('compares the username case-insensitively', async () => {
    await instance.account('Ämilia')
    expect((await attempt('äMILIA', PASSWORD)).status).toBe(200)
  })

  test('sets a cookie that scripts and other sites cannot read, with the maximum lifetime of a session', async () => {
    await instance.account('cookie')
    const cookie = (await attempt('cookie', PASSWORD)).headers.get('set-cookie') ?? ''
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
    const cookie = response.headers.get('set-cookie') ?? ''
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
    const first = tokenIn(await attempt('twice', PASSWORD)) ?? ''
    const second = tokenIn(await attempt('twice', PASSWORD, { session: first })) ?? ''
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

describe('the throttle', () => {
  const signInWithWrongPassword = (username: string, from: string) =>
    attempt(username, 'not the password', { from })

  test('after ten failures, a username and IP address are blocked until the first failure is 15 minutes old, also with the correct password', async () => {
    await instance.account('patient')
    const from = nextIp()
    for (let count = 0; count < 10; count++) {
      expect((await signInWithWrongPassword('patient', from)).status).toBe(401)
      instance.clock.advance(1000)
    }
    const rejectedResponse = await attempt('patient', PASSWORD, { from })
    expect([rejectedResponse.status, rejectedResponse.body.code]).toEqual([429, 'rate_limited'])
    expect(rejectedResponse.headers.get('retry-after')).toBe(String(15 * 60 - 10))
    instance.clock.advance((15 * 60 - 10) * 1000 - 1)
    expect((await attempt('patient', PASSWORD, { from })).status).toBe(429)
    instance.clock.advance(1)
    expect((await attempt('patient', PASSWORD, { from })).status).toBe(200)
  })

  test('an unknown username is throttled like an existing one', async () => {
    const from = nextIp()
    for (let count = 0; count < 10; count++) await signInWithWrongPassword('unknown user', from)
    expect((await signInWithWrongPassword('UNKNOWN user', from)).status).toBe(429)
  })

  test('the same account can sign in from another IP address', async () => {
    await instance.account('elsewhere')
    const from = nextIp()
    for (let count = 0; count < 10; count++) await signInWithWrongPassword('elsewhere', from)
    expect((await attempt('elsewhere', PASSWORD, { from })).status).toBe(429)
    expect((await attempt('elsewhere', PASSWORD, { from: nextIp() })).status).toBe(200)
  })

  test('of concurrent attempts, only ten are verified', async () => {
    await instance.account('besieged')
    const from = nextIp()
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => signInWithWrongPassword('besieged', from)),
    )
    const statuses = responses.map((response) => response.status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  })

  test('a success clears the failures of its own username and IP address only', async () => {
    await instance.account('forgiven')
    await instance.account('unforgiven')
    const from = nextIp()
    for (let count = 0; count < 9; count++) await signInWithWrongPassword('forgiven', from)
    for (let count = 0; count < 10; count++) await signInWithWrongPassword('unforgiven', from)
    expect((await attempt('forgiven', PASSWORD, { from })).status).toBe(200)
    for (let count = 0; count < 10; count++)
      expect((await signInWithWrongPassword('forgiven', from)).status).toBe(401)
    expect((await attempt('unforgiven', PASSWORD, { from })).status).toBe(429)
  })

  test('after fifty failures, an IP address is blocked for all usernames; other addresses are not', async () => {
    await instance.account('bystander')
    const from = nextIp()
    for (let name = 0; name < 10; name++)
      await Promise.all(Array.from({ length: 5 }, () => signInWithWrongPassword(`name ${name}`, from)))
    expect((await attempt('bystander', PASSWORD, { from })).status).toBe(429)
    expect((await attempt('bystander', PASSWORD, { from: nextIp() })).status).toBe(200)
  })

  test('all addresses of an IPv6 /64 network count as one', async () => {
    await instance.account('v6')
    for (let count = 1; count <= 10; count++) await signInWithWrongPassword('v6', `2001:db8:7:7::${count}`)
    expect((await attempt('v6', PASSWORD, { from: '2001:db8:7:7:ffff::1' })).status).toBe(429)
    expect((await attempt('v6', PASSWORD, { from: '2001:db8:7:8::1' })).status).toBe(200)
  })

  test('a forged X-Forwarded-For header does not evade the limit', async () => {
    const from = nextIp()
    for (let count = 0; count < 10; count++) {
      const headers = { 'x-forwarded-for': `192.0.2.${count}` }
      await attempt('forged', 'not the password', { from, headers })
    }
    expect((await signInWithWrongPassword('forged', from)).status).toBe(429)
  })

  test('failures that have left the window are deleted', async () => {
    await signInWithWrongPassword('old', nextIp())
    instance.clock.advance(15 * MINUTE)
    await deleteExpiredAttempts(instance.db, instance.ports)
    const selectAttempts = statement()((sql) => sql.selectFrom('sign_in_attempt').selectAll())
    expect(await instance.db.read.all(selectAttempts, {})).toEqual([])
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
    const listAttempts = statement<{ from: string }>()((sql, p) =>
      sql.selectFrom('sign_in_attempt').select('id').where('address', '=', p.from),
    )
    const signingIn = attempt('raced', PASSWORD, { from })
    // Once the attempt is recorded, the account has been read and its password is being verified.
    while (!(await db.read.first(listAttempts, { from }))) await db.write(async () => null)
    await db.write((tx) => setPassword(tx, ports, anonymousActor, { accountId, passwordHash }))
    expect((await signingIn).status).toBe(401)
    expect((await attempt('raced', 'another long secret', { from })).status).toBe(200)
  })
})
