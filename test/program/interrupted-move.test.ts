import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLockSql, connectTo, createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { seed } from '../bench/seed.ts'
import { PROGRAM, readResult } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(180_000)

const RECORDS = 100
const POLL_MS = 5

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
async function waitForRow<Row>(move: Move, sql: string): Promise<Row | undefined> {
  for (;;) {
    const [row] = await queryServer<Row>(url, sql)
    if (row !== undefined || move.exitCode !== null) return row
    await Bun.sleep(POLL_MS)
  }
}

/** Makes moves wait in their first statement that changes the database. @returns lets them continue */
async function holdMoves(): Promise<() => Promise<void>> {
  const { query, close } = await connectTo(url)
  await query('begin')
  await query(acquireLockSql('migrations'))
  return close
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
