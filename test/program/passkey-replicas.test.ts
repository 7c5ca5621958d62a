import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, dropDatabase } from '@reeve/db/test-cluster'
import { createAuthenticator } from '../support/authenticator.ts'
import { PASSWORD } from '../support/instance.ts'
import { BINARY, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'
import { request, type ServerUrl, signIn } from './replicas.ts'

setDefaultTimeout(120_000)

const ORIGIN = 'http://localhost:3000'
const PASSKEYS = '/portal/api/passkeys'
const SIGN_IN = '/portal/api/sign-in/passkey'

let folder: TemporaryFolder
let url: string
let one: RunningServer
let other: RunningServer
beforeAll(async () => {
  folder = temporaryFolder()
  url = await createDatabase('template1')
  const options = {
    dataDir: folder.data,
    program: BINARY,
    env: { REEVE_DATABASE_URL: url, REEVE_PUBLIC_URL: ORIGIN },
  }
  await runReeve(INIT_ARGS, { ...options, stdin: PASSWORD })
  ;[one, other] = await Promise.all([startServer(options), startServer(options)])
})
afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()])
  if (url) await dropDatabase(url)
  folder.remove()
})

/** Sends a request as the portal does. */
const send = (server: ServerUrl, method: string, path: string, cookie = '', body?: object) =>
  request(server, method, path, {
    headers: { 'sec-fetch-site': 'same-origin', cookie },
    ...(body && { body }),
  })

test('of two processes of the binary, one accepts a challenge of the other, once, and neither a removed passkey', async () => {
  const authenticator = createAuthenticator({ origin: ORIGIN })
  const { cookie } = await signIn(one)
  const registration = await send(one, 'POST', `${PASSKEYS}/options`, cookie)
  const created = authenticator.register(registration.body.options)
  const added = await send(other, 'POST', PASSKEYS, cookie, created)
  expect([added.status, added.body.passkey?.name]).toEqual([200, 'Passkey'])

  const challenge = await send(one, 'POST', `${SIGN_IN}/options`, '', {})
  const assertion = authenticator.authenticate(challenge.body.options)
  const responses = await Promise.all(
    [one, other, one, other].map((server) => send(server, 'POST', SIGN_IN, '', assertion)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])

  const next = await send(one, 'POST', `${SIGN_IN}/options`, '', {})
  const removed = await send(other, 'DELETE', `${PASSKEYS}?id=${added.body.passkey.id}`, cookie)
  expect(removed.status).toBe(200)
  const rejected = await send(one, 'POST', SIGN_IN, '', authenticator.authenticate(next.body.options))
  expect([rejected.status, rejected.body.error]).toEqual([
    401,
    'This passkey is not accepted. It may have been removed, or belong to another account. Use another way.',
  ])
})
