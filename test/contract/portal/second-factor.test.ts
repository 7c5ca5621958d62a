import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hashPassword, setPassword } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { decodeBase32, enrolAuthenticator, readAuthenticator, TOTP_STEP_MS } from '../../support/totp.ts'

setDefaultTimeout(60_000)

let instance: Instance
let username: string
let accountId: string
let app: Awaited<ReturnType<typeof enrolAuthenticator>>
let accountCount = 0
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  username = `careful ${++accountCount}`
  accountId = await instance.account(username)
  app = await enrolAuthenticator(instance, await instance.session(accountId))
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

let ipCount = 0
/** A new IP address for each sign-in, so that only the limits per account apply. */
const nextIp = () => `198.51.${Math.floor(++ipCount / 250)}.${(ipCount % 250) + 1}`
const PATH = '/portal/api/sign-in/second-factor'

const signIn = (from = nextIp()): Promise<TestResponse> =>
  instance.request('POST', '/portal/api/sign-in', { body: { username, password: PASSWORD }, from })
const startSignIn = async (from = nextIp()): Promise<string> => (await signIn(from)).body.secondFactor.token
const verify = (fields: object, from = nextIp(), headers = {}): Promise<TestResponse> =>
  instance.request('POST', PATH, { body: fields, from, headers })
const problems = ({ status, body }: TestResponse) => [status, body.details]
const otherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const auditOf = statement<{ accountId: string; action: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .selectAll()
    .where('target_id', '=', p.accountId)
    .where('action', '=', p.action)
    .orderBy('sequence'),
)
const readAudit = (action: string) => instance.db.read.all(auditOf, { accountId, action })

const spoilTotpSecret = statement<{ accountId: string }>()((sql, p) =>
  sql.updateTable('totp').set({ secret: 'of another key' }).where('account_id', '=', p.accountId),
)

test('a code says what to do if the key of the instance was replaced, and a recovery code still works', async () => {
  await instance.db.write((tx) => tx.run(spoilTotpSecret, { accountId }))
  const token = await startSignIn()
  const message =
    'cannot be verified, because the key of the instance was replaced: use a recovery code, or ask an operator for a reset'
  expect(problems(await verify({ token, code: app.showCode() }))).toEqual([400, [{ field: 'code', message }]])
  const recoveryCode = app.recoveryCodes[0]
  expect((await verify({ token: await startSignIn(), recoveryCode })).status).toBe(200)
})

describe('the password of an account with a second factor', () => {
  test('starts no session and names what is still needed', async () => {
    const response = await signIn()
    expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
    expect(response.body).toEqual({
      account: null,
      secondFactor: { token: expect.any(String), factors: ['totp', 'recovery_code'] },
    })
    expect(await readAudit('accounts.sign_in')).toEqual([])
  })

  test('together with the code starts a session, which the audit log says', async () => {
    const response = await verify({ token: await startSignIn(), code: app.showCode() })
    expect(response.body).toEqual({
      account: { id: accountId, username, isOperator: 'false' },
      secondFactor: null,
    })
    const me = await instance.request('GET', '/portal/api/me', { session: readSessionToken(response) })
    expect(me.body.account.id).toBe(accountId)
    expect(me.body.verificationFactors).toEqual(['totp', 'recovery_code'])
    const [entry] = await readAudit('accounts.sign_in')
    expect(JSON.stringify(entry)).toContain('totp')
    expect(JSON.stringify(entry)).toContain('password')
  })
})

