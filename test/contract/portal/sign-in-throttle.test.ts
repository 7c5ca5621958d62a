import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { deleteExpiredAttempts } from '@reeve/auth'
import { statement } from '@reeve/db'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'
import { readCookies, readSessionToken } from '../../support/session-token.ts'
import { enrolAuthenticator } from '../../support/totp.ts'

/** Fifty hashes, one after another on two cores. */
setDefaultTimeout(60_000)

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const PATH = '/portal/api/sign-in'
const MINUTE = 60_000

const attempt = (username: unknown, password: unknown, options: object = {}): Promise<TestResponse> =>
  instance.request('POST', PATH, { body: { username, password }, ...options })

let ipCount = 0
/** A new IP address for each test, so that tests do not throttle each other. */
const nextIp = () => `198.51.100.${++ipCount}`

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

  test('a hundred failures in a /56 and two hundred in a /48 network block it for all usernames', async () => {
    await instance.account('v6 bystander')
    const fail = (network: string, subnets: number) =>
      Promise.all(
        Array.from({ length: subnets * 50 }, (_, index) =>
          signInWithWrongPassword(`name ${index}`, `${network}${Math.floor(index / 50) + 1}::${index + 1}`),
        ),
      )
    const signInFrom = async (from: string) => (await attempt('v6 bystander', PASSWORD, { from })).status
    await fail('2001:db8:56:ab0', 2)
    expect(await signInFrom('2001:db8:56:abff::1')).toBe(429)
    expect(await signInFrom('2001:db8:56:ac00::1')).toBe(200)
    await fail('2001:db8:56:cd0', 2)
    expect(await signInFrom('2001:db8:56:ac00::1')).toBe(429)
    expect(await signInFrom('2001:db8:57:ac00::1')).toBe(200)
  })

  test('a clock that was set back keeps nobody out', async () => {
    await instance.account('timely')
    const from = nextIp()
    instance.clock.advance(60 * MINUTE)
    for (let count = 0; count < 10; count++) await signInWithWrongPassword('timely', from)
    instance.clock.advance(-60 * MINUTE)
    expect((await attempt('timely', PASSWORD, { from })).status).toBe(200)
    instance.clock.advance(60 * MINUTE)
  })

  test('attempts that a process whose clock is a little ahead has counted count', async () => {
    await instance.account('ahead')
    const from = nextIp()
    instance.clock.advance(1000)
    for (let count = 0; count < 10; count++) await signInWithWrongPassword('ahead', from)
    instance.clock.advance(-1000)
    expect((await attempt('ahead', PASSWORD, { from })).status).toBe(429)
    instance.clock.advance(1000)
  })

  test('a forged X-Forwarded-For header does not evade the limit', async () => {
    const from = nextIp()
    for (let count = 0; count < 10; count++) {
      const headers = { 'x-forwarded-for': `192.0.2.${count}` }
      await attempt('forged', 'not the password', { from, headers })
    }
    expect((await signInWithWrongPassword('forged', from)).status).toBe(429)
  })

  test('failures that no limit counts any more are deleted', async () => {
    await signInWithWrongPassword('old', nextIp())
    instance.clock.advance(24 * 60 * MINUTE)
    await deleteExpiredAttempts(instance.db, instance.ports)
    const selectAttempts = statement()((sql) => sql.selectFrom('sign_in_attempt').selectAll())
    expect(await instance.db.read.all(selectAttempts, {})).toEqual([])
  })
})

