import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { connectTo, createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { startObjectStore } from '../support/object-store.ts'
import { runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

interface Report {
  readonly valid: boolean
  readonly problems: readonly { readonly setting: string | null; readonly message: string }[]
  readonly warnings: readonly { readonly setting: string | null; readonly message: string }[]
  readonly connected: readonly string[]
}

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

const check = (env: Record<string, string>, ...more: string[]) =>
  runReeve(['config', 'check', ...more], { dataDir: folder.data, env })
const readReport = async (env: Record<string, string>, ...more: string[]) => {
  const { out, exitCode } = await check(env, '--json', ...more)
  return { exitCode, ...(JSON.parse(out) as Report) }
}

test('valid settings exit with status 0, and nothing is created or locked', async () => {
  expect(await check({})).toEqual({ exitCode: 0, out: 'All settings are valid.\n', err: '' })
  expect(existsSync(folder.data)).toBe(false)
  const server = await startServer({ dataDir: folder.data })
  expect((await check({ REEVE_PORT: new URL(server.url).port })).exitCode).toBe(0)
  expect(await server.stop()).toBe(0)
})

test('every problem that would abort startup is listed under its variable, and the exit status is 2', async () => {
  const env = {
    ...{ REEVE_PORT: 'http', REEVE_HSOT: 'x', REEVE_S3_PREFIX: 'a', REEVE_SHARE_PORT: 'yes' },
    ...{ REEVE_DATABASE_URL: 'mysql://reeve:hidden-word@db/reeve' },
  }
  const { exitCode, valid, problems } = await readReport(env, '--log-level', 'loud')
  expect({ exitCode, valid }).toEqual({ exitCode: 2, valid: false })
  const named = problems.map(({ setting }) => setting)
  for (const name of ['REEVE_PORT', 'REEVE_HSOT', 'REEVE_S3_PREFIX', 'REEVE_S3_BUCKET', '--log-level'])
    expect(named).toContain(name)
  expect(problems.find(({ setting }) => setting === 'REEVE_HSOT')?.message).toBe(
    'REEVE_HSOT is not a setting; did you mean REEVE_HOST?',
  )
  expect(JSON.stringify(problems)).not.toContain('hidden-word')
  const { out } = await check(env)
  expect(out).toStartWith('REEVE_PORT must be a whole number from 0 to 65535.\n')
  const { err } = await runReeve(['serve'], { dataDir: folder.data, env })
  const withoutSummary = out.trimEnd().split('\n').slice(0, -1)
  expect(err.trimEnd().split('\n')).toEqual(withoutSummary)
})

test('a valid but risky setting is a warning, and the exit status is 0', async () => {
  const report = await readReport({}, '--host', '0.0.0.0')
  expect(report).toMatchObject({ exitCode: 0, valid: true, warnings: [{ setting: 'REEVE_PUBLIC_URL' }] })
})

test('data in PostgreSQL need a secret key, and with --connect it must be that of the instance', async () => {
  const url = await createDatabase()
  const missing = { REEVE_DATABASE_URL: url, REEVE_SECRET_KEY: '' }
  const problems = [{ setting: 'REEVE_SECRET_KEY', message: expect.stringContaining('is missing') }]
  expect(await readReport(missing)).toMatchObject({ exitCode: 2, valid: false, problems })
  expect((await runReeve(['serve'], { dataDir: folder.data, env: missing })).exitCode).toBe(2)
  const connection = await connectTo(url)
  await connection.query("insert into instance_secret values ('secret-key-check', 'of another key')")
  await connection.close()
  expect((await readReport({ REEVE_DATABASE_URL: url })).exitCode).toBe(0)
  expect(await readReport({ REEVE_DATABASE_URL: url }, '--connect')).toMatchObject({
    exitCode: 2,
    problems: [{ setting: 'REEVE_SECRET_KEY', message: expect.stringContaining('is not the secret key') }],
  })
  await dropDatabase(url)
})

test('with --connect, PostgreSQL and the bucket are connected to; one that cannot be reached is named', async () => {
  const url = await createDatabase('template1')
  const store = startObjectStore()
  const env = { ...store.env, REEVE_DATABASE_URL: url }
  const report = await readReport(env, '--connect')
  expect(report).toMatchObject({ exitCode: 0, valid: true, problems: [] })
  expect(report.connected).toEqual([
    expect.stringMatching(/^PostgreSQL \d.* \(REEVE_DATABASE_URL\)$/),
    expect.stringMatching(/^the bucket .* \(REEVE_S3_BUCKET\)$/),
  ])
  await store.close()
  const unreachable = { ...env, REEVE_DATABASE_URL: 'postgres://reeve:hidden-word@127.0.0.1:1/reeve' }
  expect((await readReport(unreachable)).valid).toBe(true)
  const failed = await readReport(unreachable, '--connect')
  expect(failed.exitCode).toBe(2)
  expect(failed.problems.map(({ setting }) => setting)).toEqual(['REEVE_DATABASE_URL', 'REEVE_S3_BUCKET'])
  for (const { message } of failed.problems) expect(message).toContain('Check the ')
  expect(JSON.stringify(failed)).not.toContain('hidden-word')
  await dropDatabase(url)
})
