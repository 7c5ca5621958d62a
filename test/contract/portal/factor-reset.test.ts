import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'
import { enrolAuthenticator } from '../../support/totp.ts'
import { type AccountRequests, openAccountRequests, PATH } from './operator-account-requests.ts'

let instance: Instance
let requests: AccountRequests
let operatorSession: string
let accountId: string
let username: string
let session: string
let accountCount = 0
beforeAll(async () => {
  instance = await openInstance()
  const opened = await openAccountRequests(instance)
  requests = opened.requests
  operatorSession = opened.operator.session
})
beforeEach(async () => {
  username = `locked out ${++accountCount}`
  accountId = await instance.account(username)
  session = await instance.session(accountId)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const reset = (id = accountId, as = operatorSession) =>
  instance.request('POST', `${PATH}/factors/reset`, { session: as, body: { id } })
const signIn = () =>
  instance.request('POST', '/portal/api/sign-in', {
    body: { username, password: PASSWORD },
    from: `198.51.100.${accountCount}`,
  })

describe('a reset of second factors', () => {
  test('makes the password enough again, ends every session and pending sign-in, and is in the audit log', async () => {
    const app = await enrolAuthenticator(instance, session)
    const pending = (await signIn()).body.secondFactor
    expect((await requests.list({ id: accountId })).body.account.hasSecondFactor).toBe('true')
    const response = await reset()
    expect([response.status, response.body.account.hasSecondFactor]).toEqual([200, 'false'])
    expect((await requests.readSession(session)).body.reason).toBe('invalid_session')
    for (const proof of [{ code: app.showCode() }, { recoveryCode: app.recoveryCodes[0] }]) {
      const late = await instance.request('POST', '/portal/api/sign-in/second-factor', {
        body: { token: pending.token, ...proof },
      })
      expect([late.status, late.body.details[0].field]).toEqual([400, 'token'])
    }
    const signedIn = await signIn()
    expect(signedIn.body).toMatchObject({ account: { id: accountId }, secondFactor: null })
    expect(await requests.readAuditActions(accountId)).toEqual(['accounts.reset_factors'])
    const factors = await instance.request('GET', '/portal/api/factors', {
      session: await instance.session(accountId),
    })
    expect(factors.body).toMatchObject({ totp: null, recoveryCodes: { remaining: '0', createdAt: null } })
  })

  test('of an account without one is a conflict that changes nothing', async () => {
    const response = await reset()
    expect([response.status, response.body.error]).toEqual([409, `${username} has no second factor.`])
    expect((await requests.readSession(session)).status).toBe(200)
    expect((await reset(instance.ports.newId())).status).toBe(404)
  })

  test('of one’s own account is a conflict that changes nothing', async () => {
    const id = await instance.account('careless operator', true)
    const own = await instance.session(id)
    await enrolAuthenticator(instance, own)
    const response = await reset(id, own)
    expect([response.status, response.body.error]).toEqual([
      409,
      'Remove your own second factors under Your account.',
    ])
    expect((await requests.list({ id })).body.account.hasSecondFactor).toBe('true')
    expect((await requests.readSession(own)).status).toBe(200)
  })

  test('is for operators only', async () => {
    await enrolAuthenticator(instance, session)
    expect((await reset(accountId, session)).body.reason).toBe('missing_permission')
    expect((await requests.list({ id: accountId })).body.account.hasSecondFactor).toBe('true')
  })
})

test('a link of an operator sets a new password, and the sign-in still needs the second factor', async () => {
  const app = await enrolAuthenticator(instance, session)
  const { token } = (await requests.createLink({ id: accountId })).body.link
  const response = await requests.setPassword(token, 'another long secret')
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
  expect(response.body).toMatchObject({ account: null, secondFactor: { factors: ['totp', 'recovery_code'] } })
  const signedIn = await instance.request('POST', '/portal/api/sign-in/second-factor', {
    body: { token: response.body.secondFactor.token, code: app.showCode() },
  })
  expect(signedIn.status).toBe(200)
})
