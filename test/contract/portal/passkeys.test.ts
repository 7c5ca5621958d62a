import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAccount } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { createAuthenticator } from '../../support/authenticator.ts'
import { type Instance, openInstance, PUBLIC_URL, UNKNOWN_ID } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { createPasskeyRequests, type PasskeyRequests } from './passkey-requests.ts'

let instance: Instance
let passkeys: PasskeyRequests
beforeAll(async () => {
  instance = await openInstance()
  passkeys = createPasskeyRequests(instance)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const MINUTE = 60_000
const ONE_PASSWORD = 'bada5566-a7aa-401f-bd96-45619a55120d'

const openSession = async (name?: string) => instance.session(await instance.account(name))
const outcome = ({ status, body }: { status: number; body: { code?: string; error?: string } }) =>
  [status, body.code, body.error].filter((part) => part !== undefined)

const LATE = [409, 'conflict', 'This took too long, or was done already. Try again.']
const NOT_VERIFIED = [
  400,
  'invalid_request',
  'The passkey could not be verified. Try again, or use another authenticator.',
]

describe('adding a passkey', () => {
  test('asks for one that works without a username, named by random bytes, of the three algorithms', async () => {
    const session = await openSession('sorrel')
    const { body } = await passkeys.startRegistration(session)
    const options = JSON.parse(body.options)
    expect(options.rp).toEqual({ id: 'localhost', name: 'Reeve' })
    expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257])
    expect(options.authenticatorSelection).toEqual({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'preferred',
    })
    expect([options.attestation, options.timeout]).toEqual(['none', 5 * MINUTE])
    expect([options.user.name, Buffer.from(options.user.id, 'base64url').length]).toEqual(['sorrel', 32])
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
    const again = JSON.parse((await passkeys.startRegistration(session)).body.options)
    expect(again.user.id).toBe(options.user.id)
    expect(again.challenge).not.toBe(options.challenge)
  })

  for (const algorithm of ['EdDSA', 'ES256', 'RS256'] as const) {
    test(`accepts ${algorithm}, and lists it with the name of its authenticator`, async () => {
      const authenticator = createAuthenticator({ origin: PUBLIC_URL, algorithm, aaguid: ONE_PASSWORD })
      const { accountId, session, passkeyId } = await passkeys.enroll(undefined, authenticator)
      const { passkeys: listed, ...others } = await passkeys.list(session)
      expect(listed).toEqual([
        {
          id: passkeyId,
          name: '1Password',
          authenticator: '1Password',
          isSynced: 'true',
          isUsable: 'true',
          createdAt: new Date(instance.clock.now()).toISOString(),
          lastUsedAt: null,
        },
      ])
      expect(others).toEqual({ origin: PUBLIC_URL, problem: null, limit: '20' })
      expect(await passkeys.readAudit(accountId)).toEqual([
        ['accounts.add_factor', null, { factor: 'passkey', name: '1Password' }],
      ])
    })
  }

  test('rejects another algorithm', async () => {
    const session = await openSession()
    const authenticator = createAuthenticator({ origin: PUBLIC_URL, algorithm: 'ES384' })
    expect(outcome(await passkeys.register(session, authenticator))).toEqual(NOT_VERIFIED)
  })

  test('comes with ten recovery codes if it is the first second factor, shown once', async () => {
    const session = await openSession()
    const add = () => passkeys.register(session, createAuthenticator({ origin: PUBLIC_URL }))
    expect(new Set((await add()).body.recoveryCodes).size).toBe(10)
    expect((await add()).body.recoveryCodes).toBeNull()
  })

  test('names it like the browser if the authenticator is unknown, and numbers equal names', async () => {
    const session = await openSession()
    for (const expected of ['Chrome on Windows', 'Chrome on Windows 2', 'Chrome on Windows 3']) {
      const { body } = await passkeys.register(session, createAuthenticator({ origin: PUBLIC_URL }), {
        fallbackName: 'Chrome on Windows',
      })
      expect([body.passkey.name, body.passkey.authenticator]).toEqual([expected, null])
    }
  })

  test('excludes those that the account has', async () => {
    const { session, authenticator } = await passkeys.enroll()
    const options = JSON.parse((await passkeys.startRegistration(session)).body.options)
    expect(options.excludeCredentials).toEqual([
      { id: authenticator.id, type: 'public-key', transports: ['hybrid', 'internal'] },
    ])
    const again = await passkeys.register(session, authenticator)
    expect(outcome(again)).toEqual([409, 'conflict', 'This passkey has been added already.'])
  })

  test('works once per challenge, for five minutes, and only in the session that asked', async () => {
    const accountId = await instance.account()
    const session = await instance.session(accountId)
    const create = () => createAuthenticator({ origin: PUBLIC_URL })
    const first = (await passkeys.startRegistration(session)).body.options
    expect((await passkeys.addPasskey(session, create().register(first))).status).toBe(200)
    expect(outcome(await passkeys.addPasskey(session, create().register(first)))).toEqual(LATE)

    const ofOther = (await passkeys.startRegistration(await instance.session(accountId))).body.options
    expect(outcome(await passkeys.addPasskey(session, create().register(ofOther)))).toEqual(LATE)
    const ofStranger = (await passkeys.startRegistration(await openSession())).body.options
    expect(outcome(await passkeys.addPasskey(session, create().register(ofStranger)))).toEqual(LATE)
    const forSignIn = (await passkeys.startSignIn()).body.options
    const { challenge } = JSON.parse(forSignIn)
    const forged = JSON.stringify({ ...JSON.parse(first), challenge })
    expect(outcome(await passkeys.addPasskey(session, create().register(forged)))).toEqual(LATE)

    const late = (await passkeys.startRegistration(session)).body.options
    instance.clock.advance(5 * MINUTE)
    expect(outcome(await passkeys.addPasskey(session, create().register(late)))).toEqual(LATE)
    expect((await passkeys.list(session)).passkeys).toHaveLength(1)
  })

  test('rejects one from another origin, and what is not a credential', async () => {
    const session = await openSession()
    const elsewhere = createAuthenticator({ origin: 'https://elsewhere.example' })
    expect(outcome(await passkeys.register(session, elsewhere))).toEqual(NOT_VERIFIED)
    const junk = { id: 'AAAA', clientDataJSON: 'AAAA', attestationObject: 'AAAA' }
    expect(outcome(await passkeys.addPasskey(session, junk))).toEqual(NOT_VERIFIED)
    const { body } = await passkeys.startRegistration(session)
    const valid = createAuthenticator({ origin: PUBLIC_URL }).register(body.options)
    expect(outcome(await passkeys.addPasskey(session, { ...valid, id: 'AAAA' }))).toEqual(NOT_VERIFIED)
  })

  test('is refused beyond 20 passkeys, also with a challenge from before', async () => {
    const session = await openSession()
    const early = (await passkeys.startRegistration(session)).body.options
    for (let count = 0; count < 20; count++)
      await passkeys.register(session, createAuthenticator({ origin: PUBLIC_URL }))
    const message = 'An account can have 20 passkeys. Remove one that you no longer use first.'
    expect(outcome(await passkeys.startRegistration(session))).toEqual([409, 'conflict', message])
    const body = createAuthenticator({ origin: PUBLIC_URL }).register(early)
    expect(outcome(await passkeys.addPasskey(session, body))).toEqual([409, 'conflict', message])
    expect((await passkeys.list(session)).passkeys).toHaveLength(20)
  })

  test('requires a recently verified factor, like removing one; renaming does not', async () => {
    const { authenticator, passkeyId } = await passkeys.enroll()
    const session = readSessionToken(await passkeys.signIn(authenticator))
    instance.clock.advance(10 * MINUTE)
    const required = { status: 403, body: { reason: 'verification_required' } }
    expect(await passkeys.startRegistration(session)).toMatchObject(required)
    expect(await passkeys.remove(session, passkeyId)).toMatchObject(required)
    expect((await passkeys.rename(session, passkeyId, 'My phone')).status).toBe(200)
  })
})

