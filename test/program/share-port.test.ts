import { afterAll, expect, test } from 'bun:test'
import { createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { type RunningServer, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
const databaseUrl = await createDatabase('template1')
const started: RunningServer[] = []
afterAll(async () => {
  for (const server of started) await server.stop()
  await dropDatabase(databaseUrl)
  folder.remove()
})

async function start(port: string): Promise<RunningServer> {
  const env = { REEVE_DATABASE_URL: databaseUrl, REEVE_SHARE_PORT: 'yes' }
  const server = await startServer({ dataDir: folder.data, env, flags: ['--port', port] })
  started.push(server)
  return server
}

test('processes of one database can share a port, and each one alone serves it', async () => {
  const first = await start('0')
  const second = await start(new URL(first.url).port)
  expect(second.url).toBe(first.url)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  await first.stop()
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
})
