import { Database as Engine } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  acquireBackupLock,
  acquireForRestore,
  type DataLocation,
  hasInstance,
  openDatabase,
  openServer,
} from '../src/index.ts'
import { type MoveProgress, moveData } from '../src/move/move.ts'
import { createDatabase, queryServer } from './cluster.ts'
import {
  AUDIT_ROWS,
  createFolderQuery,
  createServerQuery,
  readContent,
  seedEveryTable,
} from './full-instance.ts'
import { runKilledMove } from './killed-move.ts'
import { openScratch, removeScratch, scratchFolder } from './scratch.ts'

/** An instance with rows in every table. Each test copies it. */
let seeded: { folder: string; tables: string[] }

beforeAll(async () => {
  seeded = await seedEveryTable()
})
afterAll(removeScratch)

const folderLocation = (dataDir: string): DataLocation => ({ dataDir, databaseUrl: null })
const serverLocation = (databaseUrl: string): DataLocation => ({ dataDir: '', databaseUrl })

function copySeeded(): string {
  const folder = scratchFolder()
  cpSync(seeded.folder, folder, { recursive: true })
  return folder
}

const move = (
  from: DataLocation,
  to: DataLocation,
  onProgress: (progress: MoveProgress) => void = () => {},
) => moveData(from, to, Date.now, (update) => update.phase !== 'wait' && onProgress(update))

/** The message of a rejection; throws if there is none. */
const rejectionMessage = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => Promise.reject(new Error('it was not rejected')),
    (error: Error) => error.message,
  )
const openAndClose = async (location: DataLocation) =>
  (await openDatabase(location, { now: Date.now })).database.close()

