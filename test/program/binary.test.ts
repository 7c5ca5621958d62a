import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, ROOT, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

const folder = temporaryFolder()
/** The only file in an empty folder. */
const binary = join(folder.path, 'alone', 'reeve')
const programOptions = { dataDir: folder.data, program: [binary], cwd: join(folder.path, 'alone') }

beforeAll(() => {
  if (!existsSync(BINARY[0])) throw new Error('dist/reeve does not exist: run `bun run build` first')
  mkdirSync(programOptions.cwd)
  copyFileSync(BINARY[0], binary)
})
afterAll(() => folder.remove())

test('the binary alone in an empty folder initializes an instance and serves it', async () => {
  const { out, err } = await runReeve([...INIT_ARGS, '--json'], {
    ...programOptions,
    stdin: 'a long enough secret',
  })
  expect(err).toBe('')
  const { workspaceId, apiKey } = JSON.parse(out) as { workspaceId: string; apiKey: string }
  const running = await startServer(programOptions)
  const requestPath = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    return fetch(new URL(path, running.url), { ...init, headers })
  }
  const ban = { workspaceId, action: 'ban', userId: '261', reason: 'Exploiting' }
  expect((await requestPath('/api/moderation', { method: 'POST', body: JSON.stringify(ban) })).status).toBe(
    200,
  )
  const check = await requestPath(
    `/api/public/v1/moderation?workspaceId=${workspaceId}&banList=true&userId=261`,
  )
  expect(await check.json()).toMatchObject({ bans: [{ userId: '261' }] })
  expect((await requestPath('/metrics')).status).toBe(404)
  for (const path of ['/', '/docs']) {
    const page = await requestPath(path)
    expect(page.status).toBe(200)
    for (const [, route] of (await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect({ route, status: (await requestPath(route as string)).status }).toEqual({ route, status: 200 })
    }
  }
  expect((await runReeve(['doctor'], programOptions)).exitCode).toBe(0)
  expect(await running.stop()).toBe(0)
  expect(readdirSync(programOptions.cwd)).toEqual(['reeve'])
})

test('the binary prints the same OpenAPI document as the build', async () => {
  const { out } = await runReeve(['openapi'], programOptions)
  expect(out).toBe(await Bun.file(join(ROOT, 'dist/openapi.json')).text())
})

test('files of the current folder neither run code in the binary nor set anything', async () => {
  const cwd = join(folder.path, 'of-somebody-else')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./preload.ts"]\n')
  writeFileSync(join(cwd, 'preload.ts'), "await Bun.write('executed', '')\n")
  writeFileSync(join(cwd, '.env'), 'REEVE_PORT=none\n')
  expect(await runReeve(['config', 'check'], { ...programOptions, cwd })).toMatchObject({
    exitCode: 0,
    err: '',
  })
  expect(readdirSync(cwd).sort()).toEqual(['.env', 'bunfig.toml', 'preload.ts'])
})

test('the binary says which commit it was built from, and when', async () => {
  const { out } = await runReeve(['--version'], programOptions)
  expect(out).toMatch(
    /^\d+\.\d+\.\d+ \(commit ([0-9a-f]{40}(-dirty)?|unknown), built (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|unknown)\)\n$/,
  )
})
