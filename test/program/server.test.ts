import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { startPooler } from '@reeve/db/test-pooler'
import { PASSWORD } from '../support/instance.ts'
import { runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

let folder: TemporaryFolder
let url: string

beforeAll(async () => {
  folder = temporaryFolder()
  url = await createDatabase('template1')
})
afterAll(async () => {
  await dropDatabase(url)
  folder.remove()
})

async function run(args: string[], options: { stdin?: string; url?: string } = {}) {
  const { out, err, exitCode } = await runReeve([...args, '--json'], {
    dataDir: folder.data,
    env: { REEVE_DATABASE_URL: options.url ?? url },
    stdin: options.stdin ?? '',
  })
  return { exitCode, ...JSON.parse(out || err) }
}

const verdicts = ({ findings }: { findings: { check: string; verdict: string }[] }) =>
  Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))

test('the doctor does not change an empty database', async () => {
  const doctorResult = await run(['doctor'])
  expect([doctorResult.exitCode, verdicts(doctorResult)]).toEqual([
    1,
    { settings: 'ok', database: 'ok', schema: 'fault' },
  ])
  expect(await queryServer(url, "select 1 from pg_tables where schemaname = 'public'")).toEqual([])
})

test('an instance in PostgreSQL needs no data folder', async () => {
  const initResult = await run(INIT_ARGS, { stdin: PASSWORD })
  expect(initResult.exitCode).toBe(0)
  expect((await run(INIT_ARGS, { stdin: PASSWORD })).code).toBe('conflict')
  expect(await run(['migrate'])).toEqual({ exitCode: 0, applied: [] })
  const running = await startServer({ dataDir: folder.data, env: { REEVE_DATABASE_URL: url } })
  const started = await running.waitForLog((line) => line.url !== undefined)
  expect(started.database).toMatch(/^PostgreSQL \d+/)
  expect(JSON.stringify(running.log)).not.toContain('reeve:reeve@')
  const departments = `${running.url}/api/departments?workspaceId=${initResult.workspaceId}`
  const response = await fetch(departments, { headers: { authorization: `Bearer ${initResult.apiKey}` } })
  expect(response.status).toBe(200)
  expect((await run(['user', 'list'])).accounts).toHaveLength(1)
  const doctorResult = await run(['doctor'])
  expect([doctorResult.exitCode, verdicts(doctorResult)]).toEqual([
    0,
    {
      settings: 'ok',
      database: 'ok',
      schema: 'ok',
      key: 'ok',
      audit: 'ok',
      records: 'ok',
      resources: 'ok',
      storage: 'ok',
      webhooks: 'ok',
      dates: 'ok',
      images: 'ok',
      hashes: 'ok',
      clock: 'ok',
      keys: 'ok',
      passkeys: 'ok',
      restore: 'ok',
    },
  ])
  expect(await running.stop()).toBe(0)
  expect(existsSync(folder.data)).toBe(false)
})

test('the doctor warns of a server that accepts only reads', async () => {
  const database = new URL(url).pathname.slice(1)
  await queryServer(url, `alter database ${database} set default_transaction_read_only = on`)
  const { findings } = await run(['doctor'])
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'database',
      verdict: 'warning',
      found: expect.stringContaining('accepts only reads'),
    }),
  )
  await queryServer(
    url,
    `begin read write; alter database ${database} reset default_transaction_read_only; commit`,
  )
})

test('a changed audit log is found', async () => {
  await queryServer(url, "update audit set actor_name = 'somebody else' where sequence = 1")
  expect(verdicts(await run(['doctor'])).audit).toBe('fault')
})

test('backup and restore refer to the tools of PostgreSQL', async () => {
  for (const args of [['backup'], ['restore', '--from', join(folder.path, 'x.db')]]) {
    const { exitCode, error } = await run(args)
    expect(exitCode).toBe(1)
    expect(error).toContain('The data of this instance is in PostgreSQL')
  }
  expect(existsSync(folder.data)).toBe(false)
})

test('a URL without the password that the server requires is explained', async () => {
  const withoutPassword = Object.assign(new URL(url), { password: '' }).href
  const { exitCode, error } = await run(['user', 'list'], { url: withoutPassword })
  expect(exitCode).toBe(1)
  expect(error).toContain('the server requires a password, and the URL has none')
})

test('errors for an unreachable server and an invalid URL do not contain the password', async () => {
  const unreachableResult = await run(['user', 'list'], { url: 'postgres://reeve:hush@127.0.0.1:9/reeve' })
  expect([unreachableResult.exitCode, unreachableResult.code]).toEqual([1, 'database_server'])
  expect(unreachableResult.error).toContain('REEVE_DATABASE_URL')
  for (const wrong of [
    'mysql://reeve:hush@127.0.0.1/reeve',
    'reeve:hush@127.0.0.1/reeve',
    'postgres://h:hush@x',
  ]) {
    const refused = await run(['user', 'list'], { url: wrong })
    expect([refused.exitCode, refused.code]).toEqual([2, 'settings'])
    expect(refused.error).toStartWith('REEVE_DATABASE_URL must be the URL of a PostgreSQL database')
    expect(JSON.stringify([unreachableResult, refused])).not.toContain('hush')
  }
})

test('a pooler of another database, or a pooler URL alone, aborts startup', async () => {
  const otherUrl = await createDatabase('template1')
  const pooler = await startPooler(otherUrl)
  const start = (env: Record<string, string>) =>
    startServer({ dataDir: folder.data, env }).then(
      () => 'it started',
      (error: Error) => error.message,
    )
  expect(await start({ REEVE_DATABASE_URL: url, REEVE_DATABASE_POOLER_URL: pooler.url })).toContain(
    'REEVE_DATABASE_POOLER_URL leads to another database than REEVE_DATABASE_URL',
  )
  expect(await start({ REEVE_DATABASE_POOLER_URL: pooler.url })).toContain(
    'REEVE_DATABASE_URL is missing. REEVE_DATABASE_POOLER_URL also requires',
  )
  expect(existsSync(folder.data)).toBe(false)
  pooler.stop()
  await dropDatabase(otherUrl)
})
