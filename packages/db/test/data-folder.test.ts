import { Database as Engine } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  acquireBackupLock,
  DataFolderError,
  inspectDataFolder,
  NewerSchemaError,
  openDataFolder,
} from '../src/index.ts'
import { migrations } from '../src/migrations/index.ts'
import { openSourceFolder } from '../src/move/folder-endpoint.ts'
import {
  bytes,
  insertImage,
  lockFromOtherProcess,
  openScratch,
  queryFolder,
  removeScratch,
  scratchFolder,
} from './scratch.ts'

afterAll(removeScratch)

/** The files of a folder with their content, except the lock. */
const readContent = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('reeve.lock'))
    .sort()
    .map((name) => [
      name,
      statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name)).toString('hex') : '',
    ])

/** The error of opening a folder; throws if there is none. */
const openError = (folder: string): Promise<Error> =>
  openDataFolder(folder, { now: Date.now }).then(
    async ({ database }) => {
      await database.close()
      throw new Error('the folder was opened')
    },
    (error: Error) => error,
  )

const spawnHolder = (folder: string) =>
  Bun.spawn(
    [
      process.execPath,
      '-e',
      `
      import { openDataFolder } from ${JSON.stringify(join(import.meta.dir, '../src/index.ts'))}
      await openDataFolder(${JSON.stringify(folder)}, { now: Date.now }).then(() => console.log('open'), (error) => console.log(error.message))
      setInterval(() => {}, 1000)`,
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  )

async function firstLine(process: { stdout: ReadableStream<Uint8Array> }): Promise<string> {
  const reader = process.stdout.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  return new TextDecoder().decode(value).trim()
}

describe('a data folder', () => {
  test('is created where it is missing, for its owner only, and reopened with its content', async () => {
    const folder = join(scratchFolder(), 'deep/er')
    const first = await openScratch(folder)
    expect(first.applied).toEqual(migrations.map(({ name }) => name))
    for (const file of ['.', ...readdirSync(folder)]) {
      expect({ file, mode: statSync(join(folder, file)).mode & 0o077 }).toEqual({ file, mode: 0 })
    }
    await first.db.write((tx) => tx.run(insertImage, { hash: 'kept', bytes }))
    await first.db.close()
    const second = await openScratch(folder)
    expect(second.applied).toEqual([])
    expect(queryFolder(folder, 'select hash from media')).toEqual([{ hash: 'kept' }])
    await second.db.close()
  })

  test('is locked by one process: a second one is rejected with instructions', async () => {
    const folder = scratchFolder()
    const { db } = await openScratch(folder)
    const other = spawnHolder(folder)
    expect(await firstLine(other)).toMatch(
      /^Another Reeve process is using .* Stop it first, or set REEVE_DATA_DIR/,
    )
    other.kill('SIGKILL')
    const again = await openError(folder)
    expect([again instanceof DataFolderError, (again as DataFolderError).locked]).toEqual([true, true])
    await db.write((tx) => tx.run(insertImage, { hash: 'undisturbed', bytes }))
    await db.close()
  })

  test('is unlocked when the process that locked it was killed', async () => {
    const folder = scratchFolder()
    const other = spawnHolder(folder)
    expect(await firstLine(other)).toBe('open')
    expect(await openError(folder)).toBeInstanceOf(DataFolderError)
    other.kill('SIGKILL')
    await other.exited
    const { db } = await openScratch(folder)
    await db.close()
  })

  test('is opened once another program has recovered its database after a crash', async () => {
    const folder = scratchFolder()
    const { db } = await openScratch(folder)
    await db.write((tx) => tx.run(insertImage, { hash: 'kept', bytes }))
    await db.close()
    // A recovery holds this lock, which keeps readers out as well.
    await lockFromOtherProcess(folder, 300, 'readers too')
    const again = await openScratch(folder)
    expect(queryFolder(folder, 'select hash from media')).toEqual([{ hash: 'kept' }])
    await again.db.close()
  })

  test('whose database is missing gets no new one', async () => {
    const folder = scratchFolder()
    const { db } = await openScratch(folder)
    await db.close()
    rmSync(join(folder, 'reeve.db'))
    const before = readContent(folder)
    const error = await openError(folder)
    expect(error).toBeInstanceOf(DataFolderError)
    expect(error.message).toContain('reeve.db is missing. Put the file or a backup of it back')
    expect(readContent(folder)).toEqual(before)
    expect(existsSync(join(folder, 'reeve.db'))).toBe(false)
  })

  test('whose database is an empty file gets no new one, and what is left of the old one is kept', async () => {
    const folder = scratchFolder()
    const { db } = await openScratch(folder)
    await db.write((tx) => tx.run(insertImage, { hash: 'kept', bytes }))
    const wal = readFileSync(join(folder, 'reeve.db-wal'))
    await db.close()
    writeFileSync(join(folder, 'reeve.db'), '')
    writeFileSync(join(folder, 'reeve.db-wal'), wal)
    const before = readContent(folder)
    const failures = [
      await openError(folder),
      ...[inspectDataFolder, acquireBackupLock, openSourceFolder].map((open) => {
        try {
          open(folder)
        } catch (error) {
          return error as Error
        }
        throw new Error('the folder was opened')
      }),
    ]
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(DataFolderError)
      expect(failure.message).toContain('reeve.db is an empty file. Put the file or a backup of it back')
    }
    expect(readContent(folder)).toEqual(before)
  })

  test('with other files and no database is rejected, and nothing is written', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'holiday.jpg'), 'x')
    mkdirSync(join(folder, 'music'))
    const error = await openError(folder)
    expect(error).toBeInstanceOf(DataFolderError)
    expect(error.message).toContain('holiday.jpg')
    expect(readdirSync(folder).sort()).toEqual(['holiday.jpg', 'music'])
  })

  test('that is a file is rejected with a clear message', async () => {
    const file = join(scratchFolder(), 'file')
    writeFileSync(file, 'x')
    expect((await openError(file)).message).toContain('is not a folder')
    expect(readFileSync(file, 'utf8')).toBe('x')
  })

  test('whose database is not a database is rejected and left unchanged', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'reeve.db'), 'this is not a database, however long it is '.repeat(100))
    const before = readContent(folder)
    expect((await openError(folder)).message).toContain('not a database')
    expect(readContent(folder)).toEqual(before)
    expect(await openError(folder)).not.toBeInstanceOf(DataFolderError)
  })
})

test('a database of a newer version is rejected and left unchanged', async () => {
  const folder = scratchFolder()
  const { db } = await openScratch(folder)
  await db.close()
  const engine = new Engine(join(folder, 'reeve.db'))
  engine.run("insert into migration (name, applied_at) values ('9999-future', 0)")
  engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  engine.close()
  const schema = queryFolder(folder, 'select name, sql from sqlite_master order by name')
  const error = await openError(folder)
  expect(error).toBeInstanceOf(NewerSchemaError)
  expect(error.message).toContain('9999-future')
  expect(queryFolder(folder, 'select name, sql from sqlite_master order by name')).toEqual(schema)
  // The folder is not locked either.
  expect(await openError(folder)).toBeInstanceOf(NewerSchemaError)
})
