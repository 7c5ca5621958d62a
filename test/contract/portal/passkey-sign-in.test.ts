import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Authenticator, createAuthenticator } from '../../support/authenticator.ts'
import { deleteAccountById } from '../../support/delete-account.ts'
import { type Instance, openInstance, PUBLIC_URL, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { createPasskeyRequests, type PasskeyRequests } from './passkey-requests.ts'

let instance: Instance
let passkeys: PasskeyRequests
beforeAll(async () => {
  instance = await openInstance()
  passkeys = createPasskeyRequests(instance)
})
// The failed attempts of one test do not count in the next.
beforeEach(() => instance.clock.advance(THROTTLE_WINDOW_MS))
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const MINUTE = 60_000
/** How long a failed attempt counts. */
const THROTTLE_WINDOW_MS = 15 * MINUTE
const NOT_ACCEPTED =
  'This passkey is not accepted. It may have been removed, or belong to another account. Use another way.'
const LATE = 'This took too long, or was done already. Try again.'
const COPIED =
  'This passkey may have been copied: its counter went back. Use another way, then remove the passkey from your account.'

/** Expects that nobody is signed in, without saying why to programs. */
function expectRejected({ status, headers, body }: TestResponse, message = NOT_ACCEPTED): void {
  expect([status, body.reason, body.error]).toEqual([401, 'missing_credentials', message])
  expect(headers.get('set-cookie')).toBeNull()
}

const readMe = async (response: TestResponse) =>
  (await instance.request('GET', '/portal/api/me', { session: readSessionToken(response) })).body

/** The current factors of the session that a response started, in the order in which they were verified. */
const readFactors = async (response: TestResponse): Promise<string> => {
  const { sessionId } = await readMe(response)
  const rows = await instance.storage.query<{ id: string; factors: string }>(
    'select id, factors from session',
  )
  return rows.find(({ id }) => id === sessionId)?.factors ?? ''
}

describe('a passkey alone', () => {
  for (const algorithm of ['EdDSA', 'ES256', 'RS256'] as const) {
    test(`signs in without a username: ${algorithm}`, async () => {
      const enrolled = await passkeys.enroll(
        undefined,
        createAuthenticator({ origin: PUBLIC_URL, algorithm }),
      )
      const { body } = await passkeys.startSignIn()
      expect(JSON.parse(body.options)).toMatchObject({
        rpId: 'localhost',
        userVerification: 'required',
        allowCredentials: [],
      })
      const response = await passkeys.finishSignIn(enrolled.authenticator.authenticate(body.options))
      expect(response.body).toMatchObject({ account: { id: enrolled.accountId }, secondFactor: null })
      expect((await readMe(response)).account.id).toBe(enrolled.accountId)
      expect(await readFactors(response)).toBe('passkey')
    })
  }

  test('notes when it was used, its counter and whether it is synced', async () => {
    const authenticator = createAuthenticator({ origin: PUBLIC_URL, counter: 4 })
    const { session } = await passkeys.enroll(undefined, authenticator)
    instance.clock.advance(MINUTE)
    authenticator.set({ counter: 9, isBackedUp: false })
    expect((await passkeys.signIn(authenticator)).status).toBe(200)
    const [listed] = (await passkeys.list(session)).passkeys
    expect(listed).toMatchObject({
      isSynced: 'false',
      lastUsedAt: new Date(instance.clock.now()).toISOString(),
    })
  })

  test('is rejected if it may have been copied, which the audit log records', async () => {
    const authenticator = createAuthenticator({ origin: PUBLIC_URL, counter: 4 })
    const { accountId } = await passkeys.enroll('copied', authenticator)
    for (const counter of [4, 3, 0]) {
      authenticator.set({ counter })
      expectRejected(await passkeys.signIn(authenticator), COPIED)
    }
    expect((await passkeys.readAudit(accountId)).slice(1)).toEqual(
      [4, 3, 0].map((counter) => [
        'accounts.reject_passkey',
        null,
        { name: 'Passkey', counter, lastCounter: 4 },
      ]),
    )
    authenticator.set({ counter: 5 })
    expect((await passkeys.signIn(authenticator)).status).toBe(200)
  })

  test('must have verified its user', async () => {
    const authenticator = createAuthenticator({ origin: PUBLIC_URL, verifiesUser: false })
    await passkeys.enroll(undefined, authenticator)
    expectRejected(
      await passkeys.signIn(authenticator),
      'This authenticator did not check who you are, with a PIN, a fingerprint or your face, so it works only after your password.',
    )
  })

  test('works once per challenge, for five minutes', async () => {
    const { authenticator } = await passkeys.enroll()
    const { body } = await passkeys.startSignIn()
    const assertion = authenticator.authenticate(body.options)
    const responses = await Promise.all([1, 2, 3, 4].map(() => passkeys.finishSignIn(assertion)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    expectRejected(await passkeys.finishSignIn(assertion), LATE)
    const late = authenticator.authenticate((await passkeys.startSignIn()).body.options)
    instance.clock.advance(5 * MINUTE)
    expectRejected(await passkeys.finishSignIn(late), LATE)
  })

  test('is not accepted with a challenge for something else', async () => {
    const { session, authenticator } = await passkeys.enroll()
    for (const { body } of [
      await passkeys.startVerification(session),
      await passkeys.startRegistration(session),
    ]) {
      const { challenge } = JSON.parse(body.options)
      const options = JSON.stringify({ challenge, rpId: 'localhost' })
      expectRejected(await passkeys.finishSignIn(authenticator.authenticate(options)), LATE)
    }
  })

  test('is not accepted from another origin, for another host or account, or with an invalid signature', async () => {
    const { authenticator } = await passkeys.enroll()
    const other = await passkeys.enroll()
    const authenticate = async (forge: (options: string) => object) =>
      passkeys.finishSignIn(forge((await passkeys.startSignIn()).body.options))
    const forgeries: readonly ((options: string) => object)[] = [
      (options) => authenticator.authenticate(options, { origin: 'https://elsewhere.example' }),
      (options) => authenticator.authenticate(options, { rpId: 'elsewhere.example' }),
      (options) => ({ ...authenticator.authenticate(options), id: other.authenticator.id }),
      (options) => ({
        ...authenticator.authenticate(options),
        userHandle: other.authenticator.authenticate(options).userHandle,
      }),
      (options) => ({ ...authenticator.authenticate(options), signature: 'AAAA' }),
      (options) => ({ ...authenticator.authenticate(options), clientDataJSON: 'AAAA' }),
      (options) => createAuthenticator({ origin: PUBLIC_URL }).authenticate(options),
    ]
    for (const [index, forge] of forgeries.entries()) {
      // Ten failures of an IP address would be enough for the limit.
      if (index === 4) instance.clock.advance(15 * MINUTE)
      expectRejected(await authenticate(forge))
    }
    instance.clock.advance(15 * MINUTE)
  })

  test('is not accepted once it was removed, or its account disabled or deleted', async () => {
    const removed = await passkeys.enroll()
    expect((await passkeys.remove(removed.session, removed.passkeyId)).status).toBe(200)
    expectRejected(await passkeys.signIn(removed.authenticator))

    const operator = await instance.session(await instance.account('operator', true))
    const setDisabled = (id: string, disabled: string) =>
      instance.request('PATCH', '/admin/api/accounts', { session: operator, body: { id, disabled } })
    const disabled = await passkeys.enroll()
    const { body } = await passkeys.startSignIn()
    expect((await setDisabled(disabled.accountId, 'true')).status).toBe(200)
    expectRejected(
      await passkeys.finishSignIn(disabled.authenticator.authenticate(body.options)),
      'This account is disabled. Contact the operator of this instance.',
    )

    const deleted = await passkeys.enroll()
    await deleteAccountById(instance, deleted.accountId)
    expectRejected(await passkeys.signIn(deleted.authenticator))
  })

  test('is in the audit log and in the log of the server if it is rejected', async () => {
    const from = '198.51.100.79'
    const { accountId, authenticator } = await passkeys.enroll('recorded')
    const valid = authenticator.authenticate((await passkeys.startSignIn()).body.options)
    expectRejected(await passkeys.finishSignIn({ ...valid, signature: 'AAAA' }, { from }))
    expectRejected(await passkeys.finishSignIn({ ...valid, id: 'AAAA' }, { from }))
    const rows = await instance.storage.query<{ target_id: string; address: string; changes: string }>(
      "select target_id, address, changes from audit where action = 'accounts.sign_in_failed' order by sequence",
    )
    expect(
      rows
        .filter(({ address }) => address === from)
        .map((row) => [row.target_id, JSON.parse(row.changes).after]),
    ).toEqual([
      [accountId, { reason: 'invalid_passkey' }],
      ['', { reason: 'invalid_passkey' }],
    ])
  })

  test('is limited by failures from its IP address, and not by guesses of the password', async () => {
    const from = '198.51.100.77'
    const { authenticator } = await passkeys.enroll('guessed')
    for (let attempt = 0; attempt < 11; attempt++) {
      const body = { username: 'guessed', password: 'a wrong password' }
      const { status } = await instance.request('POST', '/portal/api/sign-in', { body, from })
      expect(status).toBe(attempt < 10 ? 401 : 429)
    }
    const { body } = await passkeys.startSignIn()
    const valid = authenticator.authenticate(body.options)
    expect((await passkeys.finishSignIn(valid, { from })).status).toBe(200)
    for (let attempt = 0; attempt < 10; attempt++)
      expectRejected(await passkeys.finishSignIn({ ...valid, signature: 'AAAA' }, { from }))
    const limited = await passkeys.finishSignIn(valid, { from })
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '900'])
  })
})

test('an IP address gets a limited number of challenges without signing in', async () => {
  const start = () =>
    instance.request('POST', '/portal/api/sign-in/passkey/options', { from: '198.51.100.78', body: {} })
  const statuses: number[] = []
  for (let count = 0; count < 31; count++) statuses.push((await start()).status)
  expect([statuses.indexOf(429), new Set(statuses).size]).toEqual([30, 2])
})

describe('as the second factor, a passkey', () => {
  const start = async (name: string, authenticator?: Authenticator) => {
    const enrolled = await passkeys.enroll(name, authenticator)
    const token = await passkeys.signInWithPassword(name)
    return { ...enrolled, token, options: String((await passkeys.startSignIn(token)).body.options) }
  }

  test('completes a sign-in with a password, also without verifying its user', async () => {
    const authenticator = createAuthenticator({ origin: PUBLIC_URL, verifiesUser: false })
    const { token, options, accountId } = await start('second', authenticator)
    expect(JSON.parse(options)).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [{ id: authenticator.id, type: 'public-key', transports: ['hybrid', 'internal'] }],
    })
    const response = await passkeys.finishSignIn({ ...authenticator.authenticate(options), token })
    expect(response.body).toMatchObject({ account: { id: accountId }, secondFactor: null })
    expect(await readFactors(response)).toBe('password,passkey')
    const again = (await passkeys.startSignIn(token)).body
    expect(again.details).toMatchObject([{ field: 'token' }])
  })

  test('is that of the account that has verified its password, for its sign-in', async () => {
    const { authenticator, token, options } = await start('own')
    const stranger = await start('stranger')
    expectRejected(await passkeys.finishSignIn({ ...stranger.authenticator.authenticate(options), token }))
    const otherToken = await passkeys.signInWithPassword('own')
    expectRejected(
      await passkeys.finishSignIn({ ...authenticator.authenticate(options), token: otherToken }),
      LATE,
    )
    const withoutToken = authenticator.authenticate(options)
    expectRejected(await passkeys.finishSignIn(withoutToken), LATE)
    expect((await passkeys.finishSignIn({ ...authenticator.authenticate(options), token })).status).toBe(200)
  })
})

