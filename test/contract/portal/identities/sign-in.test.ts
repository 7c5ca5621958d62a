import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { startDiscordSignIn } from '../../../support/discord-sign-in.ts'
import { type Instance, openInstance } from '../../../support/instance.ts'
import { agreeAt } from '../../../support/oauth-stand-in.ts'
import { createProviderBrowser } from '../../../support/provider-browser.ts'
import { type RobloxSignIn, startRobloxSignIn } from '../../../support/roblox-sign-in.ts'
import { readTestProviders } from '../../../support/test-providers.ts'
import { enrolAuthenticator } from '../../../support/totp.ts'

let roblox: RobloxSignIn
let discord: ReturnType<typeof startDiscordSignIn>
let instance: Instance
let subjectCount = 1000

beforeAll(async () => {
  roblox = await startRobloxSignIn()
  discord = startDiscordSignIn()
  instance = await openInstance({ oidc: readTestProviders({ ...roblox.env, ...discord.env }) })
  roblox.oauth.now = instance.ports.now
  await instance.account('first')
})
afterEach(() => {
  roblox.mend()
  discord.faults.respond = null
  discord.oauth.authorizationError = null
})
afterAll(async () => {
  await instance.close()
  await roblox.stop()
  await discord.stop()
})

/** Lets a new person sign in at the providers from now on. */
function becomeSomebody(username = 'Shedletsky') {
  subjectCount += 1
  const user = { subject: String(subjectCount), username }
  roblox.oauth.user = user
  discord.oauth.user = user
  return user
}

/** An account with a linked identity. @returns its username */
async function createLinkedAccount(provider = 'roblox', name?: string): Promise<string> {
  const accountId = await instance.account(name)
  const browser = createProviderBrowser(instance, await instance.session(accountId))
  expect((await browser.link(provider)).status).toBe(200)
  return String(await browser.readUsername())
}

const listFailures = statement()((sql) =>
  sql.selectFrom('audit').select('changes').where('action', '=', 'accounts.sign_in_failed'),
)

describe('signing in with a linked account', () => {
  for (const provider of ['roblox', 'discord']) {
    test(`of ${provider} starts a session of the account it is linked to`, async () => {
      becomeSomebody()
      const username = await createLinkedAccount(provider)
      const browser = createProviderBrowser(instance)
      const { status, body } = await browser.signIn(provider)
      expect(status).toBe(200)
      expect(body).toMatchObject({ account: { username }, secondFactor: null, signUp: null })
      expect(await browser.readUsername()).toBe(username)
    })
  }

  test('finds it by issuer and subject, never by name', async () => {
    becomeSomebody('impostor')
    await createLinkedAccount('roblox', 'impostor')
    becomeSomebody('impostor')
    const browser = createProviderBrowser(instance)
    const { status, body } = await browser.signIn('roblox')
    expect([status, body.reason]).toEqual([401, 'missing_credentials'])
    expect(body.error).toContain('The Roblox account impostor is not linked to an account of this instance.')
    expect(body.error).toContain('then link Roblox under Your account')
    expect(await browser.readUsername()).toBeNull()
  })

  test('of one provider does not sign in to an account linked to the same id at another', async () => {
    becomeSomebody()
    await createLinkedAccount('discord')
    expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(401)
  })

  test('of an account with a second factor asks for it, and starts no session before', async () => {
    becomeSomebody()
    const accountId = await instance.account()
    const session = await instance.session(accountId)
    await createProviderBrowser(instance, session).link('roblox')
    const { showCode } = await enrolAuthenticator(instance, session)
    const browser = createProviderBrowser(instance)
    const { status, body } = await browser.signIn('roblox')
    expect([status, body.account, body.secondFactor.factors]).toEqual([200, null, ['totp', 'recovery_code']])
    expect(await browser.readUsername()).toBeNull()
    const { token } = body.secondFactor
    const proof = { token, code: showCode() }
    const finished = await browser.request('POST', '/portal/api/sign-in/second-factor', proof)
    expect([finished.status, finished.body.account?.id]).toEqual([200, accountId])
    expect(await browser.readUsername()).toBe(finished.body.account.username)
  })

  test('of a disabled account is refused with the reason', async () => {
    becomeSomebody()
    const username = await createLinkedAccount()
    const operator = await instance.session(await instance.account(undefined, true))
    const { body: list } = await instance.request(
      'GET',
      `/admin/api/accounts?q=${encodeURIComponent(username)}`,
      {
        session: operator,
      },
    )
    const id = list.accounts[0].id
    const disabled = await instance.request('PATCH', '/admin/api/accounts', {
      session: operator,
      body: { id, disabled: 'true' },
    })
    expect(disabled.status).toBe(200)
    const { status, body } = await createProviderBrowser(instance).signIn('roblox')
    expect(status).toBe(401)
    expect(body.error).toContain('This account is disabled.')
  })

  test('of a provider that is not configured is not found', async () => {
    expect((await createProviderBrowser(instance).start('google')).status).toBe(404)
    expect((await createProviderBrowser(instance).finish('google', '?state=x')).status).toBe(404)
  })

  test('another site cannot begin or finish it', async () => {
    const bodies = {
      provider: { provider: 'roblox' },
      callback: { provider: 'roblox', parameters: 'state=x' },
      'sign-up': { token: 'x', username: 'x' },
    }
    for (const [path, body] of Object.entries(bodies)) {
      const response = await instance.request('POST', `/portal/api/sign-in/${path}`, {
        headers: { 'sec-fetch-site': 'cross-site' },
        body,
      })
      expect([path, response.body.reason]).toEqual([path, 'cross_site_request'])
    }
  })
})

