import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from '@reeve/api/config'
import type { Setting } from '@reeve/api/setting'
import { settings } from '@reeve/api/settings'
import { createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

const TOKEN = 'a-token-of-some-length'

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

/** Writes a secret to a file. @returns its path */
function writeSecret(name: string, text: string): string {
  const path = join(folder.path, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

function listProblems(env: Record<string, string>): readonly string[] {
  try {
    readConfig({}, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('a secret in a file', () => {
  test('is read without the newline at its end', () => {
    const path = writeSecret('token', `${TOKEN}\n`)
    expect(readConfig({}, { REEVE_METRICS_TOKEN_FILE: path }).metricsToken).toBe(TOKEN)
    expect(readConfig({}, { REEVE_METRICS_TOKEN_FILE: '', REEVE_METRICS_TOKEN: TOKEN }).metricsToken).toBe(
      TOKEN,
    )
  })

  test('counts as set where other settings require it', () => {
    const env = {
      ...{ REEVE_S3_BUCKET: 'images', REEVE_S3_ENDPOINT: 'https://s3.example', REEVE_S3_REGION: 'eu' },
      REEVE_S3_ACCESS_KEY_ID_FILE: writeSecret('id', 'AKID'),
      REEVE_S3_SECRET_ACCESS_KEY_FILE: writeSecret('secret', 'a/secret+=\r\n'),
    }
    expect(readConfig({}, env)).toMatchObject({ s3AccessKeyId: 'AKID', s3SecretAccessKey: 'a/secret+=' })
    const { REEVE_S3_ACCESS_KEY_ID_FILE: _, ...incomplete } = env
    expect(listProblems(incomplete)).toEqual([
      'REEVE_S3_ACCESS_KEY_ID is missing. The other settings of the image bucket require it.',
    ])
  })

  test('is an error with both variables set, without a readable file, or with an invalid value, which is not repeated', () => {
    const token = writeSecret('other', 'other-token-of-length')
    expect(listProblems({ REEVE_METRICS_TOKEN: TOKEN, REEVE_METRICS_TOKEN_FILE: token })).toEqual([
      'REEVE_METRICS_TOKEN_FILE and REEVE_METRICS_TOKEN are both set; set only one.',
    ])
    const read = (REEVE_METRICS_TOKEN_FILE: string) => listProblems({ REEVE_METRICS_TOKEN_FILE })
    const missing = join(folder.path, 'missing')
    expect(read(missing)).toEqual([
      `REEVE_METRICS_TOKEN_FILE names a file that does not exist. Create it, or correct the path: ${missing}.`,
    ])
    expect(read(folder.path)).toEqual([
      `REEVE_METRICS_TOKEN_FILE names a folder instead of a file. Correct the path: ${folder.path}.`,
    ])
    const empty = writeSecret('empty', '\n')
    expect(read(empty)[0]).toBe(
      `REEVE_METRICS_TOKEN_FILE names an empty file: ${empty}. Write the value to the file.`,
    )
    expect(read(writeSecret('large', 'x'.repeat(100_000)))[0]).toContain('larger than 64 KiB')
    const [invalid = ''] = read(writeSecret('invalid', 'too-short'))
    expect(invalid).toStartWith('REEVE_METRICS_TOKEN_FILE must be at least 16 printable')
    expect(invalid).not.toContain('too-short')
  })
})

test('every secret can be read from a file, and no other setting', () => {
  const secrets = Object.values<Setting<unknown>>(settings).filter(({ isSecret }) => isSecret)
  const pattern = /TOKEN|SECRET|PASSWORD|PASSPHRASE|ACCESS_KEY|DATABASE.*URL|ANCHOR_URL|SMTP_URL/
  const expected = Object.values(settings).filter(({ env }) => pattern.test(env))
  expect(secrets.map(({ env }) => env)).toEqual(expected.map(({ env }) => env))
  for (const { flag } of secrets) expect(flag).toBeNull()
})

test('the server and commands use the database and the token from files', async () => {
  const url = await createDatabase('template1')
  const env = {
    REEVE_DATABASE_URL_FILE: writeSecret('database', `${url}\n`),
    REEVE_METRICS_TOKEN_FILE: writeSecret('metrics', `${TOKEN}\n`),
  }
  const server = await startServer({ dataDir: folder.data, env })
  const read = (headers: Record<string, string>) =>
    fetch(`${server.url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1', ...headers } })
  expect((await read({})).status).toBe(401)
  expect((await read({ authorization: `Bearer ${TOKEN}` })).status).toBe(200)
  expect(server.log.find((line) => line.url)?.database).toContain('PostgreSQL')
  const { out } = await runReeve(['user', 'list', '--json'], { dataDir: folder.data, env })
  expect(JSON.parse(out)).toEqual({ accounts: [] })
  expect(await server.stop()).toBe(0)
  const help = await runReeve(['serve', '--help'], { dataDir: folder.data })
  expect(help.out).toContain('REEVE_DATABASE_URL or REEVE_DATABASE_URL_FILE')
  await dropDatabase(url)
})