describe('a hundred failures of one account in a day, from any IP addresses', () => {
  const deviceIn = (response: TestResponse): string =>
    /reeve_device=([^;]*)/.exec(response.headers.getSetCookie().join('; '))?.[1] ?? ''

  async function besiege(username: string) {
    for (let count = 0; count < 100; count++)
      await attempt(username, 'not the password', { from: `198.51.${100 + Math.floor(count / 50)}.${count}` })
  }

  test('block browsers that the account has not signed in in, for the rest of the day', async () => {
    await instance.account('target')
    const known = deviceIn(await attempt('target', PASSWORD))
    await besiege('target')
    const response = await attempt('target', PASSWORD)
    expect([response.status, response.body.code]).toEqual([429, 'rate_limited'])
    expect(response.body.error).toStartWith(
      'Too many failed attempts for this account today. Sign in in a browser that you have used before,',
    )
    const headers = { cookie: `reeve_device=${known}` }
    expect((await attempt('target', PASSWORD, { headers })).status).toBe(200)
    instance.clock.advance(24 * 60 * MINUTE)
    expect((await attempt('target', PASSWORD)).status).toBe(200)
  })

  test('are not excused by a browser that only another account has signed in in, or by an invented token', async () => {
    await instance.account('other target')
    await instance.account('attacker')
    const attackers = deviceIn(await attempt('attacker', PASSWORD))
    await besiege('other target')
    for (const token of [attackers, 'x'.repeat(43)]) {
      const headers = { cookie: `reeve_device=${token}` }
      expect((await attempt('other target', PASSWORD, { headers })).status).toBe(429)
    }
  })

  test('keep nobody from confirming actions and changing the password in a known browser', async () => {
    await instance.account('confirming')
    const signedIn = await attempt('confirming', PASSWORD)
    const known = readCookies(signedIn)
    const unknown = `reeve_session=${readSessionToken(signedIn)}`
    await besiege('confirming')
    const send = (path: string, cookie: string, body: object) =>
      instance.request('POST', path, { body, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    const confirm = (cookie: string) => send('/portal/api/verification', cookie, { password: PASSWORD })
    expect((await confirm(unknown)).status).toBe(429)
    expect((await confirm(known)).status).toBe(200)
    const change = { currentPassword: PASSWORD, newPassword: 'another long enough secret' }
    expect((await send('/portal/api/password', unknown, change)).status).toBe(429)
    expect((await send('/portal/api/password', known, change)).status).toBe(200)
  })

  test('keep nobody from signing in with a code after a link has set a new password', async () => {
    const id = await instance.account('with an app')
    const app = await enrolAuthenticator(instance, await instance.session(id))
    const operator = await instance.session(await instance.account('link operator', true))
    await besiege('with an app')
    const createLink = () =>
      instance.request('POST', '/admin/api/accounts/link', { session: operator, body: { id } })
    for (const proof of [{ code: app.showCode() }, { recoveryCode: app.recoveryCodes[0] }]) {
      const { token } = (await createLink()).body.link
      const body = { token, password: 'another long enough secret' }
      const set = await instance.request('POST', '/portal/api/password-link/password', { body })
      const signedIn = await instance.request('POST', `${PATH}/second-factor`, {
        body: { token: set.body.secondFactor.token, ...proof },
      })
      expect(signedIn.status).toBe(200)
    }
  })

  test('leave ten failures in 15 minutes to a known browser, wherever it is', async () => {
    await instance.account('stolen')
    const headers = { cookie: `reeve_device=${deviceIn(await attempt('stolen', PASSWORD))}` }
    for (let count = 0; count < 10; count++)
      expect((await attempt('stolen', 'not the password', { headers })).status).toBe(401)
    expect((await attempt('stolen', PASSWORD, { headers })).status).toBe(429)
    instance.clock.advance(15 * MINUTE)
    expect((await attempt('stolen', PASSWORD, { headers })).status).toBe(200)
  })

  test('keep a browser known to two accounts, and its token in no log and no table', async () => {
    await instance.account('first')
    await instance.account('second')
    const token = deviceIn(await attempt('first', PASSWORD))
    const headers = { cookie: `reeve_device=${token}` }
    expect(deviceIn(await attempt('second', PASSWORD, { headers }))).toBe(token)
    const devices = statement()((sql) => sql.selectFrom('known_device').selectAll())
    expect(JSON.stringify(await instance.db.read.all(devices, {}))).not.toContain(token)
    await besiege('first')
    expect((await attempt('first', PASSWORD, { headers })).status).toBe(200)
  })
})
