import { afterAll, beforeAll, expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { webhookEventTypes } from '@reeve/core'
import { freePort } from '@reeve/db/test-cluster'
import { Webhook } from 'standardwebhooks'
import { RUNTIMES } from '../../clients/runtimes.ts'
import { type GuideBlock, matchesExpected, parseBlocks } from '../../support/guide.ts'
import { PASSWORD } from '../../support/instance.ts'
import { pollUntil } from '../../support/poll.ts'
import { ROOT, type RunningServer, runReeve, startServer } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { isSignedWith, OUTBOUND_TO_TESTS, startReceiver } from '../../support/webhook-receiver.ts'
import { INIT_ARGS } from '../commands.ts'
import { request } from '../replicas.ts'

/** Separates the output of commands. */
const OUTPUT_MARK = '--8<--'
/** The heading of a block that needs no instance. */
const IN_A_TERMINAL = 'In a terminal'
const WHAT_IS_SENT = 'What is sent'

const guide = await Bun.file(join(ROOT, 'docs/integrate/webhooks.md')).text()
const blocks = parseBlocks(guide)
const folder = temporaryFolder()
let server: RunningServer
let workspaceId: string
let key: string

beforeAll(async () => {
  symlinkSync(join(ROOT, 'test/node_modules'), join(folder.path, 'node_modules'))
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, stdin: PASSWORD })
  ;({ workspaceId, apiKey: key } = JSON.parse(out))
  server = await startServer({ dataDir: folder.data, env: OUTBOUND_TO_TESTS })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

async function post(path: string, fields: object) {
  const response = await request(server, 'POST', path, { key, body: { workspaceId, ...fields } })
  expect(response).toMatchObject({ status: 200 })
  return response.body
}

const ban = (userId: string, durationSeconds = '86400') =>
  post('/api/moderation', { action: 'ban', userId, reason: 'Exploiting', durationSeconds })

/** Runs shell commands as if pasted into a terminal. @returns what they print */
async function runShell(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const shell = Bun.spawn(['bash', '-eu', '-o', 'pipefail', '-c', script], {
    cwd: folder.path,
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])
  expect({ exitCode: await shell.exited, err }).toEqual({ exitCode: 0, err: '' })
  return out
}

test('every command of webhooks.md prints what the guide shows, and the requests are what it says', async () => {
  const receiver = startReceiver(() => new Response(null, { status: 204 }))
  const commands = blocks.filter(({ heading, language }) => language === 'sh' && heading !== IN_A_TERMINAL)
  const results = blocks.filter(({ heading, language }) => language === 'json' && heading !== WHAT_IS_SENT)
  expect([commands.length, results.length]).toEqual([7, 7])
  const script = commands.map(({ code }) => `${code}\necho; echo '${OUTPUT_MARK}'`).join('\n')
  const output = await runShell(script, {
    REEVE_URL: server.url,
    REEVE_WORKSPACE: workspaceId,
    REEVE_KEY: key,
    RECEIVER: receiver.url,
  })
  const outputs = output.split(`${OUTPUT_MARK}\n`)
  for (const [index, { heading, code }] of results.entries()) {
    const [shown, actual] = [JSON.parse(code), JSON.parse(String(outputs[index]))]
    if (!matchesExpected(actual, shown)) expect({ heading, actual }).toEqual({ heading, actual: shown })
  }
  const readText = (name: string) => Bun.file(join(folder.path, name)).text()
  const secret = (await readText('webhook-secret.txt')).trim()
  const { secret: rotatedSecret } = JSON.parse(await readText('rotated.json'))
  const received = receiver.received.length
  await ban('261')
  await receiver.waitFor(received + 1)
  const sent = receiver.received[received]
  if (!sent) throw new Error('the receiver got nothing')
  expect([isSignedWith(secret, sent), isSignedWith(rotatedSecret, sent)]).toEqual([true, true])
  const shown = blocks.find(({ heading, language }) => heading === WHAT_IS_SENT && language === 'json')
  expect([sent.body, matchesExpected(sent.body, JSON.parse(String(shown?.code)))]).toEqual([sent.body, true])
  await receiver.stop()
}, 60_000)

test('the signature that the guide computes in a terminal is that of the specification', async () => {
  const block = blocks.find(({ heading }) => heading === IN_A_TERMINAL)
  const signature = (await runShell(String(block?.code))).trim()
  expect(guide).toContain(`It prints \`${signature}\``)
  const library = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  const sentAt = new Date(1_614_265_330_000)
  expect(library.sign('msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt, '{"test": 2432232314}')).toBe(`v1,${signature}`)
})

test('the guide names every event', () => {
  expect(webhookEventTypes.filter((type) => !guide.includes(`\`${type}\``))).toEqual([])
})

/** What the programs of the guide run in, by their headings. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'With a library': ['Bun'],
  'By hand, in TypeScript': ['Bun', 'Deno'],
  'By hand, in Python': ['Python'],
}
const commands = new Map([...RUNTIMES, ['Python', ['/usr/bin/python3']] as const])
const programs = blocks.filter(({ language }) => language === 'ts' || language === 'py')

test('every program of the guide is executed', () => {
  expect(programs.map(({ heading }) => heading)).toEqual(Object.keys(PROGRAMS))
})

/** Starts a program of the guide. */
async function startProgram(
  command: readonly string[],
  { language, code }: GuideBlock,
  secret: string,
  port: number,
) {
  const file = join(folder.path, `receiver-${port}.${language}`)
  await Bun.write(file, code)
  const child = Bun.spawn([...command, file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const isListening = () =>
    fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '' }).then(
      () => true,
      () => false,
    )
  await pollUntil(async () => {
    expect(child.exitCode).toBeNull()
    return isListening()
  }, 'the receiver listens')
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  return {
    /** Waits until this many further lines were printed. */
    async readLines(count: number): Promise<string[]> {
      let text = ''
      while (text.split('\n').length <= count) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`the program ended after ${text}`)
        text += decoder.decode(value)
      }
      return text.trim().split('\n').sort()
    },
    async stop(): Promise<void> {
      child.kill()
      await child.exited
    },
  }
}

const runs = programs.flatMap((block) =>
  (PROGRAMS[block.heading] ?? []).map((name) => ({ block, name, command: commands.get(name) ?? [] })),
)

for (const { block, name, command } of runs) {
  test(`the program “${block.heading}” in ${name} accepts what Reeve sends, once, and nothing else`, async () => {
    const port = freePort()
    const url = `http://127.0.0.1:${port}/`
    const { secret } = await post('/api/webhooks', { name: block.heading, url, events: 'ban.created' })
    const program = await startProgram(command, block, secret, port)
    const signer = new Webhook(secret)
    const send = async (id: string, signedAt: number, change = '') => {
      const body = JSON.stringify({ type: 'ban.created', timestamp: '', data: { workspaceId: id } })
      const at = new Date(signedAt)
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(signedAt / 1000)),
        'webhook-signature': `v1,bm90IG91cnM= ${signer.sign(id, at, body)}`,
      }
      return (await fetch(url, { method: 'POST', headers, body: body + change })).status
    }
    await ban(String(port))
    expect(await program.readLines(1)).toEqual([`ban.created ${workspaceId}`])
    const now = Date.now()
    expect([await send('msg_1', now), await send('msg_1', now)]).toEqual([204, 204])
    expect([await send('msg_2', now, ' '), await send('msg_3', now - 400_000)]).toEqual([401, 401])
    // The last one shows that nothing else was printed before it.
    expect(await send('msg_4', now)).toBe(204)
    expect(await program.readLines(2)).toEqual(['ban.created msg_1', 'ban.created msg_4'])
    await program.stop()
  }, 60_000)
}