describe('a passkey', () => {
  test('is renamed and removed by its account only', async () => {
    const { accountId, session, passkeyId } = await passkeys.enroll()
    const stranger = await openSession()
    for (const id of [passkeyId, UNKNOWN_ID]) {
      expect((await passkeys.rename(stranger, id, 'Mine')).status).toBe(404)
      expect((await passkeys.remove(stranger, id)).status).toBe(404)
    }
    expect((await passkeys.rename(session, passkeyId, ' My phone ')).body.passkey.name).toBe('My phone')
    expect((await passkeys.remove(session, passkeyId)).body).toEqual({ id: passkeyId })
    expect((await passkeys.list(session)).passkeys).toEqual([])
    expect(await passkeys.readAudit(accountId)).toEqual([
      ['accounts.add_factor', null, { factor: 'passkey', name: 'Passkey' }],
      ['accounts.rename_passkey', { name: 'Passkey' }, { name: 'My phone' }],
      ['accounts.remove_factor', { factor: 'passkey', name: 'My phone' }, null],
    ])
  })

  test('gets no name that another one of the account has', async () => {
    const { session, passkeyId } = await passkeys.enroll()
    const { body } = await passkeys.register(session, createAuthenticator({ origin: PUBLIC_URL }))
    expect(outcome(await passkeys.rename(session, body.passkey.id, 'Passkey'))).toEqual([
      409,
      'conflict',
      'You already have a passkey named Passkey.',
    ])
    expect((await passkeys.rename(session, passkeyId, 'Passkey')).status).toBe(200)
    const { passkeys: listed } = await passkeys.list(session)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Passkey', 'Passkey 2'])
    const stranger = await passkeys.enroll()
    expect((await passkeys.rename(stranger.session, stranger.passkeyId, 'Passkey 2')).status).toBe(200)
  })

  test('is not removed if it is the only way to sign in', async () => {
    const { id } = await instance.db.write((tx) =>
      createAccount(tx, instance.ports, anonymousActor, {
        username: 'passkeys only',
        passwordHash: null,
        isOperator: false,
      }),
    )
    const session = await instance.session(id)
    const [first, second] = [
      createAuthenticator({ origin: PUBLIC_URL }),
      createAuthenticator({ origin: PUBLIC_URL }),
    ]
    const firstId = (await passkeys.register(session, first)).body.passkey.id
    const secondId = (await passkeys.register(session, second)).body.passkey.id
    expect((await passkeys.remove(session, firstId)).status).toBe(200)
    expect(outcome(await passkeys.remove(session, secondId))).toEqual([
      409,
      'conflict',
      'This is the only way to sign in to your account. Add another one first, or get a password from an operator.',
    ])
    expect((await passkeys.list(session)).passkeys).toHaveLength(1)
    expect((await passkeys.signIn(second)).status).toBe(200)
  })
})

