import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { PASSWORD } from '../support/instance.ts'
import { pollUntil } from '../support/poll.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'
import { request } from './replicas.ts'

const TIMEOUT_MS = 60_000
/** A server's own connections: for notifications, for transactions and for lookups. */
const CONNECTION_LIMIT = 3

let folder: TemporaryFolder
let adminUrl: string
let server: RunningServer
let access: { readonly workspaceId: string; readonly apiKey: string }

beforeAll(async () => {
  folder = temporaryFolder()
  adminUrl = await createDatabase('template1')
  const url = new URL(adminUrl)
  await queryServer(
    adminUrl,
    `create role few login password 'x'; alter database ${url.pathname.slice(1)} owner to few`,
  )
  url.username = 'few'
  url.password = 'x'
  const env = { REEVE_DATABASE_URL: url.href, REEVE_KEY_RATE_PER_MINUTE: '0' }
  const init = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, env, stdin: PASSWORD })
  access = JSON.parse(init.out)
  server = await startServer({ dataDir: folder.data, env })
  await queryServer(
    adminUrl,
    `alter role few connection limit ${CONNECTION_LIMIT};
     select pg_terminate_backend(pid) from pg_stat_activity where usename = 'few'`,
  )
}, TIMEOUT_MS)
afterAll(async () => {
  await server?.stop()
  await dropDatabase(adminUrl)
  folder.remove()
})

test(
  'at a connection limit of its role, a server responds to every request, stays ready and says so once in the log',
  async () => {
    const { workspaceId, apiKey: key } = access
    // The server notices that its connections are gone, and opens what it may.
    await pollUntil(async () => (await fetch(`${server.url}/readyz`)).status === 200, 'the server is ready')
    const send = (index: number) => [
      request(server, 'GET', `/api/moderation?workspaceId=${workspaceId}&banList=true&userId=${index}`, {
        key,
      }),
      request(server, 'GET', `/api/departments?workspaceId=${workspaceId}`, { key }),
      request(server, 'POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'ban', userId: String(index), reason: 'Exploits' },
      }),
      request(server, 'GET', '/readyz'),
    ]
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index + 1)).flat())
    const statuses = new Set(responses.map(({ status }) => status))
    expect([...statuses]).toEqual([200])
    const warnings = server.log.filter(({ msg }) => msg.includes('connection limit'))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatchObject({ level: 'warn' })
  },
  TIMEOUT_MS,
)
