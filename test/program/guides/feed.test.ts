import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { RUNTIMES } from '../../clients/runtimes.ts'
import { type GuideBlock, parseBlocks } from '../../support/guide.ts'
import { PASSWORD } from '../../support/instance.ts'
import { ROOT, type RunningServer, runReeve, startServer } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { INIT_ARGS } from '../commands.ts'
import { request } from '../replicas.ts'

const folder = temporaryFolder()
let server: RunningServer
let env: Record<string, string>
let blocks: readonly GuideBlock[]
beforeAll(async () => {
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, stdin: PASSWORD })
  const { workspaceId, apiKey } = JSON.parse(out)
  server = await startServer({ dataDir: folder.data })
  env = { REEVE_URL: server.url, REEVE_KEY: apiKey, REEVE_WORKSPACE: workspaceId }
  blocks = parseBlocks(await Bun.file(join(ROOT, 'docs/integrate/feed.md')).text())
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const findBlock = (heading: string, language: string): string => {
  const block = blocks.find((one) => one.heading === heading && one.language === language)
  if (!block) throw new Error(`there is no ${language} block below "${heading}"`)
  return block.code
}

/** Runs the command below a heading. @returns what it prints, as JSON */
async function runCommand(heading: string, variables: Record<string, string> = {}) {
  const child = Bun.spawn(['sh', '-c', findBlock(heading, 'sh')], {
    env: { ...process.env, ...env, ...variables },
    stdout: 'pipe',
  })
  const text = await new Response(child.stdout).text()
  expect(await child.exited, text).toBe(0)
  return JSON.parse(text)
}

async function moderate(action: string, userId: string, fields: Readonly<Record<string, string>> = {}) {
  const { status } = await request(server, 'POST', '/api/moderation', {
    key: env.REEVE_KEY as string,
    body: { workspaceId: env.REEVE_WORKSPACE, action, userId, reason: 'Exploiting', ...fields },
  })
  expect(status).toBe(200)
}

test('every block of feed.md is executed', () => {
  const [setting, ...others] = blocks.map(({ heading, language }) => `${language} ${heading}`)
  expect(setting).toBe('sh ')
  expect(others).toEqual([
    'sh Read the snapshot',
    'sh Read what has changed since',
    'sh Wait for the next change',
    'js A complete follower',
  ])
  expect(Object.keys(env).filter((name) => !blocks[0]?.code.includes(`export ${name}=`))).toEqual([])
})

test('the commands return the snapshot, the changes since, and the next change as soon as it happens', async () => {
  await moderate('ban', '1')
  const snapshot = await runCommand('Read the snapshot')
  expect(snapshot.sanctions.map(({ userId }: { userId: string }) => userId)).toEqual(['1'])
  const position = { SEQUENCE: snapshot.sequence, EPOCH: snapshot.epoch }
  expect((await runCommand('Read what has changed since', position)).changes).toEqual([])
  const startedAt = performance.now()
  const waiting = runCommand('Wait for the next change', position)
  await moderate('ban', '2')
  const { changes } = await waiting
  expect(changes.map(({ userId }: { userId: string }) => userId)).toEqual(['2'])
  expect(performance.now() - startedAt).toBeLessThan(20_000)
}, 60_000)

/** Starts a program next to the follower. @returns what it prints and reads, line by line */
async function startProgram(command: readonly string[], name = 'follower.mjs') {
  await Bun.write(join(folder.path, 'follower.mjs'), findBlock('A complete follower', 'js'))
  const child = Bun.spawn([...command, join(folder.path, name)], {
    env: { ...process.env, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
  })
  let printed = ''
  const reader = child.stdout.getReader()
  return {
    async waitFor(line: string) {
      while (!printed.includes(`${line}\n`)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`it ended after: ${printed}`)
        printed += new TextDecoder().decode(value)
      }
    },
    async send(line: string) {
      child.stdin.write(`${line}\n`)
      await child.stdin.flush()
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

test.each(RUNTIMES.map(([name, command], index) => [name, command, String(index + 3)] as const))(
  'the program prints in %s who is banned, and every ban and unban',
  async (_, command, player) => {
    const { waitFor, stop } = await startProgram(command)
    try {
      await waitFor('2 players are banned')
      await moderate('ban', player)
      await waitFor(`${player} is banned`)
      await moderate('unban', player)
      await waitFor(`${player} is not banned`)
    } finally {
      await stop()
    }
  },
  30_000,
)

/** A game server in short: it prints of each player that it reads whether they are banned. */
const GAME = `
import { createInterface } from 'node:readline'
import { isBanned } from './follower.mjs'
for await (const player of createInterface({ input: process.stdin }))
  console.log(player + (isBanned(player) ? ' stays out' : ' comes in'))
`

test.each(RUNTIMES.map(([name, command], index) => [name, command, String(index + 30)] as const))(
  'a program that imports it in %s knows who is banned at once, and goes on while bans change',
  async (_, command, player) => {
    await Bun.write(join(folder.path, 'game.mjs'), GAME)
    const { waitFor, send, stop } = await startProgram(command, 'game.mjs')
    try {
      await send('1')
      await waitFor('1 stays out')
      await send(player)
      await waitFor(`${player} comes in`)
      await moderate('ban', player)
      await waitFor(`${player} is banned`)
      await send(player)
      await waitFor(`${player} stays out`)
      await moderate('unban', player)
    } finally {
      await stop()
    }
  },
  30_000,
)

test('the program finds numbers, and follows the clock of the server from the first bans on', async () => {
  await Bun.write(
    join(folder.path, 'wrong-clock.mjs'),
    'const now = Date.now; Date.now = () => now() + 86_400_000\n',
  )
  await Bun.write(
    join(folder.path, 'game.mjs'),
    `import './wrong-clock.mjs'\n${GAME.replace('isBanned(player)', 'isBanned(Number(player))')}`,
  )
  await moderate('ban', '50', { durationSeconds: '3600' })
  const { waitFor, send, stop } = await startProgram([process.execPath], 'game.mjs')
  try {
    await send('50')
    await waitFor('50 stays out')
  } finally {
    await stop()
  }
}, 30_000)
