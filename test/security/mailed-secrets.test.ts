import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { readMailCode, readMailToken } from '../support/received-mail.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { findLeaks, type SearchedPlace } from './planted-secrets.ts'
import { readDatabase } from './stored-values.ts'

setDefaultTimeout(120_000)

const CLIENT_SECRET = 'planted-client-secret-0123456789abcdef'
const PASSWORD = 'planted password of robin'
const GUEST = 'guest@example.com'

let folder: TemporaryFolder
let mailServer: MailServer
let server: RunningServer
let env: Record<string, string>
beforeAll(async () => {
  folder = temporaryFolder()
  mailServer = await startMailServer()
  env = {
    REEVE_PUBLIC_URL: 'http://127.0.0.1:3000',
    REEVE_SMTP_URL: mailServer.url,
    REEVE_MAIL_FROM: 'reeve@example.com',
    // Nothing listens there, so that each sign-in fails.
    REEVE_OIDC_CLUB_ISSUER: 'http://127.0.0.1:1',
    REEVE_OIDC_CLUB_CLIENT_ID: 'reeve',
    REEVE_OIDC_CLUB_CLIENT_SECRET: CLIENT_SECRET,
    REEVE_LOG_LEVEL: 'debug',
  }
  server = await startServer({ dataDir: folder.data, env })
})
afterAll(async () => {
  await server.stop()
  await mailServer.close()
  folder.remove()
})

test('neither the secret of an identity provider nor the token of a mailed link, nor a mailed code is found in the log, the database, a backup, responses or the output of commands', async () => {
  const places: SearchedPlace[] = []
  const addPlace = (name: string, content: string | Uint8Array) => places.push({ name, content })
  const send = async (method: string, path: string, session: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: `reeve_session=${session}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    addPlace(`the response to ${method} ${path}`, `${response.headers.get('location')} ${text}`)
    const cookie = /reeve_session=([^;]+)/.exec(response.headers.getSetCookie().join())?.[1] ?? ''
    return { status: response.status, text, cookie }
  }
  const code = String((await server.waitForLog((line) => 'firstRunCode' in line)).firstRunCode)
  const setup = { code, username: 'robin', password: PASSWORD, groupName: 'Night Shift' }
  const { cookie: session, text } = await send('POST', '/portal/api/first-run', '', setup)
  const { workspaceId } = JSON.parse(text)
  const invited = await send('POST', '/portal/api/invitations', session, { workspaceId, email: GUEST })
  expect([invited.status, invited.text]).toEqual([200, invited.text])
  const token = readMailToken(await mailServer.waitForMail(GUEST, 'Night Shift'))
  // Only who has invited gets the token as well, once.
  places.pop()
  await send('POST', '/portal/api/invitation', '', { token })
  const started = await send('POST', '/portal/api/account/email', session, { email: 'robin@example.com' })
  expect(started.status).toBe(200)
  const pending = JSON.parse(started.text).token
  // What the browser keeps until the code is entered is for its owner, too.
  places.pop()
  const mail = await mailServer.waitForMail('robin@example.com')
  const emailCode = readMailCode(mail)
  const confirm = (entered: string) =>
    send('POST', '/portal/api/account/email/confirmation', session, { token: pending, code: entered })
  expect((await confirm('0000-0000')).status).toBe(400)
  expect((await confirm(emailCode)).status).toBe(200)
  await send('POST', '/portal/api/sign-in/provider', '', { provider: 'club' })
  for (const path of ['invitations', 'audit', 'audit.csv', 'overview'])
    await send('GET', `/portal/api/${path}?workspaceId=${workspaceId}&timeZone=UTC`, session)
  for (const path of ['/portal/api/me', '/portal/api/identities', '/admin/api/instance', '/openapi.json'])
    await send('GET', path, session)
  const run = async (...args: string[]) => {
    const { out, err } = await runReeve(args, { dataDir: folder.data, env })
    addPlace(`the output of reeve ${args.join(' ')}`, out + err)
  }
  const backup = join(folder.path, 'backup.db')
  await run('backup', '--to', backup)
  for (const format of [[], ['--json']]) {
    await run('doctor', ...format)
    await run('config', 'check', ...format)
  }
  addPlace('the values of the database', readDatabase(join(folder.data, 'reeve.db')))
  addPlace('the values of the backup', readDatabase(backup))
  addPlace('the bytes of the backup', readFileSync(backup))
  addPlace('the log', server.log.map((line) => JSON.stringify(line)).join('\n'))
  // What is no secret is found in the same places, so the search reads them.
  const found = findLeaks({ name: 'Night Shift', provider: 'club', user: 'robin' }, places)
  for (const place of ['the values of the database', 'the values of the backup', 'the log'])
    expect(
      found.filter((leak) => leak.startsWith(place)),
      place,
    ).not.toEqual([])
  const secrets = {
    'the client secret': CLIENT_SECRET,
    'the mailed token': token,
    'the mailed code': emailCode,
    'the token of the e-mail address': pending,
  }
  expect(findLeaks(secrets, places)).toEqual([])
})