describe('a move', () => {
  test('copies every table, there and back, and leaves one location usable', async () => {
    const folder = copySeeded()
    const url = await createDatabase('template1')
    const before = await readContent(createFolderQuery(folder), seeded.tables)
    const forward = await move(folderLocation(folder), serverLocation(url))
    expect(forward.tables.map(({ table }) => table).sort()).toEqual(seeded.tables)
    expect(forward.tables.filter(({ rows }) => rows === 0)).toEqual([])
    expect(forward.tables.find(({ table }) => table === 'audit')?.rows).toBe(AUDIT_ROWS)
    expect(await readContent(createServerQuery(url), seeded.tables)).toEqual(before)
    expect(await rejectionMessage(openAndClose(folderLocation(folder)))).toMatch(
      /^The data of .* was moved to the database reeve_\d+ at 127.0.0.1:\d+ \(.*Z\): .*`reeve move --to .*data|reeve-db/,
    )
    expect(() => acquireBackupLock(folder)).toThrow('was moved to the database')
    await openAndClose(serverLocation(url))

    // A later write is moved back too.
    await queryServer(url, "update account set username = 'renamed there' where username like 'a%'")
    const back = await move(serverLocation(url), folderLocation(folder))
    expect(await readContent(createFolderQuery(folder), seeded.tables)).not.toEqual(before)
    expect(await readContent(createFolderQuery(folder), seeded.tables)).toEqual(
      await readContent(createServerQuery(url), seeded.tables),
    )
    expect(back.keptAside).toStartWith(join(folder, 'reeve.db.before-restore-'))
    expect(readdirSync(folder).filter((name) => name.includes('moving'))).toEqual([])
    const message = await rejectionMessage(openAndClose(serverLocation(url)))
    expect(message).toContain(`was moved to ${folder}`)
    expect(message).not.toContain('reeve:reeve')
    await openAndClose(folderLocation(folder))
  })

  test('from one folder to another creates an instance there', async () => {
    const [from, to] = [copySeeded(), join(scratchFolder(), 'deep/new')]
    const { keptAside } = await move(folderLocation(from), folderLocation(to))
    expect(keptAside).toBeNull()
    expect(await readContent(createFolderQuery(to), seeded.tables)).toEqual(
      await readContent(createFolderQuery(from), seeded.tables),
    )
    await openAndClose(folderLocation(to))
    expect(readdirSync(to)).toContain('instance.json')
  })
})

describe('a move that was killed', () => {
  test('resumes where it stopped, from a folder to a server', async () => {
    const folder = copySeeded()
    const url = await createDatabase('template1')
    await runKilledMove(folderLocation(folder), serverLocation(url))
    expect(await rejectionMessage(openAndClose(serverLocation(url)))).toMatch(
      /^A move from .* to the database reeve_\d+ .* is not complete. Run the same `reeve move` again/,
    )
    const first: number[] = []
    await move(folderLocation(folder), serverLocation(url), ({ phase, table, rows }) => {
      if (phase === 'copy' && table === 'audit') first.push(rows)
    })
    expect(first[0]).toBe(1000)
    expect(await readContent(createServerQuery(url), seeded.tables)).toEqual(
      await readContent(createFolderQuery(folder), seeded.tables),
    )
    await openAndClose(serverLocation(url))
  })

  test('resumes where it stopped, from a server to a folder', async () => {
    const url = await createDatabase('template1')
    await move(folderLocation(copySeeded()), serverLocation(url))
    const folder = join(scratchFolder(), 'data')
    await runKilledMove(serverLocation(url), folderLocation(folder), 2000)
    expect(hasInstance(folder)).toBe(true)
    for (const attempt of [() => acquireForRestore(folder), () => acquireBackupLock(folder)])
      expect(attempt).toThrow('is not complete. Run the same `reeve move` again')
    for (const attempt of [
      openAndClose(folderLocation(folder)),
      move(folderLocation(folder), folderLocation(scratchFolder())),
    ])
      expect(await rejectionMessage(attempt)).toContain(
        `or remove ${join(folder, 'reeve.db.moving')} to abandon it`,
      )
    const first: number[] = []
    await move(serverLocation(url), folderLocation(folder), ({ phase, table, rows }) => {
      if (phase === 'copy' && table === 'audit') first.push(rows)
    })
    expect(first[0]).toBe(2000)
    await openAndClose(folderLocation(folder))
  })

  test('in its last steps leaves neither location usable, and another run completes it', async () => {
    const folder = copySeeded()
    const url = await createDatabase('template1')
    await move(folderLocation(folder), serverLocation(url))
    await queryServer(url, 'update move set done_at = null')
    for (const location of [folderLocation(folder), serverLocation(url)])
      await rejectionMessage(openAndClose(location))
    await move(folderLocation(folder), serverLocation(url))
    await openAndClose(serverLocation(url))

    const other = join(scratchFolder(), 'data')
    await move(serverLocation(url), folderLocation(other))
    renameSync(join(other, 'reeve.db'), join(other, 'reeve.db.moving'))
    rmSync(join(other, 'instance.json'))
    for (const location of [folderLocation(other), serverLocation(url)])
      await rejectionMessage(openAndClose(location))
    await move(serverLocation(url), folderLocation(other))
    await openAndClose(folderLocation(other))
  })

  test('is not resumed from another source, or after its source was in use again', async () => {
    const [folder, other] = [copySeeded(), copySeeded()]
    const url = await createDatabase('template1')
    await runKilledMove(folderLocation(folder), serverLocation(url))
    expect(await rejectionMessage(move(folderLocation(other), serverLocation(url)))).toContain(
      `is not from ${other}`,
    )
    await runKilledMove(folderLocation(other), folderLocation(join(scratchFolder(), 'data')))
    expect(await rejectionMessage(move(folderLocation(other), serverLocation(url)))).toContain(
      `is not from ${other}`,
    )
    await openAndClose(folderLocation(folder))
    const message = await rejectionMessage(move(folderLocation(folder), serverLocation(url)))
    expect(message).toContain(
      'was in use after the move began. To start over, drop and recreate the database',
    )
    for (const location of [folder, other]) await openAndClose(folderLocation(location))
  })

  test('fails if the target was changed, and the source stays usable', async () => {
    const folder = copySeeded()
    const url = await createDatabase('template1')
    await runKilledMove(folderLocation(folder), serverLocation(url))
    await queryServer(
      url,
      "update audit set actor_name = 'somebody else' where sequence = (select min(sequence) from audit)",
    )
    const message = await rejectionMessage(move(folderLocation(folder), serverLocation(url)))
    expect(message).toMatch(/^The table audit differs: 2500 rows with the checksum [0-9a-f]{64}/)
    expect(await rejectionMessage(openAndClose(serverLocation(url)))).toContain('is not complete')
    await openAndClose(folderLocation(folder))
  })
})

test('plans for a table that was empty when it was moved use its indexes, so that they stay fast when it grows', async () => {
  const folder = copySeeded()
  const database = new Engine(join(folder, 'reeve.db'))
  database.run('delete from delivery')
  database.close()
  const url = await createDatabase('template1')
  await move(folderLocation(folder), serverLocation(url))
  const id = crypto.randomUUID()
  const plan = await queryServer<{ 'QUERY PLAN': string }>(
    url,
    `explain select id from delivery where workspace_id = '${id}' and target_id = '${id}' and done_at is null order by due_at limit 1`,
  )
  expect(plan.map((line) => line['QUERY PLAN']).join()).toContain('delivery_due')
})

test('a move that loses its connection fails, and another run resumes it', async () => {
  const folder = copySeeded()
  const url = await createDatabase('template1')
  let disconnecting: Promise<unknown> | undefined
  const message = await rejectionMessage(
    move(folderLocation(folder), serverLocation(url), ({ table, rows }) => {
      if (table !== 'audit' || rows < 1000) return
      disconnecting ??= queryServer(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'reeve'",
      )
    }),
  )
  await disconnecting
  expect(message).toMatch(/^The move failed \(.*\). Run it again to resume it.$/)
  await move(folderLocation(folder), serverLocation(url))
  await openAndClose(serverLocation(url))
})

describe('a move is rejected, and nothing is written,', () => {
  test('to a database that is not empty', async () => {
    const folder = copySeeded()
    const [instance, other] = [await createDatabase(), await createDatabase('template1')]
    await queryServer(other, 'create table holiday (id text)')
    for (const url of [instance, other]) {
      const before = await queryServer(url, 'select count(*) from pg_class')
      expect(await rejectionMessage(move(folderLocation(folder), serverLocation(url)))).toContain(
        'is not empty',
      )
      expect(await queryServer(url, 'select count(*) from pg_class')).toEqual(before)
    }
    await openAndClose(folderLocation(folder))
  })

  test('to a folder with an instance, with other files, or with an instance whose database is missing', async () => {
    const from = copySeeded()
    const [whole, lost] = [copySeeded(), copySeeded()]
    rmSync(join(lost, 'reeve.db'))
    for (const [folder, expected] of [
      [whole, 'contains an instance already'],
      [lost, 'its database reeve.db is missing'],
      [join(import.meta.dir), 'holds other files'],
    ] as const)
      expect(await rejectionMessage(move(folderLocation(from), folderLocation(folder)))).toContain(expected)
    await openAndClose(folderLocation(whole))
    expect(existsSync(join(lost, 'reeve.db.moving'))).toBe(false)
  })

  test('while another Reeve process uses either location', async () => {
    const { db, folder } = await openScratch()
    const url = await createDatabase('template1')
    expect(await rejectionMessage(move(folderLocation(folder), serverLocation(url)))).toContain(
      'Another Reeve process is using',
    )
    const from = await createDatabase()
    const { database } = await openServer(from, { now: Date.now })
    expect(await rejectionMessage(move(serverLocation(from), serverLocation(url)))).toMatch(
      /^Other Reeve processes are connected to the database reeve_\d+ at .*, from 127.0.0.1. Stop them first.$/,
    )
    await database.write(async () => {})
    await Promise.all([db.close(), database.close()])
  })

  test('to its own location', async () => {
    const [folder, url] = [copySeeded(), await createDatabase()]
    for (const location of [folderLocation(folder), serverLocation(url)])
      expect(await rejectionMessage(move(location, location))).toBe(
        'The data is there already. Choose another location.',
      )
  })

  test('from a database without an instance', async () => {
    const url = await createDatabase('template1')
    expect(
      await rejectionMessage(move(serverLocation(url), folderLocation(join(scratchFolder(), 'data')))),
    ).toContain('There is no instance in the database')
  })
})

test('a process that starts while its data is being moved fails with that reason', async () => {
  const [from, to] = [await createDatabase(), await createDatabase('template1')]
  let starting: Promise<string> | undefined
  await move(serverLocation(from), serverLocation(to), () => {
    starting ??= rejectionMessage(openAndClose(serverLocation(from)))
  })
  expect(await starting).toContain('is being moved to the database')
  await openAndClose(serverLocation(to))
})
