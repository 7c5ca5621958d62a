import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { PASSWORD } from '../support/instance.ts'
import { type CommandResult, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'

const HIDDEN = 'hidden-from-lists-of-processes'

let folder: TemporaryFolder
let url: string
let initResult: { readonly workspaceId: string; readonly apiKey: string }

beforeAll(async () => {
  folder = temporaryFolder()
  url = await createDatabase('template1')
  await queryServer(url, `create role mover superuser login password '${HIDDEN}'`)
  initResult = parseJsonOutput(await runOnFolder([...INIT_ARGS, '--json'], { stdin: PASSWORD }))
})
afterAll(async () => {
  await dropDatabase(url)
  folder.remove()
})

interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

/** Run a command on the data folder or on the database. */
const runOnFolder = (args: string[], options: CommandOptions = {}) =>
  runReeve(args, { dataDir: folder.data, ...options })
const runOnServer = (args: string[]) => runOnFolder(args, { env: { REEVE_DATABASE_URL: url } })

const expectRefusal = ({ exitCode, err, out }: CommandResult): string => {
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  return err
}

/** The database URL without the password, which is in the environment. */
function createTarget() {
  const databaseUrl = new URL(url)
  databaseUrl.username = 'mover'
  databaseUrl.password = ''
  return { to: databaseUrl.href, env: { PGPASSWORD: HIDDEN } }
}

/** Starts a server on the data and bans a player. @returns all banned players */
async function banAndListBans(userId: string, env: Record<string, string> = {}): Promise<string[]> {
  const running = await startServer({ dataDir: folder.data, env })
  const headers = { authorization: `Bearer ${initResult.apiKey}`, 'content-type': 'application/json' }
  const ban = JSON.stringify({
    workspaceId: initResult.workspaceId,
    action: 'ban',
    userId,
    reason: 'Exploiting',
  })
  await fetch(`${running.url}/api/moderation`, { method: 'POST', headers, body: ban })
  const list = `${running.url}/api/moderation?workspaceId=${initResult.workspaceId}&banList=true`
  const { bans } = (await (await fetch(list, { headers })).json()) as { bans: { userId: string }[] }
  expect(await running.stop()).toBe(0)
  return bans.map((one) => one.userId).sort()
}

test('a move is refused while the server runs, and to an invalid target', async () => {
  const running = await startServer({ dataDir: folder.data })
  const { to, env } = createTarget()
  expect(expectRefusal(await runOnFolder(['move', '--to', to], { env }))).toContain(
    'Another Reeve process is using',
  )
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  await running.stop()
  const wrong = await runOnFolder(['move', '--to', 'mysql://reeve:hush@127.0.0.1/reeve'])
  expect(wrong.exitCode).toBe(2)
  expect(wrong.err).toStartWith('--to must be the URL of a PostgreSQL database')
  const unreachableError = expectRefusal(
    await runOnFolder(['move', '--to', 'postgres://reeve:hush@127.0.0.1:9/reeve']),
  )
  expect(unreachableError).toMatch(/^The database reeve at 127\.0\.0\.1:9 cannot be opened: .* Check --to,/)
  expect(`${wrong.err}${unreachableError}`).not.toContain('hush')
  const missingResult = await runReeve(['move', '--to', to], { dataDir: join(folder.path, 'none'), env })
  expect(expectRefusal(missingResult)).toContain('There is no instance in')
})

test('data can be moved from a folder to PostgreSQL and back', async () => {
  expect(await banAndListBans('156')).toEqual(['156'])
  const { to, env } = createTarget()
  const moved = await runOnFolder(['move', '--to', to], { env })
  expect(moved.exitCode).toBe(0)
  expect(moved.err).toBe('Copying all tables\nComparing source and target\n')
  expect(moved.out).toContain('and verified it')
  expect(moved.out + moved.err).not.toContain(HIDDEN)

  for (const args of [['serve'], ['user', 'list'], ['backup'], ['move', '--to', to]])
    expect(expectRefusal(await runOnFolder(args, { env }))).toMatch(
      /^The data of .* was moved to the database reeve_\d+ at/,
    )
  const doctorResult = await runOnFolder(['doctor'])
  expect([doctorResult.exitCode, doctorResult.out]).toEqual([
    1,
    expect.stringContaining('was moved to the database'),
  ])

  const found = parseJsonOutput<{ findings: { check: string; verdict: string }[] }>(
    await runOnServer(['doctor', '--json']),
  )
  expect(found.findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  expect(found.findings.map(({ check }) => check)).toContain('audit')
  expect(await banAndListBans('261', { REEVE_DATABASE_URL: url })).toEqual(['156', '261'])

  const moveBackResult = parseJsonOutput<{
    keptAside: string
    tables: { table: string; rows: number; sha256: string }[]
  }>(await runOnServer(['move', '--to', folder.data, '--json']))
  expect(readdirSync(folder.data)).toContain(moveBackResult.keptAside.slice(folder.data.length + 1))
  expect(moveBackResult.tables.find(({ table }) => table === 'record')).toMatchObject({ rows: 2 })
  for (const { sha256 } of moveBackResult.tables) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(expectRefusal(await runOnServer(['user', 'list']))).toContain(`was moved to ${folder.data}`)
  const other = await runOnServer(['doctor'])
  expect([other.exitCode, other.out]).toEqual([1, expect.stringContaining(`was moved to ${folder.data}`)])
  expect(await banAndListBans('4416')).toEqual(['156', '261', '4416'])
  expect((await runOnFolder(['doctor'])).exitCode).toBe(0)
})

test('a moved folder can be used again after an explicit restore', async () => {
  const other = join(folder.path, 'other')
  expect((await runOnFolder(['move', '--to', other])).exitCode).toBe(0)
  expect(expectRefusal(await runOnFolder(['user', 'list']))).toContain(`was moved to ${other}`)
  expect((await runOnFolder(['restore', '--from', join(folder.data, 'reeve.db')])).exitCode).toBe(0)
  expect(
    parseJsonOutput<{ accounts: object[] }>(await runOnFolder(['user', 'list', '--json'])).accounts,
  ).toHaveLength(1)
})
