import { Database as Engine } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { databasePath, NewerSchemaError, openDataFolder, openServer } from '../src/index.ts'
import { createDatabase, queryServer } from './cluster.ts'
import { openScratch, removeScratch } from './scratch.ts'

afterAll(removeScratch)

/** Makes a database look like one of a version from before 1.0.0. */
const AS_DEVELOPMENT_VERSION =
  "delete from migration where name <> '0001-schema'; update migration set name = '0001-initial'"

async function expectRejected(open: Promise<unknown>): Promise<void> {
  const error = (await open.catch((one) => one)) as Error
  expect(error).toBeInstanceOf(NewerSchemaError)
  expect(error.message).toMatch(
    /^This database was created by a development version .*; nothing was changed\.$/,
  )
}

test('a data folder of a version from before 1.0.0 is rejected and left unchanged', async () => {
  const { db, folder } = await openScratch()
  await db.close()
  const engine = new Engine(databasePath(folder))
  engine.run(AS_DEVELOPMENT_VERSION)
  engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  engine.close()
  const before = readFileSync(databasePath(folder))
  await expectRejected(openDataFolder(folder, { now: Date.now }))
  expect(readFileSync(databasePath(folder)).equals(before)).toBe(true)
})

test('a PostgreSQL database of a version from before 1.0.0 is rejected and left unchanged', async () => {
  const url = await createDatabase()
  await queryServer(url, AS_DEVELOPMENT_VERSION)
  const readTables = () => queryServer(url, 'select tablename from pg_tables order by tablename')
  const before = await readTables()
  await expectRejected(openServer(url, { now: Date.now }))
  expect(await readTables()).toEqual(before)
  expect(await queryServer(url, 'select name from migration')).toEqual([{ name: '0001-initial' }])
})
