import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type DataLocation, limitRestoredAccess, openDatabase } from '../src/index.ts'
import { moveData } from '../src/move/move.ts'
import { createDatabase } from './cluster.ts'
import { removeScratch, scratchFolder } from './scratch.ts'

afterAll(removeScratch)

async function readHistoryId(location: DataLocation): Promise<string> {
  const { database } = await openDatabase(location, { now: Date.now })
  try {
    return await database.readHistoryId()
  } finally {
    await database.close()
  }
}

const folderLocation = (dataDir: string): DataLocation => ({ dataDir, databaseUrl: null })
const serverLocation = (databaseUrl: string): DataLocation => ({ dataDir: '', databaseUrl })

test('a history has the same id after a restart, and another one after a restore', async () => {
  const location = folderLocation(scratchFolder())
  const id = await readHistoryId(location)
  expect(await readHistoryId(location)).toBe(id)
  limitRestoredAccess(join(location.dataDir, 'reeve.db'), null, Date.now())
  const restoredId = await readHistoryId(location)
  expect(restoredId).not.toBe(id)
  expect(await readHistoryId(location)).toBe(restoredId)
})

test('a copy of a database on the same server, as from a dump, has another history', async () => {
  const [one, copy] = [await createDatabase(), await createDatabase()]
  const id = await readHistoryId(serverLocation(one))
  expect(await readHistoryId(serverLocation(one))).toBe(id)
  expect(await readHistoryId(serverLocation(copy))).not.toBe(id)
})

test('every move begins another history, also the way back', async () => {
  const folder = folderLocation(scratchFolder())
  const server = serverLocation(await createDatabase('template1'))
  const ids = [await readHistoryId(folder)]
  await moveData(folder, server, Date.now, () => {})
  ids.push(await readHistoryId(server))
  await moveData(server, folder, Date.now, () => {})
  ids.push(await readHistoryId(folder))
  expect(new Set(ids).size).toBe(3)
})