describe('an instance whose URL browsers refuse passkeys for', () => {
  const cases = {
    'http://192.0.2.7:3000':
      'Passkeys need a host name, but the URL of this instance, http://192.0.2.7:3000, has',
    'https://[2001:db8::1]':
      'Passkeys need a host name, but the URL of this instance, https://[2001:db8::1], has',
    'http://reeve.example': 'Passkeys need HTTPS, but the URL of this instance is http://reeve.example.',
  }
  for (const [publicUrl, problem] of Object.entries(cases)) {
    test(`says why: ${publicUrl}`, async () => {
      const other = await openInstance({ publicUrl })
      const requests = createPasskeyRequests(other)
      const cookieName = publicUrl.startsWith('https:') ? '__Host-reeve_session' : 'reeve_session'
      const session = await other.session(await other.account())
      const headers = { cookie: `${cookieName}=${session}`, 'sec-fetch-site': 'same-origin' }
      const { body } = await other.request('GET', '/portal/api/factors', { headers })
      const { problem: shown } = body.passkeys
      expect(shown).toStartWith(problem)
      const refused = await other.request('POST', '/portal/api/passkeys/options', { headers })
      expect([refused.status, refused.body.error]).toEqual([409, shown])
      expect((await requests.startSignIn()).body.error).toBe(shown)
      await other.close()
    })
  }

  test('marks the passkeys that were created for another host', async () => {
    const before = await openInstance()
    const { session, authenticator } = await createPasskeyRequests(before).enroll('moved')
    await before.db.close()
    const { storage, clock } = before
    const moved = await openInstance({ storage, clock, publicUrl: 'https://new.example' })
    const headers = { cookie: `__Host-reeve_session=${session}`, 'sec-fetch-site': 'same-origin' }
    const { body } = await moved.request('GET', '/portal/api/factors', { headers })
    expect(body.passkeys.passkeys).toMatchObject([{ isUsable: 'false' }])
    const requests = createPasskeyRequests(moved)
    expect((await requests.signIn(authenticator)).status).toBe(401)
    expect(outcome(await requests.startSignIn(await requests.signInWithPassword('moved')))).toEqual([
      409,
      'conflict',
      'Your account has no passkey for this site. Use another way.',
    ])
    await moved.close()
  })
})
