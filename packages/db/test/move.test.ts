import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DataPlace,
  type Far,
  hasInstance,
  moveData,
  openDatabase,
  openServer,
  takeBackupLock,
  takeForRestore,
} from '../src/index.ts'
import { askServer, newDatabase } from './cluster.ts'
import { contentOf, fillEverything, lookAtFolder, lookAtServer, MANY } from './everything.ts'
import { openScratch, removeScratch, scratchFolder } from './scratch.ts'

/** An instance that holds something in every table; each test takes a copy. */
let full: { folder: string; tables: string[] }

beforeAll(async () => {
  full = await fillEverything()
})
afterAll(removeScratch)

const inFolder = (dataDir: string): DataPlace => ({ dataDir, databaseUrl: null })
const onServer = (databaseUrl: string): DataPlace => ({ dataDir: '', databaseUrl })

function copyOfFull(): string {
  const folder = scratchFolder()
  cpSync(full.folder, folder, { recursive: true })
  return folder
}

const move = (from: DataPlace, to: DataPlace, far: (far: Far) => void = () => {}) =>
  moveData(from, to, Date.now, far)

/** What something is refused with; fails where it is not. */
const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: Error) => error.message,
  )
const opening = async (place: DataPlace) => (await openDatabase(place, Date.now)).database.close()

/** Moves in a process of its own, which is killed once so many rows of the largest table are there. */
async function moveKilled(from: DataPlace, to: DataPlace, rows = 1000): Promise<void> {
  const child = Bun.spawn(
    [
      process.execPath,
      '-e',
      `
      import { moveData } from ${JSON.stringify(join(import.meta.dir, '../src/index.ts'))}
      await moveData(${JSON.stringify(from)}, ${JSON.stringify(to)}, Date.now, ({ doing, table, rows }) => {
        if (doing === 'carry' && table === 'audit' && rows >= ${rows}) process.kill(process.pid, 'SIGKILL')
      })`,
    ],
    { stdout: 'inherit', stderr: 'inherit' },
  )
  expect([await child.exited, child.signalCode]).toEqual([137, 'SIGKILL'])
}