describe('at a session, a passkey', () => {
  test('confirms who is there, for ten minutes', async () => {
    const { authenticator } = await passkeys.enroll()
    const session = readSessionToken(await passkeys.signIn(authenticator))
    instance.clock.advance(10 * MINUTE)
    expect((await passkeys.startRegistration(session)).body.reason).toBe('verification_required')
    const { body } = await passkeys.startVerification(session)
    const response = await passkeys.finishVerification(session, authenticator.authenticate(body.options))
    const until = new Date(instance.clock.now() + 10 * MINUTE).toISOString()
    expect(response.body).toEqual({ verifiedUntil: until })
    expect((await passkeys.startRegistration(session)).status).toBe(200)
    instance.clock.advance(10 * MINUTE)
    expect((await passkeys.startRegistration(session)).body.reason).toBe('verification_required')
  })

  test('is one of the account, and confirms only the session that asked', async () => {
    const { accountId, session, authenticator } = await passkeys.enroll()
    const stranger = await passkeys.enroll()
    const { body } = await passkeys.startVerification(session)
    const attempts = [
      await passkeys.finishVerification(session, stranger.authenticator.authenticate(body.options)),
      await passkeys.finishVerification(stranger.session, authenticator.authenticate(body.options)),
      await passkeys.finishVerification(
        await instance.session(accountId),
        authenticator.authenticate(body.options),
      ),
    ]
    expect(attempts.map(({ status, body }) => [status, body.error])).toEqual([
      [409, NOT_ACCEPTED],
      [409, NOT_ACCEPTED],
      [409, LATE],
    ])
    const without = await passkeys.startVerification(await instance.session(await instance.account()))
    expect(without.body.error).toBe('Your account has no passkey for this site. Use another way.')
  })
})
