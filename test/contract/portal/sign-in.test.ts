import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deleteExpiredFailures, hashPassword, setPassword } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const PATH = '/portal/api/sign-in'
const MINUTE = 60_000

const attempt = (username: unknown, password: unknown, more: object = {}): Promise<TestResponse> =>
  instance.request('POST', PATH, { body: { username, password }, ...more })

/** The token in the answer's cookie. */
const tokenIn = (response: TestResponse): string | undefined =>
  /^reeve_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1]

let guessers = 0
/** An address of its own for each test, so that they do not use up each other's attempts. */
const nextIp = () => `198.51.100.${++guessers}`

describe('works', () => {
  test('the right password opens a session that the next call is admitted with', async () => {
    const id = await instance.account('Robin')
    const response = await attempt('Robin', PASSWORD)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ account: { id, username: 'Robin', isOperator: 'false' } })
    const me = await instance.request('GET', '/portal/api/me', { session: tokenIn(response) ?? '' })
    expect(me.body.account).toEqual({ id, username: 'Robin', isOperator: 'false' })
  })

  test('the username is compared without regard to case', async () => {
    await instance.account('Ämilia')
    expect((await attempt('äMILIA', PASSWORD)).status).toBe(200)
  })

  test('the cookie is out of reach of scripts and other sites, and lasts as long as a session may', async () => {
    await instance.account('cookie')
    const cookie = (await attempt('cookie', PASSWORD)).headers.get('set-cookie') ?? ''
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
    ])
  })

  test('under an https address the cookie is bound to the host and to https', async () => {
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

  test('each sign-in has a token of its own, and the session the browser came with ends', async () => {
    await instance.account('twice')
    const first = tokenIn(await attempt('twice', PASSWORD)) ?? ''
    const second = tokenIn(await attempt('twice', PASSWORD, { session: first })) ?? ''
    expect(second).not.toBe(first)
    const old = await instance.request('GET', '/portal/api/me', { session: first })
    expect([old.status, old.body.reason]).toEqual([401, 'invalid_session'])
    expect((await instance.request('GET', '/portal/api/me', { session: second })).status).toBe(200)
  })

  test('a program without browser headers signs in, and so does the portal by its Origin', async () => {
    await instance.account('programs')
    expect((await attempt('programs', PASSWORD)).status).toBe(200)
    const origin = { origin: 'http://localhost:3000' }
    expect((await attempt('programs', PASSWORD, { headers: origin })).status).toBe(200)
  })

  test('a password is taken as it is, white space and all kinds of letters included', async () => {
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

  test('a sign-in is in the audit log, with its address and without a secret', async () => {
    const id = await instance.account('logged')
    await attempt('logged', PASSWORD, { from: '203.0.113.9' })
    const rows = await instance.db.read.all(
      statement<{ id: string }>()((sql, p) =>
        sql
          .selectFrom('audit')
          .selectAll()
          .where('target_id', '=', p.id)
          .where('action', '=', 'accounts.sign_in'),
      ),
      { id },
    )
    expect(rows.map((row) => [row.actor_id, row.actor_name, row.address])).toEqual([
      [id, 'logged', '203.0.113.9'],
    ])
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
  })
})

describe('errors', () => {
  test('an unknown name and a wrong password are answered alike', async () => {
    await instance.account('known')
    const wrong = await attempt('known', 'not the password', { from: nextIp() })
    const unknown = await attempt('never was', 'not the password', { from: nextIp() })
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

  test('absent, unknown and malformed fields are all named', async () => {
    const emptyResponse = await instance.request('POST', PATH, { body: {} })
    expect(emptyResponse.status).toBe(400)
    expect(emptyResponse.body.details.map((one: { field: string }) => one.field)).toEqual([
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

  test('no password is echoed, however it is refused', async () => {
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

  test('only POST with JSON is answered', async () => {
    expect((await instance.request('GET', PATH)).status).toBe(405)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await instance.request('POST', PATH, { body: 'username=a', headers: form })).status).toBe(415)
    expect((await instance.request('POST', PATH, { body: '[]' })).body.code).toBe('invalid_json')
  })

  test('it is not part of the public interface', async () => {
    expect((await instance.request('POST', '/api/sign-in', { body: {} })).status).toBe(404)
    expect((await instance.request('POST', '/api/public/v1/sign-in', { body: {} })).status).toBe(404)
  })
})

describe('the throttle', () => {
  const signInWithWrongPassword = (username: string, from: string) =>
    attempt(username, 'not the password', { from })

  test('after ten failures a name and address wait, the right password too, until the first is 15 minutes old', async () => {
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

  test('a name that never was waits like one that is', async () => {
    const from = nextIp()
    for (let count = 0; count < 10; count++) await signInWithWrongPassword('nobody at all', from)
    expect((await signInWithWrongPassword('NOBODY at all', from)).status).toBe(429)
  })

  test('the same account signs in from another address meanwhile', async () => {
    await instance.account('elsewhere')
    const from = nextIp()
    for (let count = 0; count < 10; count++) await signInWithWrongPassword('elsewhere', from)
    expect((await attempt('elsewhere', PASSWORD, { from })).status).toBe(429)
    expect((await attempt('elsewhere', PASSWORD, { from: nextIp() })).status).toBe(200)
  })

  test('a burst of simultaneous guesses gets no more than ten answers', async () => {
    await instance.account('besieged')
    const from = nextIp()
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => signInWithWrongPassword('besieged', from)),
    )
    const statuses = responses.map((response) => response.status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  })

  test('success clears the failures of its own name and address only', async () => {
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

  test('after fifty failures an address waits, whatever names it tries; others do not', async () => {
    await instance.account('bystander')
    const from = nextIp()
    for (let name = 0; name < 10; name++)
      await Promise.all(Array.from({ length: 5 }, () => signInWithWrongPassword(`name ${name}`, from)))
    expect((await attempt('bystander', PASSWORD, { from })).status).toBe(429)
    expect((await attempt('bystander', PASSWORD, { from: nextIp() })).status).toBe(200)
  })

  test('a household of IPv6 addresses counts as one', async () => {
    await instance.account('v6')
    for (let count = 1; count <= 10; count++) await signInWithWrongPassword('v6', `2001:db8:7:7::${count}`)
    expect((await attempt('v6', PASSWORD, { from: '2001:db8:7:7:ffff::1' })).status).toBe(429)
    expect((await attempt('v6', PASSWORD, { from: '2001:db8:7:8::1' })).status).toBe(200)
  })

  test('a forged X-Forwarded-For does not make another address of one', async () => {
    const from = nextIp()
    for (let count = 0; count < 10; count++) {
      const headers = { 'x-forwarded-for': `192.0.2.${count}` }
      await attempt('forged', 'not the password', { from, headers })
    }
    expect((await signInWithWrongPassword('forged', from)).status).toBe(429)
  })

  test('failures that no longer count are deleted', async () => {
    await signInWithWrongPassword('old', nextIp())
    instance.clock.advance(15 * MINUTE)
    await deleteExpiredFailures(instance.db, instance.ports)
    const selectFailures = statement()((sql) => sql.selectFrom('sign_in_failure').selectAll())
    expect(await instance.db.read.all(selectFailures, {})).toEqual([])
  })
})

describe('access', () => {
  test('another site cannot sign a browser in', async () => {
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

  test('a password that was changed while it was being checked opens nothing', async () => {
    const { db, ports } = instance
    const accountId = await instance.account('raced')
    const passwordHash = await hashPassword('another long secret')
    const from = nextIp()
    const listAttempts = statement<{ from: string }>()((sql, p) =>
      sql.selectFrom('sign_in_failure').select('id').where('address', '=', p.from),
    )
    const signingIn = attempt('raced', PASSWORD, { from })
    // The attempt is on record: the account has been read, and its password is being checked.
    while (!(await db.read.first(listAttempts, { from }))) await db.write(async () => null)
    await db.write((tx) => setPassword(tx, ports, anonymousActor, { accountId, passwordHash }))
    expect((await signingIn).status).toBe(401)
    expect((await attempt('raced', 'another long secret', { from })).status).toBe(200)
  })
})
