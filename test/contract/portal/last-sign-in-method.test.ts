import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { createAuthenticator } from '../../support/authenticator.ts'
import { startDiscordSignIn } from '../../support/discord-sign-in.ts'
import { usePostgres } from '../../support/engine.ts'
import { type Instance, openInstance, PUBLIC_URL, type TestResponse } from '../../support/instance.ts'
import { createProviderBrowser } from '../../support/provider-browser.ts'
import { readTestProviders } from '../../support/test-providers.ts'
import { createPasskeyRequests, type PasskeyRequests } from './passkey-requests.ts'

let discord: ReturnType<typeof startDiscordSignIn>
let instance: Instance
let passkeys: PasskeyRequests
let accountCount = 0
beforeAll(async () => {
  discord = startDiscordSignIn()
  instance = await openInstance(withDiscord())
  passkeys = createPasskeyRequests(instance)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
  await discord.stop()
})

const withDiscord = () => ({ oidc: readTestProviders({ ...discord.env }) })

const removePassword = statement<{ id: string }>()((sql, p) =>
  sql.updateTable('account').set({ password_hash: null }).where('id', '=', p.id),
)

/** An account without a password that has a passkey and is linked to Discord. @param verifiesUser whether its authenticator does */
async function openAccount({ verifiesUser = true } = {}) {
  accountCount += 1
  const username = `heron ${accountCount}`
  discord.oauth.user = { subject: String(7000 + accountCount), username }
  const authenticator = createAuthenticator({ origin: PUBLIC_URL, verifiesUser })
  const enrolled = await passkeys.enroll(username, authenticator)
  const browser = createProviderBrowser(instance, enrolled.session)
  expect((await browser.link('discord')).status).toBe(200)
  await instance.db.write((tx) => tx.run(removePassword, { id: enrolled.accountId }))
  const unlink = () => browser.request('DELETE', `/portal/api/identities?issuer=${discord.issuer}`)
  return { ...enrolled, unlink }
}

function expectRefused({ status, body }: TestResponse, message: string): void {
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(body.error).toStartWith(message)
}

const ONLY_WAY = 'This is the only way to sign in to your account.'
const ONLY_KNOWN_WAY =
  'This is the only known way to sign in to your account: no other passkey has checked who you are yet'

test('a linked account can be unlinked if a passkey signs in alone, which then stays', async () => {
  const { authenticator, passkeyId, session, unlink } = await openAccount()
  expect((await unlink()).status).toBe(200)
  expectRefused(await passkeys.remove(session, passkeyId), ONLY_WAY)
  expect((await passkeys.signIn(authenticator)).status).toBe(200)
})

test('a linked account stays if the only passkey does not verify its user', async () => {
  const { authenticator, unlink } = await openAccount({ verifiesUser: false })
  expectRefused(await unlink(), ONLY_KNOWN_WAY)
  expect((await passkeys.signIn(authenticator)).status).toBe(401)
  expect((await createProviderBrowser(instance).signIn('discord')).body.secondFactor).not.toBeNull()
})

test('a passkey that verifies its user stays if another one does not', async () => {
  const { session, passkeyId, unlink } = await openAccount()
  await passkeys.register(session, createAuthenticator({ origin: PUBLIC_URL, verifiesUser: false }))
  await unlink()
  expectRefused(await passkeys.remove(session, passkeyId), ONLY_KNOWN_WAY)
})

test('one of a passkey and a linked account that are removed at once stays, also with two processes', async () => {
  const { storage, clock } = instance
  const other = usePostgres ? await openInstance({ storage, clock, ...withDiscord() }) : instance
  const { remove } = createPasskeyRequests(other)
  const accounts = await Array.fromAsync(Array.from({ length: 8 }), () => openAccount())
  const responses = await Promise.all(
    accounts.flatMap(({ session, passkeyId, unlink }) => [unlink(), remove(session, passkeyId)]),
  )
  if (other !== instance) await other.db.close()
  for (let index = 0; index < responses.length; index += 2) {
    const pair = responses.slice(index, index + 2).map(({ status }) => status)
    expect(pair.sort()).toEqual([200, 409])
  }
})

test('a passkey counts from the first use in which it verifies its user', async () => {
  const { session, authenticator, unlink } = await openAccount({ verifiesUser: false })
  const verifySession = async () => {
    const { body } = await passkeys.startVerification(session)
    const assertion = authenticator.authenticate(body.options)
    expect((await passkeys.finishVerification(session, assertion)).status).toBe(200)
  }
  await verifySession()
  expectRefused(await unlink(), ONLY_KNOWN_WAY)
  authenticator.set({ verifiesUser: true })
  expect((await passkeys.signIn(authenticator)).status).toBe(200)
  // Somebody can do without it where it is not required, as when verifying a session.
  authenticator.set({ verifiesUser: false })
  await verifySession()
  expect((await unlink()).status).toBe(200)
})

test('a passkey stays if the linked account is of a provider that is not set up any more', async () => {
  const { session, passkeyId } = await openAccount()
  const { storage, clock } = instance
  await instance.db.close()
  instance = await openInstance({ storage, clock })
  passkeys = createPasskeyRequests(instance)
  expectRefused(await passkeys.remove(session, passkeyId), ONLY_WAY)
  expect((await passkeys.list(session)).passkeys).toHaveLength(1)
})
