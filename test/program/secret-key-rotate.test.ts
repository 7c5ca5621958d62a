import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Reeve } from '@reeve/client'
import { PASSWORD } from '../support/instance.ts'
import { pollFor } from '../support/poll.ts'
import { PROGRAM, runReeve, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { readAuthenticator } from '../support/totp.ts'
import { isSignedWith, OUTBOUND_TO_TESTS, startReceiver } from '../support/webhook-receiver.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'

setDefaultTimeout(60_000)

const OTHER_KEY = Buffer.from('another secret key of 32 bytes!!').toString('base64')

let folder: TemporaryFolder
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder.data, 'secret.key')
})
afterEach(() => folder.remove())

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runReeve(args, { dataDir: folder.data, env: { REEVE_SECRET_KEY: '', ...env }, stdin: PASSWORD })

/** Creates an instance whose operator has an authenticator app. @returns its secret */
async function createInstance(env: Readonly<Record<string, string>> = {}): Promise<string> {
  expect((await run(INIT_ARGS, env)).err).toBe('')
  const server = await startServer({ dataDir: folder.data, env: { REEVE_SECRET_KEY: '', ...env } })
  const { post } = client(server.url)
  const signedIn = await post('sign-in', { username: 'robin', password: PASSWORD })
  const cookie = signedIn.cookie
  const { token, secret } = (await post('factors/totp', {}, cookie)).body
  const code = readAuthenticator(secret, Date.now())
  expect((await post('factors/totp/confirm', { token, code }, cookie)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  return secret
}

const client = (url: string) => ({
  async post(path: string, body: object, cookie = '') {
    const response = await fetch(`${url}/portal/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: JSON.stringify(body),
    })
    const setCookie = response.headers.getSetCookie().find((text) => text.startsWith('reeve_session')) ?? ''
    return { status: response.status, body: await response.json(), cookie: setCookie.split(';')[0] ?? '' }
  },
})

/** Signs in with the authenticator app, and verifies the audit log. */
async function expectWhole(secret: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const server = await startServer({ dataDir: folder.data, env: { REEVE_SECRET_KEY: '', ...env } })
  const { post } = client(server.url)
  const { body } = await post('sign-in', { username: 'robin', password: PASSWORD })
  // The code of the enrolment is used up; that of the next step is accepted as well.
  const code = readAuthenticator(secret, Date.now() + 30_000)
  const second = await post('sign-in/second-factor', { token: body.secondFactor.token, code })
  expect([second.status, second.body.account?.username]).toEqual([200, 'robin'])
  expect(await server.stop()).toBe(0)
  const verified = await run(['audit', 'verify'], env)
  expect(verified.out).toMatch(/^All \d+ rows of \d+ chains are present and unchanged\.$/m)
  expect(verified.out).not.toContain('was not protected before')
}

test('a key that others may know is replaced with a new one, which opens everything that the old one did', async () => {
  const secret = await createInstance()
  const old = readFileSync(file, 'utf8')
  const rotated = await run(['secret-key', 'rotate'])
  expect(rotated).toMatchObject({ exitCode: 0, out: expect.stringContaining(`is in ${file}`) })
  const key = readFileSync(file, 'utf8')
  expect(key).not.toBe(old)
  await expectWhole(secret)
  const wrong = await run(['user', 'list'], { REEVE_SECRET_KEY: old.trim() })
  expect(wrong.err).toContain('REEVE_SECRET_KEY is not the secret key of this instance')
  for (const text of [key, old]) expect(rotated.out + rotated.err).not.toContain(text.trim())
})

test('a key in the settings is rotated to that in a file', async () => {
  const secret = await createInstance({ REEVE_SECRET_KEY: SECRET_KEY })
  const env = { REEVE_SECRET_KEY: SECRET_KEY }
  expect((await run(['secret-key', 'rotate'], env)).err).toContain('--new-key-file is missing')
  const keyFile = join(folder.path, 'new.key')
  writeFileSync(keyFile, SECRET_KEY)
  const args = ['secret-key', 'rotate', '--new-key-file', keyFile]
  expect((await run(args, env)).err).toContain('contains the key that the instance has')
  writeFileSync(keyFile, `${OTHER_KEY}\n`)
  expect((await run(args)).err).toContain('--new-key-file is not needed')
  const rotated = await run(args, env)
  expect(rotated).toMatchObject({ exitCode: 0, out: expect.stringContaining('Set REEVE_SECRET_KEY to it') })
  expect(existsSync(file)).toBe(false)
  await expectWhole(secret, { REEVE_SECRET_KEY: OTHER_KEY })
})

test('a log with faults is not given another key, under which nobody could tell them from older ones', async () => {
  await createInstance()
  const engine = new Database(join(folder.data, 'reeve.db'))
  engine.run("update audit set actor_name = 'nobody' where action = 'accounts.create'")
  engine.close()
  const key = readFileSync(file, 'utf8')
  expect((await run(['secret-key', 'rotate'])).err).toContain('The audit log has faults')
  expect(readFileSync(file, 'utf8')).toBe(key)
})

test('a rotation that is killed at any time is finished by the next start, or has not begun', async () => {
  const secret = await createInstance()
  const before = readCheckValue()
  // Once the new key is written, and once the database has it.
  for (const isReached of [() => existsSync(`${file}.next`), () => readCheckValue() !== before]) {
    const child = Bun.spawn([...PROGRAM, 'secret-key', 'rotate'], {
      env: { ...process.env, REEVE_DATA_DIR: folder.data },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    while (!isReached() && child.exitCode === null) await Bun.sleep(0)
    child.kill('SIGKILL')
    await child.exited
    expect((await run(['user', 'list'])).exitCode).toBe(0)
    expect((await run(['audit', 'verify'])).out).toContain('are present and unchanged')
  }
  expect(readCheckValue()).not.toBe(before)
  await expectWhole(secret)
})

function readCheckValue(): string {
  const engine = new Database(join(folder.data, 'reeve.db'), { readonly: true })
  try {
    engine.run('PRAGMA busy_timeout = 5000')
    return JSON.stringify(
      engine.query("select value from instance_secret where name = 'secret-key-check'").values(),
    )
  } finally {
    engine.close()
  }
}

/** Creates an instance for webhooks. */
async function createWorkspace() {
  const { workspaceId, apiKey: key } = parseJsonOutput<{ workspaceId: string; apiKey: string }>(
    await run([...INIT_ARGS, '--json']),
  )
  return {
    /** Calls the API of a server that runs meanwhile. */
    async use<T>(call: (reeve: Reeve) => Promise<T>): Promise<T> {
      const env = { REEVE_SECRET_KEY: '', ...OUTBOUND_TO_TESTS }
      const server = await startServer({ dataDir: folder.data, env })
      try {
        return await call(new Reeve({ url: server.url, key, workspaceId }))
      } finally {
        await server.stop()
      }
    },
  }
}

test('webhooks sign with their secrets after a rotation of the key, and with the earlier ones as long as those are valid', async () => {
  const receiver = startReceiver()
  const { use } = await createWorkspace()
  const input = { name: 'Log', url: receiver.url, events: ['ban.created'] }
  const [first, second] = await use(async (reeve) => {
    const created = await reeve.webhooks.create(input)
    return [created, await reeve.webhooks.rotateSecret({ id: created.webhook.id })]
  })
  expect((await run(['secret-key', 'rotate'])).exitCode).toBe(0)
  await use(async (reeve) => {
    await reeve.moderation.ban({ userId: 261, reason: 'Exploiting' })
    expect(await waitForAttempt(reeve, first.webhook.id)).toMatchObject({
      state: 'delivered',
      lastError: null,
    })
  })
  for (const { secret } of [first, second])
    expect(receiver.received.map((request) => isSignedWith(String(secret), request))).toEqual([true])
  receiver.stop()
})

test('webhooks whose secrets belong to a lost key are disabled until they get new ones, and the new key can be rotated', async () => {
  const receiver = startReceiver()
  const discordUrl = 'https://discord.com/api/webhooks/123456789012345678/a-token_of-a-channel'
  const { use } = await createWorkspace()
  const ids = await use(async ({ webhooks }) => {
    const events = ['ban.created']
    const standard = await webhooks.create({ name: 'Log', url: receiver.url, events })
    const discord = await webhooks.create({ name: 'Channel', url: discordUrl, events })
    return { standard: standard.webhook.id, discord: discord.webhook.id }
  })
  rmSync(file)
  expect((await run(['secret-key', 'replace'])).out).toContain('Webhooks cannot send with the lost key')
  expect((await run(['secret-key', 'rotate'])).exitCode).toBe(0)
  await use(async (reeve) => {
    const { webhooks } = reeve
    await reeve.moderation.ban({ userId: 261, reason: 'Exploiting' })
    for (const id of Object.values(ids)) {
      expect(await waitForAttempt(reeve, id)).toMatchObject({ state: 'failed', attempts: '1' })
      expect(await webhooks.get({ id })).toMatchObject({
        state: 'disabled',
        stateReason: 'secret_unreadable',
        lastError: 'The secret of this webhook cannot be read with the key of this instance.',
      })
    }
    expect(receiver.received).toEqual([])
    await expect(webhooks.resume({ id: ids.standard })).rejects.toThrow('Rotate it first.')
    await expect(webhooks.resume({ id: ids.discord })).rejects.toThrow('Set it again first.')
    await webhooks.update({ id: ids.discord, url: discordUrl })
    expect(await webhooks.resume({ id: ids.discord })).toMatchObject({ state: 'active', stateReason: null })
    await webhooks.delete({ id: ids.discord })
    const { secret } = await webhooks.rotateSecret({ id: ids.standard })
    await webhooks.resume({ id: ids.standard })
    expect(await webhooks.resend({ id: ids.standard, since: new Date(0) })).toMatchObject({ resent: '1' })
    await receiver.waitFor(1)
    expect(receiver.received.map((request) => isSignedWith(String(secret), request))).toEqual([true])
  })
  receiver.stop()
})

/** Waits until the only delivery of a webhook was attempted. */
const waitForAttempt = ({ webhooks }: Reeve, webhookId: string) =>
  pollFor(
    async () => (await webhooks.listDeliveries({ webhookId })).deliveries[0],
    (delivery) => delivery !== undefined && (delivery.state !== 'pending' || delivery.lastError !== null),
    'the delivery was attempted',
  )
