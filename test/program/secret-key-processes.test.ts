import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, createFaultProxy, dropDatabase } from '@reeve/db/test-cluster'
import { startPooler } from '@reeve/db/test-pooler'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'
import { measureUntil, request } from './replicas.ts'

setDefaultTimeout(60_000)

const NEW_KEY = Buffer.from('another secret key of 32 bytes!!').toString('base64')
const REPLACED = 'The secret key of this instance was replaced'

let folder: TemporaryFolder
let url: string
let workspaceId: string
let apiKey: string
beforeEach(async () => {
  folder = temporaryFolder()
  url = await createDatabase('template1')
  const created = parseJsonOutput<{ workspaceId: string; apiKey: string }>(
    await run([...INIT_ARGS, '--json']),
  )
  ;({ workspaceId, apiKey } = created)
})
afterEach(async () => {
  await dropDatabase(url)
  folder.remove()
})

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runReeve(args, { dataDir: folder.data, env: { REEVE_DATABASE_URL: url, ...env }, stdin: PASSWORD })

const serve = (env: Readonly<Record<string, string>> = {}) =>
  startServer({ dataDir: folder.data, env: { REEVE_DATABASE_URL: url, ...env } })

function rotate() {
  const keyFile = join(folder.path, 'new.key')
  writeFileSync(keyFile, NEW_KEY)
  return run(['secret-key', 'rotate', '--new-key-file', keyFile])
}

const banPlayer = (server: RunningServer, userId: string) =>
  request(server, 'POST', '/api/moderation', {
    key: apiKey,
    body: { workspaceId, action: 'ban', userId, reason: 'Exploiting' },
  })

const listRecords = (server: RunningServer) =>
  request(server, 'GET', `/api/moderation?workspaceId=${workspaceId}`, { key: apiKey })

const getReadiness = async (server: RunningServer) => (await request(server, 'GET', '/readyz')).status

async function expectWholeLog(env: Readonly<Record<string, string>> = {}): Promise<void> {
  expect((await run(['audit', 'verify'], env)).out).toContain('are present and unchanged')
}

test('a server that was cut off from the database while the key was rotated writes nothing with the old key', async () => {
  const proxy = createFaultProxy(url)
  const server = await serve({ REEVE_DATABASE_URL: proxy.url })
  expect((await banPlayer(server, '261')).status).toBe(200)
  proxy.block('cut')
  expect(await rotate()).toMatchObject({ exitCode: 0, err: expect.not.stringContaining('Error') })
  proxy.unblock()
  await measureUntil(async () => (await listRecords(server)).status === 200)
  const { status, body } = await banPlayer(server, '262')
  expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining(REPLACED)])
  await measureUntil(async () => (await getReadiness(server)) === 503)
  await server.waitForLog((line) => line.level === 'error' && JSON.stringify(line).includes(REPLACED))
  expect((await listRecords(server)).body.records).toHaveLength(1)
  expect(await server.stop()).toBe(0)
  await expectWholeLog({ REEVE_SECRET_KEY: NEW_KEY })
  const restarted = await serve({ REEVE_SECRET_KEY: NEW_KEY })
  expect(await getReadiness(restarted)).toBe(200)
  expect((await banPlayer(restarted, '262')).status).toBe(200)
  expect(await restarted.stop()).toBe(0)
  await expectWholeLog({ REEVE_SECRET_KEY: NEW_KEY })
})

test('the key is neither rotated nor replaced while a server runs, also behind a pooler', async () => {
  const pooler = await startPooler(url)
  const refused = { exitCode: 1, err: expect.stringContaining('Other Reeve processes are connected to') }
  for (const env of [{}, { REEVE_DATABASE_POOLER_URL: pooler.url }]) {
    const server = await serve(env)
    expect(await rotate()).toMatchObject(refused)
    expect(await run(['secret-key', 'replace'], { REEVE_SECRET_KEY: NEW_KEY })).toMatchObject(refused)
    expect((await banPlayer(server, '263')).status).toBe(200)
    expect(await server.stop()).toBe(0)
    await expectWholeLog()
  }
  expect(await rotate()).toMatchObject({ exitCode: 0 })
  await expectWholeLog({ REEVE_SECRET_KEY: NEW_KEY })
  pooler.stop()
})
