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

/** Sends a request to both processes at the same time. @returns the statuses, sorted */
const race = async (send: (target: RunningServer) => Promise<{ readonly status: number }>) =>
  (await Promise.all(replicas.map(send))).map(({ status }) => status).sort()

test('password links and invitation links work once across processes, also at the same time', async () => {
  const [first, second] = replicas as readonly [RunningServer, RunningServer]
  const { cookie } = await signIn(first)
  const headers = { ...SAME_ORIGIN, cookie }
  const asOwner = async (target: RunningServer, path: string, body: object) => {
    const response = await request(target, 'POST', path, { headers, body })
    expect([path, response.status]).toEqual([path, 200])
    return response.body
  }
  const { account } = await asOwner(first, '/admin/api/accounts', { username: 'wren' })
  const createLink = async (target: RunningServer): Promise<string> =>
    (await asOwner(target, '/admin/api/accounts/link', { id: account.id })).link.token
  const setPassword = (target: RunningServer, token: string, password: string) =>
    request(target, 'POST', '/portal/api/password-link/password', {
      headers: SAME_ORIGIN,
      body: { token, password },
    })
  const token = await createLink(first)
  expect((await setPassword(second, token, 'first long password')).status).toBe(200)
  expect((await setPassword(first, token, 'other long password')).status).toBe(404)
  expect((await setPassword(second, token, 'other long password')).status).toBe(404)
  expect((await signIn(first, 'first long password', 'wren')).status).toBe(200)
  const raced = await createLink(second)
  expect(await race((target) => setPassword(target, raced, `password of ${target.url}`))).toEqual([200, 404])

  const { body: me } = await request(first, 'GET', '/portal/api/me', { headers })
  const workspaceId = me.workspaces[0].id
  const invite = async (target: RunningServer): Promise<string> =>
    (await asOwner(target, '/portal/api/invitations', { workspaceId })).token
  let count = 0
  const signUp = (target: RunningServer, invitation: string) => {
    count += 1
    return request(target, 'POST', '/portal/api/invitation/sign-up', {
      headers: SAME_ORIGIN,
      body: { token: invitation, username: `newcomer${count}`, password: PASSWORD },
    })
  }
  const invitation = await invite(first)
  expect((await signUp(second, invitation)).status).toBe(200)
  expect((await signUp(first, invitation)).status).toBe(404)
  const racedInvitation = await invite(second)
  expect(await race((target) => signUp(target, racedInvitation))).toEqual([200, 404])
  const { body: members } = await request(first, 'GET', `/portal/api/members?workspaceId=${workspaceId}`, {
    headers,
  })
  expect(members.members).toHaveLength(3)
})
