import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLockSql, connectTo, createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { seed } from '../bench/seed.ts'
import { PASSWORD } from '../support/instance.ts'
import { pollFor } from '../support/poll.ts'
import { PROGRAM, readResult, runReeve, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'

setDefaultTimeout(180_000)

const RECORDS = 100

let folder: TemporaryFolder
let url: string
beforeEach(async () => {
  folder = temporaryFolder()
  await seed(folder.data, { workspaces: 1, records: RECORDS, eventsEach: 0 }, () => {})
  url = await createDatabase('template1')
})
afterEach(async () => {
  await dropDatabase(url)
  folder.remove()
})

const startMove = (dataDir = folder.data) =>
  Bun.spawn([...PROGRAM, 'move', '--to', url], {
    env: { ...process.env, REEVE_DATA_DIR: dataDir, REEVE_SECRET_KEY: SECRET_KEY },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })

/** The folder of the first move is locked. */
function copyFolder(): string {
  const copy = join(folder.path, 'copy')
  cpSync(join(folder.data, 'reeve.db'), join(copy, 'reeve.db'))
  chmodSync(copy, 0o700)
  return copy
}

type Move = ReturnType<typeof startMove>

/** Sessions of moves that wait for `holdMoves`. */
const HELD = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'reeve' and wait_event_type = 'Lock'`

/** Waits until a query finds a row, or the move has ended. @returns the row */
const waitForRow = <Row>(move: Move, sql: string): Promise<Row | undefined> =>
  pollFor(
    async () => (await queryServer<Row>(url, sql))[0],
    (row) => row !== undefined || move.exitCode !== null,
    `there is a row: ${sql}`,
  )

/** Makes moves wait in their first statement that changes the database. @returns lets them continue */
async function holdMoves(): Promise<() => Promise<void>> {
  const { query, close } = await connectTo(url)
  await query('begin')
  await query(acquireLockSql('migrations'))
  return close
}

/** Moves the data of a folder, and kills the move once its last marker is stored: in the next statement that needs the table of names. */
async function killAfterLastMarker(dataDir: string): Promise<void> {
  const releaseFirst = await holdMoves()
  const move = startMove(dataDir)
  await waitForRow(move, HELD)
  // Gets the lock between the first marker and the tables.
  const second = holdMoves()
  await waitForRow(move, HELD.replace("'reeve'", "'test'"))
  await releaseFirst()
  const releaseSecond = await second
  const [marker, names] = [await connectTo(url), await connectTo(url)]
  await marker.query('begin')
  await marker.query('select * from move for update')
  await releaseSecond()
  await waitForRow(move, HELD)
  await names.query('begin')
  await names.query('lock table player_name')
  await marker.close()
  await waitForRow(move, 'select 1 as found from move where done_at is not null')
  await waitForRow(move, HELD)
  expect(move.exitCode).toBeNull()
  move.kill('SIGKILL')
  await move.exited
  // The server would still execute the statement of the killed one.
  await queryServer(url, `select pg_terminate_backend(pid) from (${HELD}) held`)
  await names.close()
}

const expectComplete = async (move: Move) =>
  expect(await readResult(move)).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('and verified it'),
  })

test('a move that is repeated right after it was killed completes, although the server was executing a statement of the killed one', async () => {
  const release = await holdMoves()
  const killed = startMove()
  const held = await waitForRow<{ pid: number }>(killed, HELD)
  killed.kill('SIGKILL')
  await killed.exited
  const repeated = startMove()
  await waitForRow(repeated, `${HELD} and pid <> ${held?.pid}`)
  await release()
  await expectComplete(repeated)
})

test('a move during another one waits for it, and then names it and the command that ends its session', async () => {
  const release = await holdMoves()
  const first = startMove()
  const held = await waitForRow<{ pid: number }>(first, HELD)
  const second = await readResult(startMove(copyFolder()))
  const since = String.raw`from 127\.0\.0\.1 since 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`
  expect(second.err).toMatch(
    new RegExp(
      `^Another move holds the database reeve_\\d+ at \\S+, ${since}\\. .* Waiting up to 30 seconds\\.\nAnother move of the database .*, ${since}\\. Wait`,
    ),
  )
  expect(second.exitCode).toBe(1)
  const [, recommended = ''] = /psql -c '([^']*)'/.exec(second.err) ?? []
  expect(recommended).toBe(`select pg_terminate_backend(${held?.pid})`)
  await queryServer(url, recommended)
  await release()
  expect(await first.exited).toBe(1)
  await expectComplete(startMove())
})

test('after a move that was killed right after its last marker, players are still found by their names', async () => {
  const dataDir = join(folder.path, 'named')
  const init = await runReeve([...INIT_ARGS, '--json'], { dataDir, stdin: PASSWORD })
  const { workspaceId, apiKey } = parseJsonOutput<{ workspaceId: string; apiKey: string }>(init)
  const warn = async (origin: string, userId: string, userUsername: string) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ workspaceId, action: 'warn', userId, userUsername, reason: 'Spamming' })
    const response = await fetch(`${origin}/api/moderation`, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
  }
  const before = await startServer({ dataDir })
  await warn(before.url, '261', 'Thistledown')
  await before.stop()

  await killAfterLastMarker(dataDir)
  const env = { REEVE_DATABASE_URL: url }
  const after = await startServer({ dataDir, env })
  await warn(after.url, '156', 'Foxglove')
  const erasure = ['--player', '156', '--mode', 'erase', '--reason', 'On request', '--yes']
  const erased = await runReeve(['player', 'erase', '--workspace', workspaceId, ...erasure], { dataDir, env })
  expect(erased.exitCode, erased.err).toBe(0)
  const signIn = await fetch(`${after.url}/portal/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'robin', password: PASSWORD }),
  })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const path = `/portal/api/players?workspaceId=${workspaceId}&q=Thistledown`
  const found = (await (await fetch(`${after.url}${path}`, { headers })).json()) as { players: object[] }
  expect(found.players).toMatchObject([{ userId: '261' }])
  await after.stop()
})
