import { afterAll, describe, expect, test } from 'bun:test'
import { listQueryGrams } from '@reeve/core'
import {
  addPlayerName,
  copyDatabase,
  type Database,
  type DataLocation,
  databasePath,
  inspectDatabase,
  openDatabase,
  removeSomePlayerNames,
  statement,
} from '../src/index.ts'
import { moveData } from '../src/move/move.ts'
import { createDatabase } from './cluster.ts'
import { removeScratch, scratchFolder, testId } from './scratch.ts'

const WORKSPACE = testId(1)

const namesWith = statement<{
  workspaceId: string
  grams: readonly number[]
  before: number
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom('player_name')
    .select(['user_id', 'name'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.nameIndex.contains(p))
    .orderBy('id', 'desc'),
)
/** The names with the characters of a text, which has no accents and is in lower case. */
const findNames = async ({ read }: Pick<Database, 'read'>, text: string): Promise<string[]> => {
  const grams = listQueryGrams(WORKSPACE, 1, text, 'substring') ?? []
  const rows = await read.all(namesWith, { workspaceId: WORKSPACE, grams, before: 1000, limit: 100 })
  return rows.map(({ user_id, name }) => `${user_id} ${name}`)
}

const insertOwner = statement<{ id: string }>()((sql, p) =>
  sql.insertInto('account').values({
    id: p.id,
    username: 'owner',
    username_key: 'owner',
    username_skeleton: 'owner',
    is_operator: 0,
    created_at: 0,
    updated_at: 0,
  }),
)
const insertWorkspace = statement<{ id: string; ownerId: string }>()((sql, p) =>
  sql.insertInto('workspace').values({
    id: p.id,
    group_name: 'A',
    group_key: 'a',
    owner_id: p.ownerId,
    created_by: p.ownerId,
    created_at: 0,
    updated_at: 0,
    version: 1,
  }),
)

/** Opens a location with a workspace. */
async function openWithWorkspace(location: DataLocation): Promise<Database> {
  const { database } = await openDatabase(location, { now: Date.now })
  const ownerId = testId(2)
  await database.write(async (tx) => {
    await tx.run(insertOwner, { id: ownerId })
    await tx.run(insertWorkspace, { id: WORKSPACE, ownerId })
  })
  return database
}

/** The locations of new databases. */
const locations: readonly { readonly name: string; readonly create: () => Promise<DataLocation> }[] = [
  { name: 'SQLite', create: async () => ({ dataDir: scratchFolder(), databaseUrl: null }) },
  {
    name: 'PostgreSQL',
    create: async () => ({ dataDir: '', databaseUrl: await createDatabase('template1') }),
  },
]

afterAll(removeScratch)

for (const { name, create } of locations) {
  describe(`on ${name}, names`, () => {
    test('are not in the index any more when they are removed', async () => {
      const database = await openWithWorkspace(await create())
      const add = (userId: string, own: string) =>
        database.write((tx) => addPlayerName(tx, { workspaceId: WORKSPACE, userId, name: own }))
      for (const userId of ['1', '2', '3']) await add(userId, 'Robin')
      expect(await findNames(database, 'obin')).toEqual(['3 Robin', '2 Robin', '1 Robin'])
      expect(await database.write((tx) => removeSomePlayerNames(tx, WORKSPACE))).toBe(false)
      expect(await findNames(database, 'obin')).toEqual([])
      await add('4', 'Batman')
      expect(await findNames(database, 'obin')).toEqual([])
      expect(await findNames(database, 'tman')).toEqual(['4 Batman'])
      await database.close()
    })
  })
}

test('names are found after a move to the other engine and back, and in a backup', async () => {
  const [folder, server] = await Promise.all(locations.map((location) => location.create()))
  if (!folder || !server) throw new Error('an engine is missing')
  await (await openWithWorkspace(folder)).close()
  const add = async (location: DataLocation, userId: string, own: string) => {
    const { database } = await openDatabase(location, { now: Date.now })
    await database.write((tx) => addPlayerName(tx, { workspaceId: WORKSPACE, userId, name: own }))
    const found = await findNames(database, 'obi')
    await database.close()
    return found
  }
  await add(folder, '1', 'Robin')
  await moveData(folder, server, Date.now, () => {})
  expect(await add(server, '2', 'Röbin')).toEqual(['2 Röbin', '1 Robin'])
  await moveData(server, folder, Date.now, () => {})
  expect(await add(folder, '3', 'Robina')).toEqual(['3 Robina', '2 Röbin', '1 Robin'])

  const backup = `${scratchFolder()}/backup.db`
  await copyDatabase(databasePath(folder.dataDir), backup, () => {})
  const inspection = inspectDatabase(backup)
  expect(await inspection.integrity()).toEqual([])
  expect(await findNames(inspection, 'obi')).toEqual(['3 Robina', '2 Röbin', '1 Robin'])
  inspection.close()
})
