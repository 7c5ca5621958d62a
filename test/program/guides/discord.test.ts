import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type FaultProxy, startFaultProxy } from '../../clients/fault-proxy.ts'
import { createProject, type Project } from '../../clients/project.ts'
import { openRobloxFixture, type RobloxFixture } from '../../clients/roblox-fixture.ts'
import { parseBlocks } from '../../support/guide.ts'
import { ROOT, readResult } from '../../support/program.ts'

const guide = await Bun.file(join(ROOT, 'docs/integrate/discord.md')).text()
const [variables, register, bot, start, ...others] = parseBlocks(guide).map(({ code }) => code)

let fixture: RobloxFixture
let project: Project
let proxy: FaultProxy
let discord: ReturnType<typeof startDiscord>
let key: string
let keys: CryptoKeyPair
let botUrl: string
let botProcess: Bun.Subprocess

/** Stands in for Discord's API, as it documents the two requests of the guide. */
function startDiscord() {
  const requests: { method: string; path: string; authorization: string | null; body: unknown }[] = []
  let notify = () => {}
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method, headers } = request
      const path = new URL(request.url).pathname
      requests.push({ method, path, authorization: headers.get('authorization'), body: await request.json() })
      notify()
      return Response.json({})
    },
  })
  return {
    url: server.url.origin,
    requests,
    /** The next request, which was not read before. */
    async next() {
      if (requests.length === 0)
        await new Promise<void>((resolve) => {
          notify = resolve
        })
      const request = requests.shift()
      if (!request) throw new Error('two tests wait for one request')
      return request
    },
    stop: () => server.stop(true),
  }
}

const toHex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex')

/** The variables that the guide sets, with the values of the test. */
const getVariables = async () => ({
  DISCORD_APPLICATION_ID: '42',
  DISCORD_PUBLIC_KEY: toHex(await crypto.subtle.exportKey('raw', keys.publicKey)),
  DISCORD_TOKEN: 'bot-token',
  DISCORD_API: discord.url,
  REEVE_URL: proxy.url,
  REEVE_KEY: key,
  REEVE_WORKSPACE: fixture.workspaceId,
})