describe('the way to the provider', () => {
  test('has PKCE, state, nonce and the scopes, and goes back to the callback of this provider', async () => {
    const { body } = await createProviderBrowser(instance).start('roblox')
    const url = new URL(body.url)
    expect(`${url.origin}${url.pathname}`).toBe(roblox.configuration.authorization_endpoint)
    const { state, nonce, code_challenge, ...others } = Object.fromEntries(url.searchParams)
    expect(others).toEqual({
      response_type: 'code',
      client_id: '4242424242',
      redirect_uri: 'http://localhost:3000/sign-in/roblox/callback',
      scope: 'openid profile',
      code_challenge_method: 'S256',
    })
    for (const secret of [state, nonce, code_challenge]) expect(secret).toMatch(/^[\w-]{43}$/)
    const discordUrl = new URL((await createProviderBrowser(instance).start('discord')).body.url)
    expect(discordUrl.searchParams.get('scope')).toBe('identify')
    expect(discordUrl.searchParams.get('nonce')).toBeNull()
  })

  test('is bound to the browser by a cookie that scripts and other sites cannot use, for ten minutes', async () => {
    const { headers } = await instance.request('POST', '/portal/api/sign-in/provider', {
      body: { provider: 'roblox' },
    })
    expect(headers.get('set-cookie')).toMatch(
      /^reeve_oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/i,
    )
    const secure = await openInstance({
      publicUrl: 'https://reeve.example',
      oidc: readTestProviders(roblox.env),
    })
    const response = await secure.request('POST', '/portal/api/sign-in/provider', {
      body: { provider: 'roblox' },
    })
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-reeve_oidc=[\w-]+; .*Secure/i)
    await secure.close()
  })

  test('cannot be finished in another browser, which does not use it up', async () => {
    becomeSomebody()
    const username = await createLinkedAccount()
    const browser = createProviderBrowser(instance)
    const back = await agreeAt((await browser.start('roblox')).body.url)
    const stranger = createProviderBrowser(instance)
    await stranger.start('roblox')
    for (const other of [stranger, createProviderBrowser(instance)]) {
      const { status, body } = await other.finish('roblox', back.search)
      expect(status).toBe(401)
      expect(body.error).toContain('or was started in another browser. Start again.')
    }
    const failures = await instance.db.read.all(listFailures, {})
    expect(failures.filter(({ changes }) => changes?.includes('identity_rejected'))).not.toEqual([])
    expect((await browser.finish('roblox', back.search)).body.account.username).toBe(username)
  })

  test('works once, also for concurrent requests', async () => {
    becomeSomebody()
    await createLinkedAccount()
    const browser = createProviderBrowser(instance)
    const { search } = await agreeAt((await browser.start('roblox')).body.url)
    const exchanges = roblox.countRequests('/oauth/v1/token')
    const responses = await Promise.all(Array.from({ length: 8 }, () => browser.finish('roblox', search)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
    expect((await browser.finish('roblox', search)).status).toBe(401)
    // The others did not even reach the provider, which would have rejected the code.
    expect(roblox.countRequests('/oauth/v1/token')).toBe(exchanges + 1)
  })

  test('cannot be finished after ten minutes, or at another provider', async () => {
    becomeSomebody()
    await createLinkedAccount()
    const browser = createProviderBrowser(instance)
    const back = await agreeAt((await browser.start('roblox')).body.url)
    expect((await browser.finish('discord', back.search)).status).toBe(401)
    instance.clock.advance(10 * 60_000)
    expect((await browser.finish('roblox', back.search)).status).toBe(401)
  })

  test('can be begun in several tabs of a browser', async () => {
    becomeSomebody()
    await createLinkedAccount()
    const browser = createProviderBrowser(instance)
    const first = await agreeAt((await browser.start('roblox')).body.url)
    const second = await agreeAt((await browser.start('roblox')).body.url)
    expect((await browser.finish('roblox', first.search)).status).toBe(200)
    expect((await browser.finish('roblox', second.search)).status).toBe(200)
  })

  test('can be begun 300 times in 15 minutes from an IP address, however few are finished', async () => {
    instance.clock.advance(15 * 60_000)
    const browser = createProviderBrowser(instance)
    // In groups, because each alone waits for the disk.
    for (let count = 0; count < 300; count += 5) {
      const started = await Promise.all(Array.from({ length: 5 }, () => browser.start('roblox')))
      expect(started.map(({ status }) => status)).toEqual(Array(5).fill(200))
    }
    const { status, headers } = await browser.start('roblox')
    expect([status, headers.get('retry-after')]).toEqual([429, '900'])
    instance.clock.advance(15 * 60_000)
  })
})
