import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ConfigError, listWarnings, readConfig, resolvePublicUrl } from '@reeve/api/config'
import { getFileVariable } from '@reeve/api/secret-files'
import type { Setting } from '@reeve/api/setting'
import { settings } from '@reeve/api/settings'
import { ROOT } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'

/** The problems that startup reports for these settings. */
function listProblems(env: Record<string, string>, flags: Record<string, string> = {}): readonly string[] {
  try {
    readConfig(flags, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('unset settings have their defaults', () => {
  const config = readConfig({}, {})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: `${process.cwd()}/data`,
    publicUrl: null,
    legacyPrefix: '/api/public/v1',
    corsOrigins: [],
    trustedProxies: [],
    hosts: [],
    logLevel: 'info',
    keyRatePerMinute: 600,
    sessionRatePerMinute: 1200,
    imageRatePerMinute: 1200,
    workspacesPerAccount: 10,
    workspaceCreation: 'anyone',
    mfa: 'optional',
    storageQuota: 5e9,
    metricsToken: null,
    metricsListen: null,
    securityContact: null,
  })
})

test('a flag takes precedence over the environment, and an empty value counts as unset', () => {
  expect(readConfig({ port: '4001' }, { REEVE_PORT: '4000' }).port).toBe(4001)
  expect(readConfig({}, { REEVE_PORT: '4000' }).port).toBe(4000)
  expect(readConfig({ port: '' }, { REEVE_PORT: '' }).port).toBe(3000)
})

test('the storage quota is a size, or none', () => {
  const read = (REEVE_STORAGE_QUOTA: string) => readConfig({}, { REEVE_STORAGE_QUOTA }).storageQuota
  expect(['5GiB', '500 MB', 'none', '0'].map(read)).toEqual([5 * 2 ** 30, 5e8, null, null])
  expect(listProblems({ REEVE_STORAGE_QUOTA: 'much' }, {})).toEqual([
    'REEVE_STORAGE_QUOTA must be a size such as 5GB, 500MB or 5GiB.',
  ])
})

test('every invalid setting is listed under the flag or variable that set it', () => {
  const problems = listProblems(
    { REEVE_PORT: '65536', REEVE_LOG_LEVEL: 'inf', REEVE_KEY_RATE_PER_MINUTE: '-1', REEVE_HSOT: 'x' },
    { publicUrl: 'ftp://reeve.example' },
  )
  expect(problems).toHaveLength(5)
  expect(problems.join('\n')).toContain('REEVE_PORT must be a whole number from 0 to 65535.')
  expect(problems.join('\n')).toContain('did you mean info?')
  expect(problems.join('\n')).toContain('REEVE_KEY_RATE_PER_MINUTE must be')
  expect(problems.join('\n')).toContain('--public-url must be')
  expect(problems.join('\n')).toContain('REEVE_HSOT is not a setting; did you mean REEVE_HOST?')
})

const REEVE_DATABASE_URL = 'postgres://reeve@127.0.0.1/reeve'

test('a port is shared only by processes of one PostgreSQL database', () => {
  expect(listProblems({ REEVE_SHARE_PORT: 'yes' })).toEqual([
    'REEVE_SHARE_PORT requires REEVE_DATABASE_URL: only processes of one PostgreSQL database have the same data.',
  ])
  const env = { REEVE_SHARE_PORT: 'yes', REEVE_DATABASE_URL, REEVE_SECRET_KEY: SECRET_KEY }
  expect(readConfig({}, env).sharePort).toBe(true)
})

test('data in PostgreSQL require a secret key', () => {
  expect(listProblems({ REEVE_DATABASE_URL })).toEqual([
    expect.stringMatching(/^REEVE_SECRET_KEY is missing\. With PostgreSQL/),
  ])
})

test('the metrics need another port than the requests, unless they have another host', () => {
  const isRejected = (REEVE_METRICS_LISTEN: string, env: Record<string, string> = {}) =>
    listProblems({ REEVE_METRICS_LISTEN, ...env }).some((problem) =>
      problem.startsWith('REEVE_METRICS_LISTEN has the port '),
    )
  for (const address of ['127.0.0.1:3000', '0.0.0.0:3000', '[::]:3000'])
    expect(isRejected(address)).toBe(true)
  expect(isRejected('10.0.0.7:4000', { REEVE_HOST: '0.0.0.0', REEVE_PORT: '4000' })).toBe(true)
  for (const address of ['127.0.0.1:3001', '10.0.0.7:3000']) expect(isRejected(address)).toBe(false)
  expect(isRejected('127.0.0.1:0', { REEVE_PORT: '0' })).toBe(false)
})

describe('an invalid value is rejected', () => {
  const invalidSettings: Record<string, string[]> = {
    REEVE_HOST: ['http://x', 'a b', '-x', '127.0.0.1:80'],
    REEVE_SHARE_PORT: ['true', '1', 'maybe'],
    REEVE_HOSTS: ['https://reeve.example', 'reeve:3000', 'reeve.lan,10.0.0.1', 'a b', '-x'],
    REEVE_PORT: ['-1', '1.5', '0x50', 'http', 'tcp://10.0.0.1:3000'],
    REEVE_PUBLIC_URL: [
      'reeve.example',
      'https://reeve.example/staff',
      'https://a:b@reeve.example',
      'https://x?y',
    ],
    REEVE_LEGACY_PREFIX: [
      'api',
      '/',
      '/api',
      '/api/',
      '/api/events',
      '/portal',
      '/portal/api',
      '/a//b',
      '/a/',
      '/:x',
      '/*',
      '/..',
    ],
    REEVE_CORS_ORIGINS: ['*', 'bot.example', 'https://bot.example/path', 'https://a.example,nonsense'],
    REEVE_TRUSTED_PROXIES: ['10.0.0.0/33', 'proxy', '10.0.0.1,x', '0', '10', '1,10.0.0.1', '-1'],
    REEVE_LOG_LEVEL: ['trace', 'INFO'],
    REEVE_SECURITY_CONTACT: [
      'nobody',
      'http://example.com',
      'a b@example.com',
      'tel:1',
      'a@example.com\nExpires: never',
    ],
    REEVE_SESSION_RATE_PER_MINUTE: ['1.5', 'many'],
    REEVE_METRICS_TOKEN: ['short', 'with a space in it all'],
    REEVE_METRICS_LISTEN: [
      '9464',
      ':9464',
      '127.0.0.1',
      '127.0.0.1:99999',
      'unix:/run/x',
      '[127.0.0.1]:1',
      'http://a:1',
    ],
  }
  for (const [name, values] of Object.entries(invalidSettings)) {
    for (const value of values) {
      test(`${name}=${value}`, () => {
        const problems = listProblems({ [name]: value })
        expect(problems).toHaveLength(1)
        expect(problems[0]).toStartWith(`${name} must`)
      })
    }
  }
})

const bucketSettings = {
  REEVE_S3_BUCKET: 'images',
  REEVE_S3_ENDPOINT: 'https://s3.example.com/base/',
  REEVE_S3_REGION: 'eu-central-1',
  REEVE_S3_ACCESS_KEY_ID: 'AKID',
  REEVE_S3_SECRET_ACCESS_KEY: 'a/secret+=',
}

describe('the settings of the image bucket', () => {
  test('are valid together, with or without a prefix', () => {
    expect(readConfig({}, bucketSettings)).toMatchObject({ s3Bucket: 'images', s3Prefix: '' })
    expect(readConfig({}, { ...bucketSettings, REEVE_S3_PREFIX: 'reeve/images/' }).s3Prefix).toBe(
      'reeve/images/',
    )
  })

  test('are rejected if one is missing or empty, which is named', () => {
    for (const name of Object.keys(bucketSettings)) {
      expect(listProblems({ ...bucketSettings, [name]: ' ' })).toEqual([
        `${name} is missing. The other settings of the image bucket require it.`,
      ])
    }
    expect(listProblems({ REEVE_S3_PREFIX: 'reeve/' })).toHaveLength(5)
  })

  test('are rejected if one is invalid, without repeating a secret', () => {
    const invalidSettings: Record<string, string[]> = {
      REEVE_S3_BUCKET: ['a', 'a/b', 'ü-bucket', '-images'],
      REEVE_S3_ENDPOINT: [
        's3.example.com',
        'ftp://s3.example.com',
        'https://k:s@s3.example.com',
        'https://x?y',
      ],
      REEVE_S3_REGION: ['eu central', 'eu/1'],
      REEVE_S3_PREFIX: ['reeve', '/reeve/', '../', 'a//b/', 'a b/'],
      REEVE_S3_ACCESS_KEY_ID: ['AK ID', 'AKID\n1'],
      REEVE_S3_SECRET_ACCESS_KEY: ['a secret', 'sécret'],
    }
    for (const [name, values] of Object.entries(invalidSettings)) {
      for (const value of values) {
        const problems = listProblems({ ...bucketSettings, [name]: value })
        expect(problems).toHaveLength(1)
        expect(problems[0]).toStartWith(`${name} must be`)
        if (name.includes('ACCESS_KEY')) expect(problems[0]).not.toContain(value)
      }
    }
  })
})

test('lists can contain spaces and a trailing comma', () => {
  const config = readConfig(
    {},
    {
      REEVE_CORS_ORIGINS: 'https://a.example, http://b.example:8080/,',
      REEVE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    },
  )
  expect(config.corsOrigins).toEqual(['https://a.example', 'http://b.example:8080'])
  expect(config.trustedProxies).toHaveLength(2)
})

test('variables that Kubernetes sets for a service named reeve are warnings and do not abort startup', () => {
  const env = { REEVE_SERVICE_HOST: '10.0.0.1', REEVE_PORT_3000_TCP_ADDR: '10.0.0.1' }
  expect(listProblems(env)).toEqual([])
  expect(listWarnings(readConfig({}, env), env)).toHaveLength(2)
})

test('listening on other interfaces over plain http is a warning', () => {
  const warn = (env: Record<string, string>) => listWarnings(readConfig({}, env), env).length
  expect(warn({})).toBe(0)
  expect(warn({ REEVE_HOST: '::1' })).toBe(0)
  expect(warn({ REEVE_HOST: '0.0.0.0' })).toBe(1)
  expect(warn({ REEVE_HOST: '0.0.0.0', REEVE_PUBLIC_URL: 'http://reeve.example' })).toBe(1)
  expect(warn({ REEVE_HOST: '0.0.0.0', REEVE_PUBLIC_URL: 'https://reeve.example' })).toBe(0)
})

test('the public URL defaults to the host and port', () => {
  const getOrigin = (host: string) => resolvePublicUrl({ host, publicUrl: null }, 3000).origin
  expect(getOrigin('127.0.0.1')).toBe('http://127.0.0.1:3000')
  expect(getOrigin('::1')).toBe('http://[::1]:3000')
  expect(getOrigin('0.0.0.0')).toBe('http://localhost:3000')
  const set = readConfig({}, { REEVE_PUBLIC_URL: 'https://reeve.example' })
  expect(resolvePublicUrl(set, 3000).origin).toBe('https://reeve.example')
})

test('no secret has a flag', () => {
  for (const name of ['metricsToken', 'databaseUrl', 's3AccessKeyId', 's3SecretAccessKey'] as const)
    expect(settings[name].flag).toBeNull()
})

test('the placeholder of an example is not accepted as a secret', () => {
  const databaseUrl = 'postgres://reeve:Change-Me@db.example.com:5432/reeve'
  for (const env of [
    { REEVE_METRICS_TOKEN: 'change-me-to-a-long-random-word' },
    { REEVE_DATABASE_URL: databaseUrl },
    { ...bucketSettings, REEVE_S3_SECRET_ACCESS_KEY: 'changeme' },
    { REEVE_BACKUP_PASSPHRASE: 'change-me, at once please' },
  ]) {
    const problems = listProblems(env)
    expect(problems[0]).toMatch(/^REEVE_\w+ is still the placeholder of the example\. Generate a secret/)
    expect(problems.join()).not.toMatch(/change-?me/i)
  }
})

test('docs/self-host.md lists every variable that names the file of a secret', async () => {
  const page = await Bun.file(join(ROOT, 'docs/self-host.md')).text()
  const [paragraph = ''] = /^Every secret can also be read from a file.*?\n\n/ms.exec(page) ?? []
  const variables = Object.values<Setting<unknown>>(settings).map(getFileVariable)
  const listed = [...paragraph.matchAll(/REEVE_\w+_FILE/g)].map(([name]) => name)
  expect(listed).toEqual(variables.filter((name) => name !== null))
})
