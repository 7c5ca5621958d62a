import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

setDefaultTimeout(60_000)

/** So many that a command is killed in the middle of them. */
const ROWS = 3000
const HEADER = 'userId,occurredAt,reason,sourceId'

let folder: TemporaryFolder
let workspace: string
beforeAll(async () => {
  folder = temporaryFolder()
  const created = await runInFolder(folder, [...INIT_ARGS, '--json'], 'a long enough secret')
  workspace = parseJsonOutput<{ workspaceId: string }>(created).workspaceId
})
afterAll(() => folder.remove())

const run = (...args: string[]) => runInFolder(folder, args)
const toCommand = (file: string) => ['import', '--workspace', workspace, '--format', 'csv', file]

function writeRows(name: string, rows: number, reason: string): string {
  const file = join(folder.path, name)
  const lines = Array.from({ length: rows }, (_, index) => `${index + 1},2026-01-05,${reason},id-${index}`)
  writeFileSync(file, `${HEADER}\n${lines.join('\n')}\n`)
  return file
}

/** Kills an import without a server once its row is in a state. @returns the id of the import */
async function killImport(file: string, isReached: (row: { state: string; position: number }) => boolean) {
  const child = Bun.spawn([...PROGRAM, ...toCommand(file)], {
    env: { ...process.env, REEVE_DATA_DIR: folder.data, REEVE_SECRET_KEY: SECRET_KEY },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const db = new Database(join(folder.data, 'reeve.db'), { readonly: true })
  const newest = db.query<{ state: string; position: number }, []>(
    'select state, position from import where finished_at is null',
  )
  for (let row = newest.get(); row === null || !isReached(row); row = newest.get()) await Bun.sleep(1)
  child.kill('SIGKILL')
  await child.exited
  db.close()
}

/** Runs a command that is refused, and the one that its error recommends. */
async function cancelAsRecommended(refused: string[], error: string) {
  const { exitCode, err } = await run(...refused)
  expect([exitCode, err]).toEqual([1, expect.stringContaining(error)])
  const [, recommended = ''] = /`reeve (import cancel [^`]*)`/.exec(err) ?? []
  expect((await run(...recommended.split(' '))).out).toStartWith('Cancelled the import of ')
}

test('an import whose command is killed without a server names the commands that end it, and is repeated without doubles', async () => {
  const file = writeRows('bans.csv', ROWS, 'griefing')
  await killImport(file, ({ state, position }) => state === 'running' && position > 0)
  await cancelAsRecommended(toCommand(file), 'The import of bans.csv is not finished.')
  const { out } = await run(...toCommand(file), '--json')
  const { created, known } = JSON.parse(out).import
  expect([Number(created) + Number(known), Number(known) > 0]).toEqual([ROWS, true])
})

test('a file whose sending was killed can be cancelled and imported again', async () => {
  const file = writeRows('large.csv', 40_000, 'x'.repeat(500))
  await killImport(file, ({ state }) => state === 'receiving')
  await cancelAsRecommended(toCommand(file), 'The file large.csv of another import was not sent completely.')
  expect((await run(...toCommand(writeRows('small.csv', 3, 'griefing')))).exitCode).toBe(0)
})

test('an erasure that an interrupted import delays names it and the command that cancels it, and then succeeds', async () => {
  await killImport(
    writeRows('late.csv', ROWS, 'spamming'),
    ({ state, position }) => state === 'running' && position > 0,
  )
  const erasure = ['player', 'erase', '--workspace', workspace, '--player', '1', '--mode', 'erase']
  const command = [...erasure, '--reason', 'On request', '--yes']
  await cancelAsRecommended(
    command,
    'No player of this workspace can be erased yet, because the player could come back. The import of late.csv is not finished.',
  )
  expect((await run(...command)).out).toStartWith('Erased the player: ')
})
