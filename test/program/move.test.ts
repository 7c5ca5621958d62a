import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { PASSWORD } from '../support/instance.ts'
import { type Ended, reeve, serve } from '../support/program.ts'
import { INIT, jsonOf } from './commands.ts'

const HIDDEN = 'hidden-from-lists-of-processes'

let folder: TemporaryFolder
let url: string
let made: { readonly workspaceId: string; readonly apiKey: string }

beforeAll(async () => {
  folder = temporaryFolder()
  url = await createDatabase('template1')
  await queryServer(url, `create role mover superuser login password '${HIDDEN}'`)
  made = jsonOf(await here([...INIT, '--json'], { stdin: PASSWORD }))
})
afterAll(async () => {
  await dropDatabase(url)
  folder.remove()
})

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

/** Runs a command on the folder, and on the server. */
const here = (args: string[], given: Given = {}) => reeve(args, { dataDir: folder.data, ...given })
const there = (args: string[]) => here(args, { env: { REEVE_DATABASE_URL: url } })

const refusal = ({ exitCode, err, out }: Ended): string => {
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  return err
}

/** The address of the database without a password, which the environment holds. */
function shown() {
  const address = new URL(url)
  address.username = 'mover'
  address.password = ''
  return { to: address.href, env: { PGPASSWORD: HIDDEN } }
}

/** Bans a player at a server on these data. @returns who is banned there then */
async function bansWith(userId: string, env: Record<string, string> = {}): Promise<string[]> {
  const running = await serve({ dataDir: folder.data, env })
  const headers = { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' }
  const ban = JSON.stringify({ workspaceId: made.workspaceId, action: 'ban', userId, reason: 'Exploiting' })
  await fetch(`${running.url}/api/moderation`, { method: 'POST', headers, body: ban })
  const list = `${running.url}/api/moderation?workspaceId=${made.workspaceId}&banList=true`
  const { bans } = (await (await fetch(list, { headers })).json()) as { bans: { userId: string }[] }
  expect(await running.stop()).toBe(0)
  return bans.map((one) => one.userId).sort()
}

test('a move is refused while the server runs, and to what is no place', async () => {
  const running = await serve({ dataDir: folder.data })
  const { to, env } = shown()
  expect(refusal(await here(['move', '--to', to], { env }))).toContain('Another Reeve process is using')
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  await running.stop()
  const wrong = await here(['move', '--to', 'mysql://reeve:hush@127.0.0.1/reeve'])
  expect(wrong.exitCode).toBe(2)
  expect(wrong.err).toStartWith('--to must be the address of a PostgreSQL database')
  const gone = refusal(await here(['move', '--to', 'postgres://reeve:hush@127.0.0.1:9/reeve']))
  expect(gone).toMatch(/^The database reeve at 127\.0\.0\.1:9 cannot be opened: .* Look at --to/)
  expect(`${wrong.err}${gone}`).not.toContain('hush')
  const none = await reeve(['move', '--to', to], { dataDir: join(folder.path, 'none'), env })
  expect(refusal(none)).toContain('There is no instance in')
})

test('a folder is carried to a server, which answers from then on, and back', async () => {
  expect(await bansWith('156')).toEqual(['156'])
  const { to, env } = shown()
  const moved = await here(['move', '--to', to], { env })
  expect(moved.exitCode).toBe(0)
  expect(moved.err).toBe('Carrying every table\nComparing both sides\n')
  expect(moved.out).toContain('is the same on both sides')
  expect(moved.out + moved.err).not.toContain(HIDDEN)

  for (const args of [['serve'], ['user', 'list'], ['backup'], ['move', '--to', to]])
    expect(refusal(await here(args, { env }))).toMatch(
      /^The data of .* was moved to the database reeve_\d+ at/,
    )
  const looked = await here(['doctor'])
  expect([looked.exitCode, looked.out]).toEqual([1, expect.stringContaining('was moved to the database')])

  const found = jsonOf<{ findings: { check: string; verdict: string }[] }>(await there(['doctor', '--json']))
  expect(found.findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  expect(found.findings.map(({ check }) => check)).toContain('audit')
  expect(await bansWith('261', { REEVE_DATABASE_URL: url })).toEqual(['156', '261'])

  const back = jsonOf<{ keptAside: string; tables: { table: string; rows: number; sha256: string }[] }>(
    await there(['move', '--to', folder.data, '--json']),
  )
  expect(readdirSync(folder.data)).toContain(back.keptAside.slice(folder.data.length + 1))
  expect(back.tables.find(({ table }) => table === 'record')).toMatchObject({ rows: 2 })
  for (const { sha256 } of back.tables) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(refusal(await there(['user', 'list']))).toContain(`was moved to ${folder.data}`)
  const other = await there(['doctor'])
  expect([other.exitCode, other.out]).toEqual([1, expect.stringContaining(`was moved to ${folder.data}`)])
  expect(await bansWith('4416')).toEqual(['156', '261', '4416'])
  expect((await here(['doctor'])).exitCode).toBe(0)
})

test('what was moved away is in use again once it is restored on purpose', async () => {
  const other = join(folder.path, 'other')
  expect((await here(['move', '--to', other])).exitCode).toBe(0)
  expect(refusal(await here(['user', 'list']))).toContain(`was moved to ${other}`)
  expect((await here(['restore', '--from', join(folder.data, 'reeve.db')])).exitCode).toBe(0)
  expect(jsonOf<{ accounts: object[] }>(await here(['user', 'list', '--json'])).accounts).toHaveLength(1)
})
