import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { VERSION } from '@reeve/api/version'
import { Reeve } from '@reeve/client'
import { type ReeveServer, startReeve } from '../../clients/fixture.ts'
import { createProject, type Project } from '../../clients/project.ts'
import { parseBlocks, splitCommands } from '../../support/guide.ts'
import { ROOT } from '../../support/program.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let project: Project
let server: ReeveServer
let staff: Reeve
beforeAll(async () => {
  // Its dependency must be there, because nothing is downloaded.
  project = await createProject()
  await project.run(['npm', 'uninstall', '--silent', '@reeve/client'])
  server = await startReeve()
  staff = new Reeve(server.options)
  await staff.moderation.ban({ userId: 156, reason: 'Exploiting' })
  await staff.moderation.ban({ userId: 4416, reason: 'Spamming' })
  const { id: ladderId } = await staff.ladders.create({
    name: 'Exploits',
    steps: [{ count: 1, action: 'ban', durationSeconds: 86_400 }],
  })
  await staff.templates.create({ name: 'Exploiting', publicReason: 'You used an exploit.', ladderId })
}, 60_000)
afterAll(async () => {
  project.remove()
  await server.stop()
})

/** What each snippet prints, by heading. */
const OUTPUT: Readonly<Record<string, RegExp>> = {
  'Act on players': /^Case 3, until 20\S+Z\n$/,
  'Act by template':
    /^ban 86400\n1 You are banned until .+ Reason: You used an exploit\. You can appeal\. Appeal code: \S+\n$/,
  'Let players appeal': /^true null 0\nsubmitted\n$/,
  'Check players': /^Banned: Exploiting\n2 0\n$/,
  'Follow bans and mutes': /^true current\n$/,
  'Departments, events, roles and workspaces': /^Cadet training\n[1-9]\d*\n$/,
  Errors: /^That player is not banned\.\n$/,
  'Retries and timeouts': /^true\n$/,
}

async function runSnippet(heading: string): Promise<void> {
  const { out, err } = await project.run(['node', 'snippet.js'], {
    REEVE_KEY: server.key,
    REEVE_WORKSPACE: server.workspaceId,
  })
  expect([heading, err, out]).toEqual([heading, '', expect.stringMatching(OUTPUT[heading] ?? /^no test$/)])
}

/** Signs as a server does. */
function createWebhookRequest(body: string, secret = SECRET): Request {
  const seconds = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = new Bun.CryptoHasher('sha256', key).update(`msg_1.${seconds}.${body}`).digest('base64')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  }
  return new Request('http://localhost/', { method: 'POST', headers, body })
}

async function checkWebhookHandler(): Promise<void> {
  process.env.WEBHOOK_SECRET = SECRET
  const { handleWebhook } = await import(pathToFileURL(join(project.path, 'snippet.js')).href)
  const body = JSON.stringify({ type: 'ban.created', timestamp: '2026-03-01T18:00:00.000Z', data: {} })
  expect((await handleWebhook(createWebhookRequest(body))).status).toBe(204)
  const forged = await handleWebhook(
    createWebhookRequest(body, `whsec_${btoa('another secret of 24 bytes')}`),
  )
  expect([forged.status, await forged.text()]).toEqual([400, expect.stringContaining('No signature matches')])
}

test('every command and snippet of typescript.md does what the guide promises', async () => {
  const guide = await Bun.file(join(ROOT, 'docs/integrate/typescript.md')).text()
  const adapted = guide.replaceAll('https://reeve.example.com', server.url)
  expect(guide).toContain(`reeve-client-${VERSION}.tgz`)
  const headings: string[] = []
  for (const { heading, language, code } of parseBlocks(adapted)) {
    headings.push(heading)
    if (language === 'sh') for (const command of splitCommands(code)) await project.run(command.split(' '))
    else if (heading === 'Connect') project.write('reeve.js', code)
    else {
      project.write('snippet.js', code)
      await (heading === 'Receive webhooks' ? checkWebhookHandler() : runSnippet(heading))
    }
  }
  expect(headings).toEqual(['Install', 'Connect', ...Object.keys(OUTPUT), 'Receive webhooks'])
  const { bans } = await staff.moderation.listBans()
  expect(bans.map(({ userId }) => userId).sort()).toEqual(['156', '1560', '2610', '4416'])
}, 120_000)

test('the snippets of the README compile, and use what exists', async () => {
  const readme = await Bun.file(join(ROOT, 'packages/client/README.md')).text()
  expect(readme).toContain(`reeve-client-${VERSION}.tgz`)
  const code = parseBlocks(readme).filter(({ language }) => language === 'ts')
  project.write('readme.ts', code.map((block) => block.code).join('\n'))
  const options = [
    '--module',
    'preserve',
    '--target',
    'es2022',
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    '--types',
    '',
  ]
  await project.run([
    process.execPath,
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    ...options,
    'readme.ts',
  ])
}, 60_000)
