import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSWORD } from '../support/instance.ts'
import { pollUntil } from '../support/poll.ts'
import { PROGRAM, type RunningServer, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

setDefaultTimeout(60_000)

const PLAYER = '7654321098'
const RECORDS = 200

let folder: TemporaryFolder
let workspaceId: string
let key: string
beforeAll(async () => {
  folder = temporaryFolder()
  const init = await runInFolder(folder, [...INIT_ARGS, '--json'], `${PASSWORD}\n`)
  workspaceId = parseJsonOutput<{ workspaceId: string }>(init).workspaceId
  const created = await run(
    ...['key', 'create', '--workspace', workspaceId, '--name', 'erasure', '--json'],
    ...['--permissions', 'moderation.view,moderation.note,moderation.ban,moderation.erase'],
  )
  key = parseJsonOutput<{ apiKey: string }>(created).apiKey
})
afterAll(() => folder.remove())

const run = (...args: string[]) => runInFolder(folder, args)
const erase = (mode: string, ...args: string[]) =>
  run(
    ...['player', 'erase', '--workspace', workspaceId, '--player', PLAYER],
    ...['--mode', mode, '--reason', 'On request', ...args],
  )

const start = () => startServer({ dataDir: folder.data, env: { REEVE_KEY_RATE_PER_MINUTE: '0' } })

/** Sends a request that must succeed. */
async function send({ url }: RunningServer, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/api/moderation${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify({ workspaceId, ...body }) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return JSON.parse(text)
}
const isBanned = async (server: RunningServer) =>
  (await send(server, 'GET', `?workspaceId=${workspaceId}&banList=true&userId=${PLAYER}`)).bans.length === 1
const addNote = (server: RunningServer, reason: string) =>
  send(server, 'POST', '', { action: 'note', userId: PLAYER, reason })

function countRecords(): number {
  const db = new Database(join(folder.data, 'reeve.db'), { readonly: true })
  const row = db.query<{ count: number }, []>('select count(*) as count from record').get()
  db.close()
  return row?.count ?? 0
}

/** Expects that the audit log is intact, and that the doctor finds nothing wrong with it. */
async function expectHealthy() {
  expect(await run('audit', 'verify')).toMatchObject({ exitCode: 0 })
  const { out } = await run('doctor', '--json')
  const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string }[] }
  expect(findings.filter(({ verdict }) => verdict === 'fault')).toEqual([])
}

test('`player erase` asks for a confirmation, and works on a running and on a stopped instance', async () => {
  const server = await start()
  await send(server, 'POST', '', {
    action: 'ban',
    userId: PLAYER,
    reason: 'Exploiting',
    userUsername: 'Thistle',
  })
  const unconfirmed = await erase('pseudonymise')
  expect([unconfirmed.exitCode, unconfirmed.err]).toEqual([
    2,
    `Everything about ${PLAYER} would be erased, which cannot be undone. Repeat the command with --yes.\n`,
  ])
  const pseudonymised = await erase('pseudonymise', '--yes')
  expect(pseudonymised).toMatchObject({ exitCode: 0, err: '' })
  expect(pseudonymised.out).toStartWith('Erased the player: 1 record.\nBackups from before ')
  expect(await isBanned(server)).toBe(true)
  await server.stop()
  const result = await erase('erase', '--yes', '--json')
  expect(parseJsonOutput(result)).toMatchObject({
    erasure: { mode: 'erase', state: 'succeeded', records: '1' },
  })
  const again = await start()
  expect(await isBanned(again)).toBe(false)
  await again.stop()
  await expectHealthy()
})

test('`player erase` of a player about whom nothing is stored does not say that backups contain them', async () => {
  const { exitCode, out } = await run(
    ...['player', 'erase', '--workspace', workspaceId, '--player', '12', '--mode', 'erase'],
    ...['--reason', 'On request', '--yes'],
  )
  expect(exitCode).toBe(0)
  expect(out).toMatch(
    /^Nothing was stored about the player\.\nBackups from before \S+ contain the player only if something was stored then, and has been deleted since\.\n$/,
  )
})

test('a server that is killed while it erases a player continues after its next start, and new backups do not have the player', async () => {
  const first = await start()
  for (let number = 0; number < RECORDS; number++) await addNote(first, `Thistledown ${number}`)
  const { erasure } = await send(first, 'POST', '/erasures', {
    ...{ userId: PLAYER, confirmUserId: PLAYER, mode: 'erase', reason: 'On request' },
  })
  await pollUntil(async () => countRecords() < RECORDS, 'records are erased')
  first.signal('SIGKILL')
  await first.exited
  const left = countRecords()
  expect(left).toBeGreaterThan(0)
  const second = await start()
  const read = async () =>
    (await send(second, 'GET', `/erasures?workspaceId=${workspaceId}&id=${erasure.id}`)).erasure
  await pollUntil(async () => (await read()).state === 'succeeded', 'the erasure has succeeded')
  expect(await read()).toMatchObject({ records: String(RECORDS) })
  await second.stop()
  expect(countRecords()).toBe(0)
  await expectHealthy()
  const backup = await run('backup', '--to', join(folder.path, 'after.db'))
  expect(backup.exitCode).toBe(0)
  const bytes = readFileSync(join(folder.path, 'after.db')).toString('latin1')
  expect([bytes.includes(PLAYER), bytes.includes('Thistledown')]).toEqual([false, false])
})

test('a server that stops does not wait for the erasure of a command, and completes it after its next start', async () => {
  const first = await start()
  for (let number = 0; number < RECORDS; number++) await addNote(first, `Thistledown ${number}`)
  const erased = erase('erase', '--yes')
  await pollUntil(async () => countRecords() < RECORDS, 'records are erased')
  first.signal('SIGTERM')
  expect(await erased).toEqual({
    exitCode: 1,
    out: 'The server is stopping, and the erasure is not complete. It continues after the next start.\n',
    err: '',
  })
  expect(await first.exited).toBe(0)
  expect(countRecords()).toBeGreaterThan(0)
  const second = await start()
  await pollUntil(async () => countRecords() === 0, 'all records are erased')
  expect(await second.stop()).toBe(0)
  expect((await erase('erase', '--yes')).exitCode).toBe(0)
  await expectHealthy()
})

test('an erasure whose command is killed is finished by the same command, without a server', async () => {
  const server = await start()
  for (let number = 0; number < RECORDS; number++) await addNote(server, `Thistledown ${number}`)
  await server.stop()
  const command = ['player', 'erase', '--workspace', workspaceId, '--player', PLAYER, '--mode', 'erase']
  const child = Bun.spawn([...PROGRAM, ...command, '--reason', 'On request', '--yes'], {
    env: { ...process.env, REEVE_DATA_DIR: folder.data, REEVE_SECRET_KEY: SECRET_KEY },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await pollUntil(async () => countRecords() < RECORDS, 'records are erased')
  child.kill('SIGKILL')
  await child.exited
  expect(countRecords()).toBeGreaterThan(0)
  const again = await erase('erase', '--yes')
  expect(again).toMatchObject({ exitCode: 0, err: '' })
  expect(again.out).toStartWith(`Erased the player: ${RECORDS} records.\n`)
  expect(countRecords()).toBe(0)
  await expectHealthy()
})
