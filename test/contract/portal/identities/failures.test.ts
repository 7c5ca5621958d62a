import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { ProviderFailure } from '@reeve/auth'
import { startDiscordSignIn } from '../../../support/discord-sign-in.ts'
import { type Instance, openInstance } from '../../../support/instance.ts'
import { agreeAt, oauthError, TEST_CLIENT } from '../../../support/oauth-stand-in.ts'
import { createProviderBrowser } from '../../../support/provider-browser.ts'
import { type RobloxSignIn, startRobloxSignIn } from '../../../support/roblox-sign-in.ts'
import { readTestProviders, type TestProviders } from '../../../support/test-providers.ts'

let roblox: RobloxSignIn
let discord: ReturnType<typeof startDiscordSignIn>
let instance: Instance
let oidc: TestProviders

/** A new instance per test, so that none has cached what another one changed. */
async function openWithLinkedAccount(provider = 'roblox') {
  oidc = readTestProviders({ ...roblox.env, ...discord.env })
  instance = await openInstance({ oidc })
  roblox.oauth.now = instance.ports.now
  const browser = createProviderBrowser(instance, await instance.session(await instance.account()))
  expect((await browser.link(provider)).status).toBe(200)
}

beforeAll(async () => {
  roblox = await startRobloxSignIn()
  discord = startDiscordSignIn()
})
afterEach(async () => {
  roblox.mend()
  discord.faults.respond = null
  discord.oauth.authorizationError = null
  await instance.close()
})
afterAll(async () => {
  await roblox.stop()
  await discord.stop()
})

const EXPLANATIONS = {
  denied: /^You did not allow the sign-in at (Roblox|Discord)\. Start again, or sign in another way\.$/,
  unavailable: /^(Roblox|Discord) did not respond as expected\. Try again in a minute/,
  repeated: /because it took too long or was used before\. Start again\.$/,
  misconfigured: /is not set up correctly\. Contact the operator of this instance/,
  unverified: /could not be verified, so you are not signed in\./,
}

/** Signs in and fails. The person is told what to do, the log has the cause, and there is no session. */
async function expectFailure(
  problem: ProviderFailure['problem'],
  explanation: keyof typeof EXPLANATIONS,
  { provider = 'roblox', status = 401 }: { provider?: string; status?: number } = {},
) {
  const browser = createProviderBrowser(instance)
  oidc.failures.length = 0
  const response = await browser.signIn(provider)
  expect({ status: response.status, failures: oidc.failures }).toMatchObject({
    status,
    failures: [{ provider, problem }],
  })
  const [failure] = oidc.failures
  expect(failure?.requestId).toBe(response.body.requestId)
  expect(failure?.detail).not.toBe('')
  expect(response.body.error).toMatch(EXPLANATIONS[explanation])
  expect(JSON.stringify(oidc.failures)).not.toContain(TEST_CLIENT.secret)
  expect(browser.cookies.has('reeve_session')).toBe(false)
  return failure
}

describe('a sign-in at the provider', () => {
  test('that the person declines', async () => {
    await openWithLinkedAccount()
    roblox.oauth.authorizationError = 'access_denied'
    await expectFailure('access_denied', 'denied')
  })

  test('that the provider refuses', async () => {
    await openWithLinkedAccount()
    roblox.oauth.authorizationError = 'invalid_scope'
    const failure = await expectFailure('authorization_refused', 'misconfigured', { status: 503 })
    expect(failure?.detail).toBe('invalid_scope: as the test wants it')
  })

  test('whose code was used before', async () => {
    await openWithLinkedAccount()
    roblox.faults.respond = (path) => (path === '/oauth/v1/token' ? oauthError('invalid_grant') : null)
    await expectFailure('code_rejected', 'repeated')
  })

  test('with a client secret that the provider does not accept', async () => {
    await openWithLinkedAccount()
    roblox.faults.respond = (path) => (path === '/oauth/v1/token' ? oauthError('invalid_client', 401) : null)
    await expectFailure('client_rejected', 'misconfigured', { status: 503 })
  })
})

