import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { readAuthenticator } from '../support/totp.ts'
import { INIT_ARGS } from './commands.ts'
import { request, signIn } from './replicas.ts'

setDefaultTimeout(120_000)

let folder: ReturnType<typeof temporaryFolder>
let url: string
let env: Record<string, string>
let replicas: readonly RunningServer[]
beforeAll(async () => {
  folder = temporaryFolder()
  url = await createDatabase('template1')
  env = { REEVE_DATABASE_URL: url }
  const { exitCode, err } = await runReeve(INIT_ARGS, { dataDir: folder.data, env, stdin: PASSWORD })
  if (exitCode !== 0) throw new Error(`init failed: ${err}`)
  const start = () => startServer({ dataDir: folder.data, env })
  replicas = await Promise.all([start(), start()])
}, 120_000)
afterAll(async () => {
  await Promise.all((replicas ?? []).map((replica) => replica.stop()))
  await dropDatabase(url)
  folder.remove()
})

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

test('codes, recovery codes and sign-ins work once across processes, and a removed factor is rejected by all of them', async () => {
  const [first, second] = replicas as readonly [RunningServer, RunningServer]
  const { cookie } = await signIn(first)
  const send = (target: RunningServer, method: string, path: string, body?: object) =>
    request(target, method, path, { headers: { ...SAME_ORIGIN, cookie }, ...(body ? { body } : {}) })
  const { body: started } = await send(first, 'POST', '/portal/api/factors/totp', {})
  const now = Date.now()
  const confirmed = await send(second, 'POST', '/portal/api/factors/totp/confirm', {
    token: started.token,
    code: readAuthenticator(started.secret, now),
  })
  expect(confirmed.status).toBe(200)

  const startSignIn = async (target: RunningServer): Promise<string> => {
    const response = await request(target, 'POST', '/portal/api/sign-in', {
      headers: SAME_ORIGIN,
      body: { username: 'robin', password: PASSWORD },
    })
    return response.body.secondFactor.token
  }
  const verify = (target: RunningServer, body: object) =>
    request(target, 'POST', '/portal/api/sign-in/second-factor', { headers: SAME_ORIGIN, body })

  const tokens = [await startSignIn(first), await startSignIn(second)] as const
  // The next code: one step ahead of the clock is accepted.
  const code = readAuthenticator(started.secret, now + 30_000)
  const withCode = await Promise.all([
    verify(first, { token: tokens[0], code }),
    verify(second, { token: tokens[1], code }),
  ])
  expect(withCode.map(({ status }) => status).sort()).toEqual([200, 400])

  const [recoveryCode, other, third] = confirmed.body.recoveryCodes as string[]
  const more = [await startSignIn(first), await startSignIn(second)] as const
  const withRecoveryCode = await Promise.all([
    verify(first, { token: more[0], recoveryCode }),
    verify(second, { token: more[1], recoveryCode }),
  ])
  expect(withRecoveryCode.map(({ status }) => status).sort()).toEqual([200, 400])

  const token = await startSignIn(first)
  const withToken = await Promise.all([
    verify(first, { token, recoveryCode: other }),
    verify(second, { token, recoveryCode: third }),
  ])
  expect(withToken.map(({ status }) => status).sort()).toEqual([200, 400])

  const pending = await startSignIn(second)
  expect((await send(first, 'DELETE', '/portal/api/factors/totp')).status).toBe(200)
  const removed = await verify(second, { token: pending, recoveryCode: third })
  expect(removed.status).toBe(400)
  expect((await signIn(second)).cookie).toContain('reeve_session')
})