describe('a move', () => {
  test('carries every table, there and back, and leaves one place in use', async () => {
    const folder = copyOfFull()
    const url = await newDatabase('template1')
    const before = await contentOf(lookAtFolder(folder), full.tables)
    const there = await move(inFolder(folder), onServer(url))
    expect(there.tables.map(({ table }) => table).sort()).toEqual(full.tables)
    expect(there.tables.filter(({ rows }) => rows === 0)).toEqual([])
    expect(there.tables.find(({ table }) => table === 'audit')?.rows).toBe(MANY)
    expect(await contentOf(lookAtServer(url), full.tables)).toEqual(before)
    expect(await refusalOf(opening(inFolder(folder)))).toMatch(
      /^The data of .* was moved to the database reeve_\d+ at 127.0.0.1:\d+ \(.*Z\): .*`reeve move --to .*data|reeve-db/,
    )
    expect(() => takeBackupLock(folder)).toThrow('was moved to the database')
    await opening(onServer(url))

    // What is written there meanwhile comes along.
    await askServer(url, "update account set username = 'renamed there' where username like 'a%'")
    const back = await move(onServer(url), inFolder(folder))
    expect(await contentOf(lookAtFolder(folder), full.tables)).not.toEqual(before)
    expect(await contentOf(lookAtFolder(folder), full.tables)).toEqual(
      await contentOf(lookAtServer(url), full.tables),
    )
    expect(back.keptAside).toStartWith(join(folder, 'reeve.db.before-restore-'))
    expect(readdirSync(folder).filter((name) => name.includes('moving'))).toEqual([])
    const said = await refusalOf(opening(onServer(url)))
    expect(said).toContain(`was moved to ${folder}`)
    expect(said).not.toContain('reeve:reeve')
    await opening(inFolder(folder))
  })

  test('from one folder to another makes an instance of that', async () => {
    const [from, to] = [copyOfFull(), join(scratchFolder(), 'deep/new')]
    const { keptAside } = await move(inFolder(from), inFolder(to))
    expect(keptAside).toBeNull()
    expect(await contentOf(lookAtFolder(to), full.tables)).toEqual(
      await contentOf(lookAtFolder(from), full.tables),
    )
    await opening(inFolder(to))
    expect(readdirSync(to)).toContain('instance.json')
  })
})

describe('a move that was killed', () => {
  test('goes on where it stopped, from a folder to a server', async () => {
    const folder = copyOfFull()
    const url = await newDatabase('template1')
    await moveKilled(inFolder(folder), onServer(url))
    expect(await refusalOf(opening(onServer(url)))).toMatch(
      /^A move from .* to the database reeve_\d+ .* is not done. Run the same `reeve move` again/,
    )
    const first: number[] = []
    await move(inFolder(folder), onServer(url), ({ doing, table, rows }) => {
      if (doing === 'carry' && table === 'audit') first.push(rows)
    })
    expect(first[0]).toBe(1000)
    expect(await contentOf(lookAtServer(url), full.tables)).toEqual(
      await contentOf(lookAtFolder(folder), full.tables),
    )
    await opening(onServer(url))
  })

  test('goes on where it stopped, from a server to a folder', async () => {
    const url = await newDatabase('template1')
    await move(inFolder(copyOfFull()), onServer(url))
    const folder = join(scratchFolder(), 'data')
    await moveKilled(onServer(url), inFolder(folder), 2000)
    expect(hasInstance(folder)).toBe(true)
    for (const asked of [() => takeForRestore(folder), () => takeBackupLock(folder)])
      expect(asked).toThrow('is not done. Run the same `reeve move` again')
    for (const asked of [opening(inFolder(folder)), move(inFolder(folder), inFolder(scratchFolder()))])
      expect(await refusalOf(asked)).toContain(`or remove ${join(folder, 'reeve.db.moving')} to give it up`)
    const first: number[] = []
    await move(onServer(url), inFolder(folder), ({ doing, table, rows }) => {
      if (doing === 'carry' && table === 'audit') first.push(rows)
    })
    expect(first[0]).toBe(2000)
    await opening(inFolder(folder))
  })

  test('in its last steps leaves neither in use, and is done by another run', async () => {
    const folder = copyOfFull()
    const url = await newDatabase('template1')
    await move(inFolder(folder), onServer(url))
    await askServer(url, 'update move set done_at = null')
    for (const place of [inFolder(folder), onServer(url)]) await refusalOf(opening(place))
    await move(inFolder(folder), onServer(url))
    await opening(onServer(url))

    const other = join(scratchFolder(), 'data')
    await move(onServer(url), inFolder(other))
    renameSync(join(other, 'reeve.db'), join(other, 'reeve.db.moving'))
    rmSync(join(other, 'instance.json'))
    for (const place of [inFolder(other), onServer(url)]) await refusalOf(opening(place))
    await move(onServer(url), inFolder(other))
    await opening(inFolder(other))
  })

  test('is not gone on with from another source, nor once its own was in use', async () => {
    const [folder, other] = [copyOfFull(), copyOfFull()]
    const url = await newDatabase('template1')
    await moveKilled(inFolder(folder), onServer(url))
    expect(await refusalOf(move(inFolder(other), onServer(url)))).toContain(`is not of ${other}`)
    await moveKilled(inFolder(other), inFolder(join(scratchFolder(), 'data')))
    expect(await refusalOf(move(inFolder(other), onServer(url)))).toContain(`is not of ${other}`)
    await opening(inFolder(folder))
    const said = await refusalOf(move(inFolder(folder), onServer(url)))
    expect(said).toContain('was in use since the move was begun. To begin anew, drop the database')
    for (const place of [folder, other]) await opening(inFolder(place))
  })

  test('whose target was changed meanwhile is found out, and the source stays in use', async () => {
    const folder = copyOfFull()
    const url = await newDatabase('template1')
    await moveKilled(inFolder(folder), onServer(url))
    await askServer(
      url,
      "update audit set actor_name = 'somebody else' where sequence = (select min(sequence) from audit)",
    )
    const said = await refusalOf(move(inFolder(folder), onServer(url)))
    expect(said).toMatch(
      /^The table audit is not the same on both sides: 2500 rows with the checksum [0-9a-f]{64}/,
    )
    expect(await refusalOf(opening(onServer(url)))).toContain('is not done')
    await opening(inFolder(folder))
  })
})

test('a move whose connection breaks says so, and another run goes on', async () => {
  const folder = copyOfFull()
  const url = await newDatabase('template1')
  let breaking: Promise<unknown> | undefined
  const said = await refusalOf(
    move(inFolder(folder), onServer(url), ({ table, rows }) => {
      if (table !== 'audit' || rows < 1000) return
      breaking ??= askServer(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'reeve'",
      )
    }),
  )
  await breaking
  expect(said).toMatch(/^The move broke off \(.*\). Run it again: it goes on where it stopped.$/)
  await move(inFolder(folder), onServer(url))
  await opening(onServer(url))
})

describe('a move is refused, and nothing is written,', () => {
  test('to a database that holds something', async () => {
    const folder = copyOfFull()
    const [instance, other] = [await newDatabase(), await newDatabase('template1')]
    await askServer(other, 'create table holiday (id text)')
    for (const url of [instance, other]) {
      const before = await askServer(url, 'select count(*) from pg_class')
      expect(await refusalOf(move(inFolder(folder), onServer(url)))).toContain('holds something already')
      expect(await askServer(url, 'select count(*) from pg_class')).toEqual(before)
    }
    await opening(inFolder(folder))
  })

  test('to a folder that holds an instance, other files, or a lost instance', async () => {
    const from = copyOfFull()
    const [whole, lost] = [copyOfFull(), copyOfFull()]
    rmSync(join(lost, 'reeve.db'))
    for (const [folder, says] of [
      [whole, 'holds an instance already'],
      [lost, 'its database reeve.db is missing'],
      [join(import.meta.dir), 'holds other files'],
    ] as const)
      expect(await refusalOf(move(inFolder(from), inFolder(folder)))).toContain(says)
    await opening(inFolder(whole))
    expect(existsSync(join(lost, 'reeve.db.moving'))).toBe(false)
  })

  test('while a process of ours uses either', async () => {
    const { db, folder } = await openScratch()
    const url = await newDatabase('template1')
    expect(await refusalOf(move(inFolder(folder), onServer(url)))).toContain('Another Reeve process is using')
    const from = await newDatabase()
    const { database } = await openServer(from, Date.now)
    expect(await refusalOf(move(onServer(from), onServer(url)))).toMatch(
      /^Other Reeve processes are connected to the database reeve_\d+ at .*, from 127.0.0.1. Stop them first.$/,
    )
    await database.write(async () => {})
    await Promise.all([db.close(), database.close()])
  })

  test('to where the data lies', async () => {
    const [folder, url] = [copyOfFull(), await newDatabase()]
    for (const place of [inFolder(folder), onServer(url)])
      expect(await refusalOf(move(place, place))).toBe('The data lies there already. Name another place.')
  })

  test('from what holds no instance', async () => {
    const url = await newDatabase('template1')
    expect(await refusalOf(move(onServer(url), inFolder(join(scratchFolder(), 'data'))))).toContain(
      'There is no instance in the database',
    )
  })
})

test('a process that starts while its data is moved is told so', async () => {
  const [from, to] = [await newDatabase(), await newDatabase('template1')]
  let starting: Promise<string> | undefined
  await move(onServer(from), onServer(to), () => {
    starting ??= refusalOf(opening(onServer(from)))
  })
  expect(await starting).toContain('is being moved to the database')
  await opening(onServer(to))
})
