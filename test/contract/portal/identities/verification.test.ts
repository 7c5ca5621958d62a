import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { startDiscordSignIn } from '../../../support/discord-sign-in.ts'
import { type Instance, openInstance, type TestResponse } from '../../../support/instance.ts'
import { agreeAt } from '../../../support/oauth-stand-in.ts'
import { createProviderBrowser } from '../../../support/provider-browser.ts'
import { type RobloxSignIn, startRobloxSignIn } from '../../../support/roblox-sign-in.ts'
import { readTestProviders } from '../../../support/test-providers.ts'

const MINUTE = 60_000

let roblox: RobloxSignIn
let discord: ReturnType<typeof startDiscordSignIn>
let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let browser: ReturnType<typeof createProviderBrowser>
let subjectCount = 9000

const removePassword = statement<{ id: string }>()((sql, p) =>
  sql.updateTable('account').set({ password_hash: null }).where('id', '=', p.id),
)

beforeAll(async () => {
  roblox = await startRobloxSignIn()
  discord = startDiscordSignIn()
  instance = await openInstance({ oidc: readTestProviders({ ...roblox.env, ...discord.env }) })
  roblox.oauth.now = instance.ports.now
})
/** The owner of a workspace can only sign in with Roblox, and did so more than ten minutes ago. */
beforeEach(async () => {
  roblox.mend()
  becomeSomebody()
  workspace = await instance.workspace()
  browser = createProviderBrowser(instance, workspace.ownerSession)
  await browser.link('roblox')
  await instance.db.write((tx) => tx.run(removePassword, { id: workspace.ownerId }))
  expect((await browser.signIn('roblox')).status).toBe(200)
  instance.clock.advance(11 * MINUTE)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
  await roblox.stop()
  await discord.stop()
})

function becomeSomebody() {
  subjectCount += 1
  roblox.oauth.user = { subject: String(subjectCount), username: 'Shedletsky' }
}

const outcome = ({ status, body }: TestResponse) => [status, body.reason ?? body.code]
const createKey = async (by = browser) => {
  const body = { workspaceId: workspace.id, name: 'Game', permissions: '["moderation.view"]' }
  return outcome(await by.request('POST', '/portal/api/api-keys', body))
}
const start = (provider = 'roblox', by = browser) =>
  by.request('POST', '/portal/api/verification/provider', { provider })
/** Goes to the provider, signs in there and comes back. */
const verify = async (by = browser) => {
  const { searchParams, search } = await agreeAt((await start('roblox', by)).body.url)
  return { response: await by.finish('roblox', search), searchParams }
}
const UNVERIFIED = [403, 'verification_required']

describe('an account that can only sign in with a provider', () => {
  test('confirms who it is there, with a sign-in that is not an earlier one', async () => {
    expect(await createKey()).toEqual(UNVERIFIED)
    const me = (await browser.request('GET', '/portal/api/me')).body
    expect([me.verificationFactors, me.verificationProviders]).toEqual([[], ['roblox']])
    const url = new URL((await start()).body.url)
    expect([url.searchParams.get('prompt'), url.searchParams.get('max_age')]).toEqual(['login', '0'])
    const { response } = await verify()
    expect(response.body).toEqual({
      account: null,
      secondFactor: null,
      signUp: null,
      linkedProvider: null,
      verifiedUntil: new Date(instance.clock.now() + 10 * MINUTE).toISOString(),
    })
    expect((await createKey())[0]).toBe(200)
    // One that signs in only does not have to enter everything again.
    const plain = new URL((await browser.start('roblox')).body.url)
    expect(plain.searchParams.get('prompt')).toBe(null)
  })

  test('is not confirmed by a sign-in from before the request', async () => {
    roblox.faults.claims = { auth_time: Math.floor(instance.clock.now() / 1000) - 120 }
    const { response } = await verify()
    expect([response.status, response.body.error]).toEqual([
      401,
      'Roblox did not ask you to sign in again, so it is not confirmed that it is you. Start again.',
    ])
    expect(await createKey()).toEqual(UNVERIFIED)
    roblox.faults.claims = { auth_time: Math.floor(instance.clock.now() / 1000) }
    expect((await verify()).response.status).toBe(200)
    expect((await createKey())[0]).toBe(200)
  })

  test('is not confirmed by signing in to Reeve with an earlier sign-in of the provider', async () => {
    roblox.faults.claims = { auth_time: Math.floor(instance.clock.now() / 1000) - 3600 }
    expect((await browser.signIn('roblox')).status).toBe(200)
    expect(await createKey()).toEqual(UNVERIFIED)
    roblox.faults.claims = { auth_time: instance.clock.now() / 1000 - 60.000456 }
    expect((await browser.signIn('roblox')).status).toBe(200)
    expect((await createKey())[0]).toBe(200)
  })

  test('is not confirmed by another account of the provider', async () => {
    becomeSomebody()
    const { response } = await verify()
    expect([response.status, response.body.error]).toEqual([
      409,
      'You signed in with another Roblox account than the one that is linked to yours. Start again.',
    ])
    expect(await createKey()).toEqual(UNVERIFIED)
  })

  test('confirms only the session that started it, once', async () => {
    const search = (await agreeAt((await start()).body.url)).search
    const otherSession = await instance.session(workspace.ownerId)
    // The same browser, with another session of the account.
    const cookies = browser.cookies.get('reeve_session') ?? ''
    browser.cookies.set('reeve_session', otherSession)
    expect(outcome(await browser.finish('roblox', search))).toEqual([401, 'invalid_session'])
    browser.cookies.set('reeve_session', cookies)
    expect((await browser.finish('roblox', search)).status).toBe(401)
    expect(await createKey()).toEqual(UNVERIFIED)
  })
})

test('an account with a password or a second factor does not confirm with a provider', async () => {
  const { id } = workspace
  const other = await instance.member(id, ['api_keys.manage'], 20)
  const withPassword = createProviderBrowser(instance, other.session)
  becomeSomebody()
  await withPassword.link('roblox')
  expect((await withPassword.request('GET', '/portal/api/me')).body.verificationProviders).toEqual([])
  expect(outcome(await start('roblox', withPassword))).toEqual([409, 'conflict'])
  expect(outcome(await start('discord'))).toEqual([409, 'conflict'])
  expect(outcome(await start('nobody'))).toEqual([404, 'not_found'])
})
