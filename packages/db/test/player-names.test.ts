import { afterAll, describe, expect, test } from 'bun:test'
import { listQueryGrams } from '@reeve/core'
import {
  addPlayerName,
  copyDatabase,
  type Database,
  type DataLocation,
  databasePath,
  inspectDatabase,
  migrations,
  openDatabase,
  openDataFolder,
  openServer,
  removeSomePlayerNames,
  statement,
} from '../src/index.ts'
import { moveData } from '../src/move/move.ts'
import { createDatabase, queryServer } from './cluster.ts'
import { queryFolder, removeScratch, scratchFolder, withSecrets } from './scratch.ts'

const WORKSPACE = 'w1'

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

const insertWorkspace = `insert into workspace (id, group_name, group_key, owner_id, created_by, created_at, updated_at, version)
  values ('${WORKSPACE}', 'A', 'a', 'owner', 'owner', 0, 0, 1)`
const insertOwner = `insert into account (id, username, username_key, password_hash, is_operator, created_at, updated_at)
  values ('owner', 'owner', 'owner', '', 0, 0, 0)`
const insertRecord = (number: number, userId: string, name: string | null) =>
  `insert into record (workspace_id, id, case_number, action, user_id, user_username, user_username_key, reason, severity, evidence,
     comments, in_force, actor_kind, actor_id, created_at, updated_at, sequence, version)
   values ('${WORKSPACE}', 'r${String(number).padStart(6, '0')}', ${number}, 'note', '${userId}',
     ${name === null ? 'null, null' : `'${name}', '${name.toLowerCase()}'`}, 'Seen', 'low', '[]', '[]', 0, 'account', 'owner', 0, 0, ${number}, 1)`

/** The engines, with the SQL of a test run outside of our own code. */
const engines = [
  {
    name: 'SQLite',
    async create() {
      const folder = scratchFolder()
      return {
        location: { dataDir: folder, databaseUrl: null } as DataLocation,
        open: (list: typeof migrations) => openDataFolder(folder, Date.now, list),
        async run(sql: string) {
          const { Database: Engine } = await import('bun:sqlite')
          const engine = new Engine(databasePath(folder))
          engine.run(sql)
          engine.close()
        },
        indexNames: async () =>
          queryFolder<{ name: string }>(folder, "select name from sqlite_master where type = 'index'"),
      }
    },
  },
  {
    name: 'PostgreSQL',
    async create() {
      const url = await createDatabase('template1')
      return {
        location: { dataDir: '', databaseUrl: url } as DataLocation,
        open: (list: typeof migrations) => openServer(url, Date.now, withSecrets(list)),
        run: async (sql: string) => {
          await queryServer(url, sql)
        },
        indexNames: () =>
          queryServer<{ name: string }>(
            url,
            "select indexname as name from pg_indexes where schemaname = 'public'",
          ),
      }
    },
  },
]

afterAll(removeScratch)

for (const { name, create } of engines) {
  describe(`on ${name}, names`, () => {
    test('in the records of an earlier version are found after the migration, which replaces the index of records by name', async () => {
      const { open, run, indexNames } = await create()
      await (await open(migrations.slice(0, 4))).database.close()
      await run(insertOwner)
      await run(insertWorkspace)
      // More than a batch of the migration, with the same names in several of them.
      const rows = Array.from({ length: 2100 }, (_, index): [string, string | null] =>
        index % 3 === 0 ? ['1', null] : [String(index % 7), index < 2090 ? `Name ${index % 7}` : 'Zoë last'],
      )
      const inserts = rows.map(([userId, own], index) => insertRecord(index + 1, userId, own))
      await run(`begin; ${inserts.join(';')}; commit`)
      const { database, applied } = await open(migrations)
      expect(applied[0]).toBe('0005-player-names')
      expect(await findNames(database, 'me 5')).toEqual(['5 Name 5'])
      expect((await findNames(database, 'zoe')).length).toBe(6)
      await database.write((tx) =>
        addPlayerName(tx, { workspaceId: WORKSPACE, userId: '9', name: 'Name 5 again' }),
      )
      expect(await findNames(database, 'me 5')).toEqual(['9 Name 5 again', '5 Name 5'])
      expect((await indexNames()).map((index) => index.name)).not.toContain('record_by_name')
      await database.close()
    })

    test('are not in the index any more when they are removed', async () => {
      const { open, run } = await create()
      await (await open(migrations)).database.close()
      await run(insertOwner)
      await run(insertWorkspace)
      const { database } = await open(migrations)
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
  const [folder, server] = await Promise.all(engines.map((engine) => engine.create()))
  if (!folder || !server) throw new Error('an engine is missing')
  await (await folder.open(migrations)).database.close()
  await folder.run(insertOwner)
  await folder.run(insertWorkspace)
  const add = async (location: DataLocation, userId: string, own: string) => {
    const { database } = await openDatabase(location, Date.now)
    await database.write((tx) => addPlayerName(tx, { workspaceId: WORKSPACE, userId, name: own }))
    const found = await findNames(database, 'obi')
    await database.close()
    return found
  }
  await add(folder.location, '1', 'Robin')
  await moveData(folder.location, server.location, Date.now, () => {})
  expect(await add(server.location, '2', 'Röbin')).toEqual(['2 Röbin', '1 Robin'])
  await moveData(server.location, folder.location, Date.now, () => {})
  expect(await add(folder.location, '3', 'Robina')).toEqual(['3 Robina', '2 Röbin', '1 Robin'])

  const backup = `${scratchFolder()}/backup.db`
  await copyDatabase(databasePath(folder.location.dataDir), backup, () => {})
  const inspection = inspectDatabase(backup)
  expect(inspection.integrity()).toEqual([])
  expect(await findNames(inspection, 'obi')).toEqual(['3 Robina', '2 Röbin', '1 Robin'])
  inspection.close()
})
