import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, listWarnings, readConfig } from '@reeve/api/config'
import { runReeve } from '../support/program.ts'
import { type RobloxSignIn, startRobloxSignIn } from '../support/roblox-sign-in.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

type Env = Record<string, string>

/** The problems that startup reports for these settings. */
function listProblems(env: Env): readonly string[] {
  try {
    readConfig({}, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const readProviders = (env: Env) => readConfig({}, env).oidcProviders

const company: Env = {
  REEVE_OIDC_MY_COMPANY_ISSUER: 'https://login.example.com/realms/staff',
  REEVE_OIDC_MY_COMPANY_CLIENT_ID: 'reeve',
  REEVE_OIDC_MY_COMPANY_CLIENT_SECRET: 'hidden-word',
}

describe('the settings of identity providers', () => {
  test('need a client ID and a secret for Roblox and Discord, which have the rest', () => {
    const providers = readProviders({
      ...{ REEVE_OIDC_ROBLOX_CLIENT_ID: '1', REEVE_OIDC_ROBLOX_CLIENT_SECRET: '2' },
      ...{ REEVE_OIDC_DISCORD_CLIENT_ID: '3', REEVE_OIDC_DISCORD_CLIENT_SECRET: '4' },
    })
    expect(providers.map((provider) => ({ ...provider, issuer: provider.issuer.href }))).toEqual([
      {
        ...{ id: 'discord', name: 'Discord', issuer: 'https://discord.com/', protocol: 'discord' },
        ...{ clientId: '3', clientSecret: '4', scopes: 'identify', createsAccounts: false },
      },
      {
        ...{ id: 'roblox', name: 'Roblox', issuer: 'https://apis.roblox.com/oauth/', protocol: 'openid' },
        ...{ clientId: '1', clientSecret: '2', scopes: 'openid profile', createsAccounts: false },
      },
    ])
  })

  test('describe any OpenID Connect provider, with an id of several words', () => {
    const more = {
      REEVE_OIDC_MY_COMPANY_NAME: 'Night Shift SSO',
      REEVE_OIDC_MY_COMPANY_SCOPES: ' openid  email ',
      REEVE_OIDC_MY_COMPANY_CREATE: 'true',
    }
    const named = { name: 'Night Shift SSO', scopes: 'openid email', createsAccounts: true }
    expect(readProviders({ ...company, ...more })).toMatchObject([{ id: 'my-company', ...named }])
    expect(readProviders(company)).toMatchObject([
      { id: 'my-company', name: 'My company', scopes: 'openid profile', createsAccounts: false },
    ])
  })

  test('are absent without a variable, and an empty one counts as unset', () => {
    expect(readProviders({})).toEqual([])
    expect(readProviders({ REEVE_OIDC_ROBLOX_CLIENT_ID: '', REEVE_OIDC_ROBLOX_NAME: ' ' })).toEqual([])
  })

  test('name what is missing, mistyped or invalid, without repeating a secret', () => {
    const cases: [Env, string][] = [
      [
        { REEVE_OIDC_ROBLOX_CLIENT_ID: '1' },
        'REEVE_OIDC_ROBLOX_CLIENT_SECRET is missing. The other settings of this identity provider require it.',
      ],
      [
        { ...company, REEVE_OIDC_MY_COMPANY_ISSUER: '' },
        'REEVE_OIDC_MY_COMPANY_ISSUER is missing. The other settings of this identity provider require it.',
      ],
      [
        { ...company, REEVE_OIDC_MY_COMPANY_ISSUER: 'http://login.example.com' },
        'REEVE_OIDC_MY_COMPANY_ISSUER must be an https URL: over plain http, anyone on the way could sign in as anybody.',
      ],
      [
        { ...company, REEVE_OIDC_MY_COMPANY_ISSUER: 'login.example.com' },
        'REEVE_OIDC_MY_COMPANY_ISSUER must be an https URL, such as https://login.example.com/realms/staff.',
      ],
      [
        { ...company, REEVE_OIDC_MY_COMPANY_CLIENT_SECRET: 'hidden word' },
        'REEVE_OIDC_MY_COMPANY_CLIENT_SECRET must be printable ASCII characters without spaces.',
      ],
      [
        { ...company, REEVE_OIDC_MY_COMPANY_SCOPES: 'email' },
        'REEVE_OIDC_MY_COMPANY_SCOPES must contain openid.',
      ],
      [
        { ...company, REEVE_OIDC_MY_COMPANY_CREATE: 'maybe' },
        'REEVE_OIDC_MY_COMPANY_CREATE must be one of true, false.',
      ],
      [
        { ...company, REEVE_OIDC_MY_COMPANY_NAME: 'x'.repeat(41) },
        'REEVE_OIDC_MY_COMPANY_NAME must be at most 40 characters.',
      ],
      [
        { REEVE_OIDC_ROBLOX_CLIENT_SECERT: 'hidden-word' },
        'REEVE_OIDC_ROBLOX_CLIENT_SECERT is not a setting; did you mean REEVE_OIDC_ROBLOX_CLIENT_SECRET?',
      ],
      [
        { REEVE_OIDC_ROBLOX_COLOR: 'red' },
        'REEVE_OIDC_ROBLOX_COLOR is not a setting. Those of a provider end in ISSUER, CLIENT_ID, CLIENT_SECRET, NAME, SCOPES, CREATE.',
      ],
      [
        {
          ...company,
          REEVE_OIDC_OTHER_ISSUER: 'https://login.example.com/realms/staff',
          REEVE_OIDC_OTHER_CLIENT_ID: 'x',
          REEVE_OIDC_OTHER_CLIENT_SECRET: 'y',
        },
        'REEVE_OIDC_OTHER_ISSUER is also the issuer of my-company. Remove one of the two providers.',
      ],
    ]
    for (const [env, problem] of cases) expect(listProblems(env)).toEqual([problem])
    expect(JSON.stringify(cases.map(([env]) => listProblems(env)))).not.toContain('hidden')
  })

  test('warn without a public URL, which the redirect URL consists of', () => {
    const warnings = listWarnings(readConfig({}, company), company)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('register https://reeve.example/sign-in/my-company/callback')
    const complete = { ...company, REEVE_PUBLIC_URL: 'https://staff.example' }
    expect(listWarnings(readConfig({}, complete), complete)).toEqual([])
  })
})

describe('with the program', () => {
  let folder: TemporaryFolder
  let roblox: RobloxSignIn
  beforeAll(async () => {
    folder = temporaryFolder()
    roblox = await startRobloxSignIn()
  })
  afterAll(async () => {
    await roblox.stop()
    folder.remove()
  })

  const check = (env: Env) =>
    runReeve(['config', 'check', '--connect', '--json'], {
      dataDir: folder.data,
      env: { REEVE_PUBLIC_URL: 'https://staff.example', ...env },
    })

  test('the secret can be in a file, and the discovery document is read with --connect', async () => {
    const path = join(folder.path, 'secret')
    writeFileSync(path, 'from-the-file\n')
    chmodSync(path, 0o600)
    const { REEVE_OIDC_ROBLOX_CLIENT_SECRET: _, ...env } = roblox.env
    const withFile = { ...env, REEVE_OIDC_ROBLOX_CLIENT_SECRET_FILE: path }
    expect(readProviders(withFile)[0]?.clientSecret).toBe('from-the-file')
    expect(listProblems({ ...roblox.env, ...withFile })).toEqual([
      'REEVE_OIDC_ROBLOX_CLIENT_SECRET_FILE and REEVE_OIDC_ROBLOX_CLIENT_SECRET are both set; set only one.',
    ])
    const report = JSON.parse((await check(withFile)).out)
    expect(report).toMatchObject({ valid: true, warnings: [] })
    expect(report.connected).toEqual([
      `the identity provider Roblox at ${new URL(roblox.issuer).origin} (REEVE_OIDC_ROBLOX_ISSUER)`,
    ])
    roblox.faults.respond = () => new Response('', { status: 503 })
    const { exitCode, out } = await check(withFile)
    expect(exitCode).toBe(2)
    expect(JSON.parse(out).problems).toEqual([
      { setting: 'REEVE_OIDC_ROBLOX_ISSUER', message: expect.stringContaining('503') },
    ])
    expect(out).not.toContain('from-the-file')
  })

  test('help names the variables of providers', async () => {
    const { out } = await runReeve(['serve', '--help'], { dataDir: folder.data })
    expect(out).toContain(
      'REEVE_OIDC_<ID>_CLIENT_SECRET or REEVE_OIDC_<ID>_CLIENT_SECRET_FILE  the client secret',
    )
  })
})
