import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createAccount, hashPassword, setPassword } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'

let instance: Instance
let account: { id: string; username: string }
let session: string
beforeAll(async () => {
  instance = await openInstance()
})
let accountCount = 0
beforeEach(async () => {
  const username = `passwordless ${++accountCount}`
  account = await instance.db.write((tx) =>
    createAccount(tx, instance.ports, anonymousActor, { username, passwordHash: null, isOperator: false }),
  )
  session = await instance.session(account.id)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const signIn = (username: string, password: string, from = `198.51.100.${accountCount}`) =>
  instance.request('POST', '/portal/api/sign-in', { body: { username, password }, from })

const withoutRequestId = ({ status, body }: TestResponse) => ({ status, ...body, requestId: '' })

const NO_PASSWORD = 'cannot be verified: your account has no password. An operator can set one.'

describe('an account without a password', () => {
  test('gets the response of a wrong password at sign-in, whatever the password', async () => {
    await instance.account(`with password ${accountCount}`)
    const wrong = await signIn(`with password ${accountCount}`, 'not the password')
    expect(wrong.status).toBe(401)
    for (const password of ['not the password', PASSWORD, 'null']) {
      const response = await signIn(account.username, password)
      expect(withoutRequestId(response)).toEqual(withoutRequestId(wrong))
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test('is refused in the time that verifying a wrong password takes', async () => {
    await instance.account(`timed ${accountCount}`)
    const measure = async (username: string) => {
      const start = performance.now()
      await signIn(username, 'not the password')
      return performance.now() - start
    }
    const times: Record<'withPassword' | 'passwordless', number[]> = { withPassword: [], passwordless: [] }
    for (let round = 0; round < 5; round++) {
      times.withPassword.push(await measure(`timed ${accountCount}`))
      times.passwordless.push(await measure(account.username))
    }
    // A hash takes 10 ms and more, all the rest under 2 ms: half separates the two even on a busy machine.
    expect(Math.min(...times.passwordless)).toBeGreaterThan(Math.min(...times.withPassword) / 2)
  })

  test('is throttled like any other', async () => {
    for (let count = 0; count < 10; count++)
      expect((await signIn(account.username, 'not the password', '203.0.113.50')).status).toBe(401)
    expect((await signIn(account.username, 'not the password', '203.0.113.50')).status).toBe(429)
  })

  test('is told apart from one with a password', async () => {
    const readHasPassword = async () =>
      (await instance.request('GET', '/portal/api/me', { session })).body.hasPassword
    expect(await readHasPassword()).toBe('false')
    const passwordHash = await hashPassword(PASSWORD)
    await instance.db.write((tx) =>
      setPassword(tx, instance.ports, anonymousActor, { accountId: account.id, passwordHash }),
    )
    session = await instance.session(account.id)
    expect(await readHasPassword()).toBe('true')
  })

  test('cannot change its password, and learns why', async () => {
    const response = await instance.request('POST', '/portal/api/password', {
      session,
      body: { currentPassword: PASSWORD, newPassword: 'another long secret' },
    })
    expect([response.status, response.body.details]).toEqual([
      400,
      [{ field: 'currentPassword', message: NO_PASSWORD }],
    ])
    expect((await instance.request('GET', '/portal/api/me', { session })).status).toBe(200)
  })

  test('cannot verify a session with a password, and learns why', async () => {
    const me = await instance.request('GET', '/portal/api/me', { session })
    expect(me.body.verificationFactors).toEqual([])
    const response = await instance.request('POST', '/portal/api/verification', {
      session,
      body: { password: PASSWORD },
    })
    expect([response.status, response.body.details]).toEqual([
      400,
      [{ field: 'password', message: NO_PASSWORD }],
    ])
  })

  test('signs in once a password is set', async () => {
    const passwordHash = await hashPassword(PASSWORD)
    await instance.db.write((tx) =>
      setPassword(tx, instance.ports, anonymousActor, { accountId: account.id, passwordHash }),
    )
    expect((await signIn(account.username, PASSWORD)).status).toBe(200)
  })
})
