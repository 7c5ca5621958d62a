import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { PASSWORD } from '../support/instance.ts'
import { agreeAt } from '../support/oauth-stand-in.ts'
import { BINARY, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type RobloxSignIn, startRobloxSignIn } from '../support/roblox-sign-in.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

setDefaultTimeout(60_000)

let folder: TemporaryFolder
let roblox: RobloxSignIn
let url: string
let servers: readonly RunningServer[]

beforeAll(async () => {
  folder = temporaryFolder()
  roblox = await startRobloxSignIn()
  url = await createDatabase('template1')
  const env = {
    ...roblox.env,
    REEVE_DATABASE_URL: url,
    REEVE_SECRET_KEY: SECRET_KEY,
    // Both processes are reached at one URL.
    REEVE_PUBLIC_URL: 'http://localhost:3000',
    REEVE_OIDC_ROBLOX_CREATE: 'true',
  }
  const options = { dataDir: folder.data, env, program: BINARY }
  const { exitCode, err } = await runReeve([...INIT_ARGS, '--json'], { ...options, stdin: PASSWORD })
  expect([exitCode, err]).toEqual([0, ''])
  servers = await Promise.all([startServer(options), startServer(options)])
})
afterAll(async () => {
  await Promise.all((servers ?? []).map(({ stop }) => stop()))
  await roblox.stop()
  await dropDatabase(url)
  folder.remove()
})

async function post(server: RunningServer, path: string, body: object, cookie = '') {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(body),
  })
  const setCookie = response.headers.getSetCookie().map((text) => text.split(';')[0] ?? '')
  return { status: response.status, body: await response.json(), setCookie }
}

/** Begins a sign-in at one process. @returns what finishes it at any */
async function begin(server: RunningServer) {
  const { body, setCookie } = await post(server, '/portal/api/sign-in/provider', { provider: 'roblox' })
  const { search } = await agreeAt(body.url)
  const callback = { provider: 'roblox', parameters: search }
  return (at: RunningServer) => post(at, '/portal/api/sign-in/callback', callback, setCookie.join('; '))
}

test('a sign-in that began at one process is finished once, at any of two', async () => {
  const [one, other] = servers as [RunningServer, RunningServer]
  roblox.oauth.user = { subject: '156', username: 'Builderman' }
  const offered = await (await begin(one))(other)
  expect(offered.body.signUp.username).toBe('Builderman')
  const signUp = { token: offered.body.signUp.token, username: 'Builderman' }
  const created = await Promise.all(
    [one, other, one, other].map((server) => post(server, '/portal/api/sign-in/sign-up', signUp)),
  )
  expect(created.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  for (let round = 0; round < 5; round++) {
    const finish = await begin(other)
    const responses = await Promise.all([one, other, one, other, one, other].map(finish))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
    const session = responses.find(({ status }) => status === 200)?.setCookie.join('; ') ?? ''
    for (const server of servers) {
      const me = await fetch(`${server.url}/portal/api/me`, { headers: { cookie: session } })
      expect((await me.json()).account.username).toBe('Builderman')
    }
  }
})