describe('a code', () => {
  test('with the spaces that some apps show is accepted, and so is that of the step before and after', async () => {
    const { now } = instance.clock
    const spaced = app.showCode().replace(/^(...)/, '$1 ')
    expect((await verify({ token: await startSignIn(), code: spaced })).status).toBe(200)
    const next = readAuthenticator(app.secret, now() + TOTP_STEP_MS)
    expect((await verify({ token: await startSignIn(), code: next })).status).toBe(200)
    instance.clock.advance(3 * TOTP_STEP_MS)
    const previous = readAuthenticator(app.secret, now() - TOTP_STEP_MS)
    expect((await verify({ token: await startSignIn(), code: previous })).status).toBe(200)
  })

  test('works once, also for another sign-in at the same time', async () => {
    const code = app.showCode()
    const tokens = [await startSignIn(), await startSignIn(), await startSignIn()]
    const responses = await Promise.all(tokens.map((token) => verify({ token, code })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const rejected = responses.find(({ status }) => status === 400) as TestResponse
    expect(problems(rejected)).toEqual([
      400,
      [{ field: 'code', message: 'is not correct, or was already used: enter the next one' }],
    ])
    expect(rejected.headers.get('set-cookie')).toBeNull()
  })

  test('that confirmed the enrolment does not sign in', async () => {
    const confirmationCode = readAuthenticator(app.secret, instance.clock.now() - TOTP_STEP_MS)
    expect((await verify({ token: await startSignIn(), code: confirmationCode })).status).toBe(400)
  })

  test('that is wrong does not use up the sign-in', async () => {
    const token = await startSignIn()
    expect((await verify({ token, code: otherCode(app.showCode()) })).status).toBe(400)
    expect((await verify({ token, code: app.showCode() })).status).toBe(200)
  })

  test('of another account is not accepted', async () => {
    const other = await enrolAuthenticator(instance, await instance.session(await instance.account()))
    expect((await verify({ token: await startSignIn(), code: other.showCode() })).status).toBe(400)
  })
})

describe('a recovery code', () => {
  test('signs in once, in lower case and without dashes too, and the audit log says how many are left', async () => {
    const [first = '', second = ''] = app.recoveryCodes
    expect(first).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$/)
    expect((await verify({ token: await startSignIn(), recoveryCode: first })).status).toBe(200)
    const again = await verify({ token: await startSignIn(), recoveryCode: first })
    expect(problems(again)).toEqual([
      400,
      [{ field: 'recoveryCode', message: 'is not correct, or was already used' }],
    ])
    const typed = second.toLowerCase().replaceAll('-', ' ')
    const response = await verify({ token: await startSignIn(), recoveryCode: typed })
    expect(response.status).toBe(200)
    const entries = await readAudit('accounts.use_recovery_code')
    expect(entries).toHaveLength(2)
    expect(JSON.stringify(entries.at(-1))).toContain('"remaining')
    expect(JSON.stringify(entries)).not.toContain(first)
    const factors = await instance.request('GET', '/portal/api/factors', {
      session: readSessionToken(response),
    })
    expect(factors.body.recoveryCodes.remaining).toBe('8')
  })

  test('used by several sign-ins at the same time signs in one of them', async () => {
    const recoveryCode = app.recoveryCodes[0]
    const tokens = [await startSignIn(), await startSignIn(), await startSignIn()]
    const responses = await Promise.all(tokens.map((token) => verify({ token, recoveryCode })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })
})

describe('a pending sign-in', () => {
  const TOKEN_EXPIRED = [{ field: 'token', message: 'has expired or was already used: sign in again' }]

  test('works once', async () => {
    const token = await startSignIn()
    expect((await verify({ token, code: app.showCode() })).status).toBe(200)
    instance.clock.advance(TOTP_STEP_MS)
    expect(problems(await verify({ token, code: app.showCode() }))).toEqual([400, TOKEN_EXPIRED])
  })

  test('expires after ten minutes', async () => {
    const [token, other] = [await startSignIn(), await startSignIn()]
    instance.clock.advance(10 * 60_000 - 1)
    expect((await verify({ token, code: app.showCode() })).status).toBe(200)
    instance.clock.advance(1)
    expect(problems(await verify({ token: other, recoveryCode: app.recoveryCodes[0] }))).toEqual([
      400,
      TOKEN_EXPIRED,
    ])
  })

  test('ends when the password is changed or the account is disabled', async () => {
    const { db, ports } = instance
    const token = await startSignIn()
    const operator = await instance.session(await instance.account(undefined, true))
    const body = { id: accountId, disabled: 'true' }
    await instance.request('PATCH', '/admin/api/accounts', { session: operator, body })
    const disabled = await verify({ token, code: app.showCode() })
    expect([disabled.status, disabled.body.error]).toEqual([
      401,
      'This account is disabled. Contact the operator of this instance.',
    ])
    await instance.request('PATCH', '/admin/api/accounts', {
      session: operator,
      body: { ...body, disabled: 'false' },
    })
    const passwordHash = await hashPassword('another long secret')
    await db.write((tx) => setPassword(tx, ports, anonymousActor, { accountId, passwordHash }))
    expect(problems(await verify({ token, code: app.showCode() }))).toEqual([400, TOKEN_EXPIRED])
  })

  test('accepts one field only, six digits, and no made-up token', async () => {
    const token = await startSignIn()
    expect(problems(await verify({ token }))).toEqual([
      400,
      [{ field: 'code', message: 'is required, or one of: recoveryCode' }],
    ])
    const both = { code: app.showCode(), recoveryCode: app.recoveryCodes[0] }
    expect((await verify({ token, ...both })).body.details[0].field).toBe('recoveryCode')
    expect(problems(await verify({ token, code: '12345' }))).toEqual([
      400,
      [{ field: 'code', message: 'must be six digits' }],
    ])
    expect(problems(await verify({ token: 'made-up', code: app.showCode() }))).toEqual([400, TOKEN_EXPIRED])
    const crossSite = await verify({ token, code: app.showCode() }, nextIp(), {
      'sec-fetch-site': 'cross-site',
    })
    expect(crossSite.body.reason).toBe('cross_site_request')
    expect((await verify({ token, code: app.showCode() })).status).toBe(200)
  })
})

describe('guessing', () => {
  test('is limited to ten codes from one IP address, and correct passwords in between do not help', async () => {
    const from = nextIp()
    const wrong = otherCode(app.showCode())
    const statuses = []
    for (let count = 0; count < 11; count++)
      statuses.push((await verify({ token: await startSignIn(nextIp()), code: wrong }, from)).status)
    expect(statuses.slice(-2)).toEqual([400, 429])
    // The password is correct, but clears none of those failures.
    expect((await signIn(from)).status).toBe(429)
  })

  test('is limited to twenty codes per account, from however many IP addresses and sign-ins', async () => {
    const wrong = otherCode(app.showCode())
    for (let count = 0; count < 20; count++)
      expect((await verify({ token: await startSignIn(), code: wrong })).status).toBe(400)
    const rejected = await verify({ token: await startSignIn(), code: app.showCode() })
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '900'])
    instance.clock.advance(15 * 60_000)
    expect((await verify({ token: await startSignIn(), code: app.showCode() })).status).toBe(200)
  })

  test('by somebody who knows the password does not keep the account out of its own browser', async () => {
    const signedIn = await verify({ token: await startSignIn(), code: app.showCode() })
    const device = /reeve_device=[^;]+/.exec(signedIn.headers.getSetCookie().join())?.[0] ?? ''
    const wrong = otherCode(app.showCode())
    for (let count = 0; count < 20; count++) await verify({ token: await startSignIn(), code: wrong })
    instance.clock.advance(TOTP_STEP_MS)
    const token = await startSignIn()
    expect((await verify({ token, code: app.showCode() })).status).toBe(429)
    expect((await verify({ token, code: app.showCode() }, nextIp(), { cookie: device })).status).toBe(200)
  })
})

test('neither the secret nor a recovery code is stored in a readable form', async () => {
  const stored = JSON.stringify([
    await instance.storage.query('select * from totp'),
    await instance.storage.query('select * from one_time_token'),
    await instance.storage.query('select * from recovery_code'),
    await instance.storage.query('select * from audit'),
  ])
  expect(stored).toContain('v1.')
  const secret = Buffer.from(decodeBase32(app.secret))
  const codes = app.recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])
  for (const text of [app.secret, secret.toString('base64url'), secret.toString('hex'), ...codes])
    expect(stored).not.toContain(text)
})
