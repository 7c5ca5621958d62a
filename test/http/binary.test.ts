import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { permissions } from '@reeve/core'
import { publicApiSteps } from '../support/api-requests.ts'
import { allowAppealFiles } from '../support/appeal-files.ts'
import { LEGACY_PREFIX, openInstance, PASSWORD, PUBLIC_URL } from '../support/instance.ts'
import { BINARY, ROOT, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type Exchange, type RequestSender, runRequestSequence } from '../support/request-sequence.ts'
import { type JobBody, waitForJob } from '../support/workspace-jobs.ts'

const OWNER = 'owner'
const KEY = 'walker'

const env = {
  // Image URLs contain it, and the URLs of both instances are compared.
  REEVE_PUBLIC_URL: PUBLIC_URL,
  REEVE_KEY_RATE_PER_MINUTE: '0',
  REEVE_SESSION_RATE_PER_MINUTE: '0',
  REEVE_WORKSPACES_PER_ACCOUNT: '0',
}

/** Without webhooks: a server delivers in the background while it responds. */
const steps = publicApiSteps.filter(({ path }) => !path.startsWith('/webhooks'))

let expected: Exchange[]

beforeAll(async () => {
  if (!existsSync(BINARY[0])) throw new Error('dist/reeve does not exist: run `bun run build` first')
  const instance = await openInstance()
  const workspace = await instance.workspace('Night shift')
  const role = await instance.role(workspace.id, permissions)
  await allowAppealFiles(instance, workspace)
  expected = await runRequestSequence(
    steps,
    ({ method, path, body, headers }) =>
      instance.request(method, `/api${path}`, { key: workspace.key, headers, ...(body ? { body } : {}) }),
    { workspace: workspace.id, role, roleName: 'role 3', actorName: 'key 2' },
  )
  await instance.close()
}, 60_000)

const startedServers: { running: RunningServer; folder: string }[] = []
afterAll(async () => {
  for (const { running, folder } of startedServers) {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Starts the binary alone in an empty folder, with an account, a workspace, a key and a role. */
async function begin() {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-binary-'))
  const options = { dataDir: join(folder, 'data'), cwd: folder, program: BINARY, env }
  const names = ['--username', OWNER, '--group-name', 'Night shift', '--key-name', KEY]
  const init = await runReeve(['init', ...names, '--password-stdin', '--json'], {
    ...options,
    stdin: PASSWORD,
  })
  expect(init.exitCode, init.err).toBe(0)
  const { workspaceId, apiKey } = JSON.parse(init.out) as { workspaceId: string; apiKey: string }
  const running = await startServer(options)
  startedServers.push({ running, folder })
  const signIn = await fetch(`${running.url}/portal/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: OWNER, password: PASSWORD }),
  })
  expect(signIn.status, await signIn.text()).toBe(200)
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const browser = { cookie, 'sec-fetch-site': 'same-origin' }
  const roleResponse = await fetch(`${running.url}/portal/api/roles`, {
    method: 'POST',
    headers: { ...browser, 'content-type': 'application/json' },
    body: JSON.stringify({ workspaceId, name: 'role 3', rank: '10', permissions: permissions.join() }),
  })
  const allowed = await fetch(`${running.url}/portal/api/appeals/settings`, {
    method: 'PATCH',
    headers: { ...browser, 'content-type': 'application/json' },
    body: JSON.stringify({ workspaceId, allowFiles: 'true' }),
  })
  expect(allowed.status, await allowed.text()).toBe(200)
  const { role } = (await roleResponse.json()) as { role: { id: string } }
  return {
    running,
    folder,
    startServer: { workspace: workspaceId, role: role.id },
    bearer: { authorization: `Bearer ${apiKey}` },
    browser,
  }
}

const createSender =
  (url: string, prefix: string, credentials: Record<string, string>): RequestSender =>
  async ({ method, path, body, headers }) => {
    const response = await fetch(`${url}${prefix}${path}`, {
      method,
      headers: { ...credentials, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    await waitForJob(text === '' ? null : JSON.parse(text), async (workspaceId) => {
      const read = await fetch(`${url}/api/workspaces?id=${workspaceId}`, { headers: credentials })
      return [((await read.json()) as { job: JobBody | null }).job]
    })
    return { status: response.status, headers: response.headers, text }
  }

describe('the binary on a real port gives the same responses as the app in a test', () => {
  test('to an API key', async () => {
    const { running, startServer, bearer } = await begin()
    const send = createSender(running.url, '/api', bearer)
    expect(await runRequestSequence(steps, send, { ...startServer, actorName: KEY })).toEqual(expected)
  }, 60_000)

  test('to a session, under the legacy prefix', async () => {
    const { running, startServer, browser } = await begin()
    const send = createSender(running.url, LEGACY_PREFIX, browser)
    expect(await runRequestSequence(steps, send, { ...startServer, actorName: OWNER })).toEqual(expected)
  }, 60_000)
})

test('the binary serves the API reference and the document without other files', async () => {
  const { running, folder } = await begin()
  expect(readdirSync(folder)).toEqual(['data'])
  const page = await (await fetch(`${running.url}/docs`)).text()
  const script = await fetch(`${running.url}${/src="([^"]+)"/.exec(page)?.[1]}`)
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect((await script.text()).length).toBeGreaterThan(1_000_000)
  const document = await (await fetch(`${running.url}/openapi.json`)).json()
  const builtDocument = await Bun.file(join(ROOT, 'dist/openapi.json')).json()
  expect(document).toEqual(builtDocument)
  expect((await fetch(`${running.url}/openapi.json`, { method: 'HEAD' })).status).toBe(200)
}, 60_000)

test('the binary serves the portal without other files, compressed', async () => {
  const { running, folder } = await begin()
  expect(readdirSync(folder)).toEqual(['data'])
  const page = await (await fetch(`${running.url}/w/anywhere`)).text()
  const files = [...page.matchAll(/(?:src|href)="(\/portal\/[^"]+)"/g)].map(([, routePath]) => routePath)
  expect(new Set(files.map((file) => file?.split('.').at(-1)))).toEqual(new Set(['css', 'js']))
  for (const file of files) {
    const headers = { 'accept-encoding': 'br' }
    const response = await fetch(`${running.url}${file}`, { headers })
    expect([file, response.status, response.headers.get('content-encoding')]).toEqual([file, 200, 'br'])
    expect((await response.text()).length).toBeGreaterThan(100)
  }
}, 60_000)