beforeAll(async () => {
  keys = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  discord = startDiscord()
  fixture = await openRobloxFixture()
  proxy = startFaultProxy(fixture.server.origin)
  key = await fixture.createLimitedKey()
  project = await createProject()
  project.write('bot.js', bot ?? '')
  const child = Bun.spawn(['sh', '-c', `exec ${start}`], {
    cwd: project.path,
    env: { ...process.env, ...(await getVariables()), PORT: '0' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  botProcess = child
  const { value } = await child.stdout.getReader().read()
  botUrl = `http://127.0.0.1:${/port (\d+)/.exec(new TextDecoder().decode(value))?.[1]}`
}, 60_000)
afterAll(async () => {
  botProcess?.kill()
  discord?.stop()
  project?.remove()
  await proxy?.close()
  await fixture?.close()
})

/** Sends an interaction as Discord does. @param signer another one than Discord is an impostor */
async function interact(interaction: object, signer = keys.privateKey): Promise<Response> {
  const body = JSON.stringify(interaction)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = await crypto.subtle.sign('Ed25519', signer, Buffer.from(timestamp + body))
  return fetch(botUrl, {
    method: 'POST',
    headers: { 'x-signature-ed25519': toHex(signature), 'x-signature-timestamp': timestamp },
    body,
  })
}

/** Uses a slash command. @returns what the bot writes */
async function useCommand(
  name: string,
  values: Readonly<Record<string, unknown>>,
  id: string = crypto.randomUUID(),
) {
  const options = Object.entries(values).map(([option, value]) => ({ name: option, value }))
  const member = { user: { username: 'shedletsky' } }
  const response = await interact({ type: 2, id, token: 'token', member, data: { name, options } })
  expect(await response.json()).toEqual({ type: 5, data: { flags: 64 } })
  const message = await discord.next()
  expect(message).toMatchObject({
    method: 'PATCH',
    path: '/webhooks/42/token/messages/@original',
    body: { allowed_mentions: { parse: [] } },
  })
  return (message.body as { content: string }).content
}

test('every block of the Discord guide is executed here', async () => {
  expect(others).toEqual([])
  const names = [...(variables ?? '').matchAll(/^export (\w+)=/gm)].map(([, name]) => name)
  expect(names).toEqual(Object.keys(await getVariables()))
})

test('the guide adds the application to a server, which nobody can use the commands without', () => {
  const [link = ''] = /https:\/\/discord\.com\/oauth2\/authorize[^`]*/.exec(guide) ?? []
  const { searchParams } = new URL(link.replace('<application ID>', '42'))
  expect(Object.fromEntries(searchParams)).toEqual({ client_id: '42', scope: 'applications.commands' })
})

test('the command registers both slash commands for members who may ban', async () => {
  const shell = Bun.spawn(['bash', '-eu', '-c', register ?? ''], {
    env: { ...process.env, ...(await getVariables()) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await readResult(shell)).toMatchObject({ exitCode: 0, err: '' })
  const request = await discord.next()
  expect(request).toMatchObject({
    method: 'PUT',
    path: '/applications/42/commands',
    authorization: 'Bot bot-token',
  })
  const commands = request.body as { name: string; default_member_permissions: string; options: object[] }[]
  expect(commands.map((command) => [command.name, command.default_member_permissions])).toEqual([
    ['lookup', '4'],
    ['ban', '4'],
  ])
})

test('the bot answers the ping of Discord, and rejects what Discord has not signed', async () => {
  const ping = await interact({ type: 1 })
  expect([ping.status, await ping.json()]).toEqual([200, { type: 1 }])
  const other = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  const forged = await interact({ type: 1 }, other.privateKey)
  expect(forged.status).toBe(401)
  expect((await fetch(botUrl, { method: 'POST', body: '{"type":1}' })).status).toBe(401)
})

test('the bot looks players up and bans them once, in the name of the member', async () => {
  expect(await useCommand('lookup', { player: '261' })).toBe('Not banned.')
  const values = { player: '261', reason: 'Exploiting', days: 3 }
  expect(await useCommand('ban', values, 'interaction-1')).toBe('Banned 261. Case 1.')
  expect(await useCommand('ban', values, 'interaction-1')).toBe('Banned 261. Case 1.')
  const records = await fixture.listRecords(261)
  expect(records).toMatchObject([{ actorUsername: 'shedletsky', durationSeconds: '259200' }])
  expect(await useCommand('lookup', { player: '261' })).toBe('Banned: Exploiting (case 1).')
  expect(await useCommand('ban', { player: 'not an id', reason: 'x' })).toStartWith('Reeve refused: ')
})

test('the bot looks up one player, and does not answer for one of a list', async () => {
  expect(await useCommand('lookup', { player: '1,261' })).toBe(
    'Reeve refused: userId: must be the ID of one player, not 1,261.',
  )
})

test('the bot says that a permanent ban waits for approval, and until when it is in force', async () => {
  const result = await useCommand('ban', { player: '2610', reason: 'Exploiting' })
  const [{ caseNumber, expiresAt }] = await fixture.listRecords(2610)
  expect(result).toBe(
    `Banned 2610 until <t:${Math.floor(Date.parse(expiresAt) / 1000)}>. The permanent ban waits for approval. Case ${caseNumber}.`,
  )
})

test('the bot says that a ban may be in force whose responses are lost, and not that Reeve refused it', async () => {
  const response = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  // The request and its four retries.
  proxy.failNext(...Array(5).fill({ kind: 'replace', response }))
  expect(await useCommand('ban', { player: '2611', reason: 'Exploiting', days: 3 })).toBe(
    'Reeve does not respond. The ban may be in force: look it up before you try again.',
  )
  expect(await useCommand('lookup', { player: '2611' })).toStartWith('Banned: Exploiting ')
}, 20_000)

test('the bot does not take the page of a proxy for a refusal of Reeve', async () => {
  const response = () => new Response('<h1>Forbidden</h1>', { status: 403 })
  proxy.failNext({ kind: 'respond', response })
  expect(await useCommand('lookup', { player: '2611' })).toBe(
    'Reeve does not respond. Try again in a minute.',
  )
})