describe('a provider', () => {
  for (const path of ['/oauth/v1/token', '/oauth/v1/certs']) {
    test(`whose ${path} fails`, async () => {
      await openWithLinkedAccount()
      instance.clock.advance(2 * 60 * 60_000)
      roblox.faults.respond = (requested) =>
        requested === path ? new Response('Bad gateway', { status: 502 }) : null
      await expectFailure('server_error', 'unavailable', { status: 503 })
      roblox.mend()
      expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(200)
    })
  }

  test('that is down when the sign-in begins, which works as soon as it is up again', async () => {
    await openWithLinkedAccount()
    instance.clock.advance(2 * 60 * 60_000)
    roblox.faults.respond = () => new Response('Maintenance', { status: 503 })
    await expectFailure('server_error', 'unavailable', { status: 503 })
    roblox.mend()
    expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(200)
  })

  test('that cannot be reached', async () => {
    await openWithLinkedAccount()
    const gone = await startRobloxSignIn()
    await instance.close()
    oidc = readTestProviders(gone.env)
    instance = await openInstance({ oidc })
    await gone.stop()
    const failure = await expectFailure('unreachable', 'unavailable', { status: 503 })
    expect(failure?.detail).toMatch(/^the connection to 127\.0\.0\.1:\d+ failed/)
  })

  test('that sends more than the limit is not read to its end', async () => {
    await openWithLinkedAccount()
    instance.clock.advance(2 * 60 * 60_000)
    const chunk = new Uint8Array(64 * 1024).fill(0x20)
    let sent = 0
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent += 1
          controller.enqueue(chunk)
        },
      })
    roblox.faults.respond = () => new Response(endless(), { headers: { 'content-type': 'application/json' } })
    const failure = await expectFailure('invalid_response', 'unavailable', { status: 503 })
    expect(failure?.detail).toContain('is larger than 512 KiB')
    expect(sent * chunk.length).toBeLessThan(64 * 1024 * 1024)
  })

  test('that redirects is not followed', async () => {
    await openWithLinkedAccount()
    const requestCount = roblox.countRequests('/elsewhere')
    roblox.faults.respond = (path) =>
      path === '/oauth/v1/token' ? Response.redirect(new URL('/elsewhere', roblox.issuer).href, 307) : null
    await expectFailure('invalid_response', 'unavailable', { status: 503 })
    expect(roblox.countRequests('/elsewhere')).toBe(requestCount)
  })

  test('whose discovery document names another issuer', async () => {
    await openWithLinkedAccount()
    instance.clock.advance(2 * 60 * 60_000)
    roblox.faults.respond = (path) =>
      path.endsWith('/openid-configuration')
        ? Response.json({ ...roblox.configuration, issuer: 'https://elsewhere.example/' })
        : null
    await expectFailure('wrong_issuer', 'unverified')
  })

  test('that answers with the page of a proxy instead of JSON', async () => {
    await openWithLinkedAccount()
    roblox.faults.respond = (path) =>
      path === '/oauth/v1/token' ? new Response('<html>', { headers: { 'content-type': 'text/html' } }) : null
    await expectFailure('invalid_response', 'unavailable', { status: 503 })
  })

  test('whose discovery document and keys are read once, not with every sign-in', async () => {
    await openWithLinkedAccount()
    const paths = ['/oauth/.well-known/openid-configuration', '/oauth/v1/certs']
    const before = paths.map(roblox.countRequests)
    for (let count = 0; count < 5; count++)
      expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(200)
    expect(paths.map(roblox.countRequests)).toEqual(before)
    instance.clock.advance(61 * 60_000)
    expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(200)
    expect(roblox.countRequests(paths[0] ?? '')).toBe((before[0] ?? 0) + 1)
  })
})

describe('an ID token', () => {
  const wrongClaims = {
    wrong_nonce: { nonce: 'that of another sign-in' },
    wrong_issuer: { iss: 'https://elsewhere.example/' },
    wrong_audience: { aud: 'another client' },
    wrong_time: { exp: Math.floor(Date.now() / 1000) - 300 },
  } as const
  for (const [problem, claims] of Object.entries(wrongClaims)) {
    test(`with a ${problem.replace('_', ' ')}`, async () => {
      await openWithLinkedAccount()
      roblox.faults.claims = claims
      await expectFailure(problem as keyof typeof wrongClaims, 'unverified')
    })
  }

  test('that expired less than a minute ago is accepted, because clocks differ', async () => {
    await openWithLinkedAccount()
    roblox.faults.claims = { exp: Math.floor(instance.ports.now() / 1000) - 30 }
    expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(200)
  })

  test('of a key that is not published', async () => {
    await openWithLinkedAccount()
    roblox.faults.signsWithUnpublishedKey = true
    await expectFailure('wrong_signature', 'unverified')
  })

  test('of a new key is accepted, and one of an unknown key is not', async () => {
    await openWithLinkedAccount()
    await roblox.rotateKey()
    expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(200)
    await roblox.rotateKey()
    roblox.faults.respond = (path) => (path === '/oauth/v1/certs' ? Response.json({ keys: [] }) : null)
    await expectFailure('unknown_key', 'unverified')
  })

  test('that is missing', async () => {
    await openWithLinkedAccount()
    roblox.faults.respond = (path) =>
      path === '/oauth/v1/token' ? Response.json({ access_token: 'x', token_type: 'Bearer' }) : null
    await expectFailure('invalid_response', 'unavailable', { status: 503 })
  })
})

describe('a callback', () => {
  test('that names another issuer is rejected', async () => {
    await openWithLinkedAccount()
    const browser = createProviderBrowser(instance)
    const { search } = await agreeAt((await browser.start('roblox')).body.url)
    const response = await browser.finish('roblox', `${search}&iss=https%3A%2F%2Felsewhere.example%2F`)
    expect(response.body.error).toMatch(EXPLANATIONS.unverified)
    expect(oidc.failures.at(-1)?.problem).toBe('wrong_issuer')
  })

  test('without code, with a repeated code or with a token is rejected', async () => {
    await openWithLinkedAccount()
    for (const change of [
      (parameters: URLSearchParams) => parameters.delete('code'),
      (parameters: URLSearchParams) => parameters.append('code', 'another'),
      (parameters: URLSearchParams) => parameters.append('id_token', 'a.b.c'),
    ]) {
      const browser = createProviderBrowser(instance)
      const { searchParams } = await agreeAt((await browser.start('roblox')).body.url)
      change(searchParams)
      const response = await browser.finish('roblox', `?${searchParams}`)
      expect([401, 503]).toContain(response.status)
      expect(browser.cookies.has('reeve_session')).toBe(false)
    }
    expect(instance.unexpectedErrors.filter((error) => (error as Error).name !== 'AppError')).toEqual([])
  })
})

describe('Discord', () => {
  test('whose API fails, rejects the token or sends no user', async () => {
    await openWithLinkedAccount('discord')
    for (const response of [
      () => Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 }),
      () => new Response('error code: 1015', { status: 429 }),
      () => Response.json({ username: 'nobody' }),
      () => new Response('<html>'),
    ]) {
      discord.faults.respond = (path) => (path === '/api/users/@me' ? response() : null)
      await expectFailure('invalid_response', 'unavailable', { provider: 'discord', status: 503 })
    }
    discord.faults.respond = null
    discord.oauth.authorizationError = 'access_denied'
    await expectFailure('access_denied', 'denied', { provider: 'discord' })
  })
})
