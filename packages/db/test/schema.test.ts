import { Database as Engine } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isTextEncodedType } from '../src/column-encoding.ts'
import { migrate } from '../src/migrate.ts'
import type { Migration } from '../src/migration.ts'
import { sqliteTools } from '../src/sqlite/migration-tools.ts'
import { createKysely } from '../src/sqlite/statements.ts'
import type { ColumnType } from '../src/tables/column.ts'
import { tables as columnLists } from '../src/tables/index.ts'
import { createDatabase, queryServer } from './cluster.ts'
import { idLiteral, openScratch, removeScratch, testId } from './scratch.ts'

/** Tables that belong to the instance, not to a workspace. */
const INSTANCE_TABLES = [
  'account',
  'account_identity',
  'deleted_workspace',
  'evidence_object',
  'instance_secret',
  'job',
  'known_device',
  'mail',
  'media',
  'migration',
  'one_time_token',
  'passkey',
  'recovery_code',
  'session',
  'sign_in_attempt',
  'totp',
  'unused_image',
  'workspace',
  'workspace_report',
]

let engine: Engine
let tables: { name: string; sql: string }[]

beforeAll(async () => {
  const { db, folder } = await openScratch()
  await db.close()
  engine = new Engine(join(folder, 'reeve.db'))
  tables = engine
    .query<{ name: string; sql: string }, []>(
      "select name, sql from sqlite_master where type = 'table' and name not like 'player_name_gram%' order by name",
    )
    .all()
})
afterAll(() => {
  engine.close()
  removeScratch()
})

const listColumns = (kind: 'table' | 'index', name: string) =>
  engine.query<{ name: string; pk: number; seqno: number }, []>(`PRAGMA ${kind}_info("${name}")`).all()

describe('every table', () => {
  test('is strict: column types are enforced', () => {
    expect(tables.length).toBeGreaterThan(15)
    expect(
      tables.filter(({ sql }) => !/\)\s*(without rowid, )?strict$/i.test(sql)).map(({ name }) => name),
    ).toEqual([])
    expect(() =>
      engine.run("insert into media values ('h', 'png', 'image/png', x'00', 'not a number', null)"),
    ).toThrow('cannot store TEXT value in INTEGER column')
  })

  test('of a workspace has workspace_id first in its key and in every unique index', () => {
    const tenants = tables.filter(({ name }) => !INSTANCE_TABLES.includes(name))
    expect(tenants.length).toBeGreaterThan(10)
    for (const { name } of tenants) {
      const key = listColumns('table', name)
        .filter(({ pk }) => pk > 0)
        .sort((one, other) => one.pk - other.pk)
      expect([name, key[0]?.name]).toEqual([name, 'workspace_id'])
      const unique = engine
        .query<{ name: string; unique: number }, []>(`PRAGMA index_list("${name}")`)
        .all()
        .filter((index) => index.unique === 1)
      for (const index of unique) {
        expect([index.name, listColumns('index', index.name)[0]?.name]).toEqual([index.name, 'workspace_id'])
      }
    }
  })

  test('of the instance has no workspace_id, which marks tenant tables', () => {
    for (const name of INSTANCE_TABLES) {
      expect(listColumns('table', name).map((column) => column.name)).not.toContain('workspace_id')
    }
  })
})

/** How SQLite stores a column. */
function toSqliteType(type: ColumnType): string {
  if (type === 'word') return 'text'
  if (type === 'int32') return 'integer'
  return isTextEncodedType(type) ? 'blob' : type
}

test('the column list of every table has the names, types and nullability of the database', () => {
  const listed = Object.entries(columnLists).map(([table, columns]) => ({
    table,
    columns: Object.entries(columns)
      .map(([name, { type, isNullable }]) => `${name} ${toSqliteType(type)}${isNullable ? '' : '!'}`)
      .sort(),
  }))
  const created = tables
    .filter(({ name }) => name !== 'migration')
    .map(({ name: table }) => ({
      table,
      columns: engine
        .query<{ name: string; type: string; notnull: number }, []>(`PRAGMA table_info("${table}")`)
        .all()
        .map(({ name, type, notnull }) => `${name} ${type.toLowerCase()}${notnull === 1 ? '!' : ''}`)
        .sort(),
    }))
  expect(listed).toEqual(created)
})

describe('on PostgreSQL, every table', () => {
  let url: string
  beforeAll(async () => {
    url = await createDatabase()
  })

  test('has the same columns as on SQLite', async () => {
    const postgresColumns = await queryServer<{ table: string; column: string }>(
      url,
      `select table_name as "table", column_name as "column" from information_schema.columns
       where table_schema = 'public' and table_name <> 'player_name_gram'
       order by table_name, ordinal_position`,
    )
    const sqliteColumns = tables.flatMap(({ name: table }) =>
      listColumns('table', table).map(({ name: column }) => ({ table, column })),
    )
    expect(postgresColumns).toEqual(sqliteColumns)
  })

  test('of a workspace has workspace_id first in its key and in every unique index, so that it can be sharded by it', async () => {
    const keys = await queryServer<{ table: string; index: string; first: string }>(
      url,
      `select t.relname as "table", i.relname as index, attribute.attname as first
       from pg_index join pg_class t on t.oid = indrelid join pg_class i on i.oid = indexrelid
       join pg_attribute attribute on attribute.attrelid = indrelid and attribute.attnum = indkey[0]
       where indisunique and t.relnamespace = 'public'::regnamespace`,
    )
    const tenantKeys = keys.filter(({ table }) => !INSTANCE_TABLES.includes(table))
    expect(new Set(tenantKeys.map(({ table }) => table)).size).toBe(tables.length - INSTANCE_TABLES.length)
    expect(tenantKeys.filter(({ first }) => first !== 'workspace_id')).toEqual([])
  })

  test('of a workspace refers to others within the workspace, so that both are on the same shard', async () => {
    const references = await queryServer<{ table: string; to: string; columns: string[] }>(
      url,
      `select conrelid::regclass::text as "table", confrelid::regclass::text as "to",
         (select array_agg(attname::text) from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
       from pg_constraint where contype = 'f'`,
    )
    const tenantReferences = references.filter(
      ({ table, to }) => !INSTANCE_TABLES.includes(table) && !INSTANCE_TABLES.includes(to),
    )
    expect(tenantReferences.length).toBeGreaterThan(5)
    expect(tenantReferences.filter(({ columns }) => !columns.includes('workspace_id'))).toEqual([])
  })
})

test('a unique index prevents two bans in force on one player', () => {
  const workspaceId = idLiteral('SQLite', testId(1))
  const insert = (number: number, caseNumber: number, inForce: number) =>
    engine.run(
      `insert into record (workspace_id, id, case_number, action, user_id, severity, evidence, evidence_count, comments,
         comment_count, evidence_files, evidence_file_count, in_force, actor_kind, actor_id, created_at, updated_at, sequence, version)
       values (${workspaceId}, ${idLiteral('SQLite', testId(number))}, ${caseNumber}, 'ban', '261', 'high', '[]', 0, '[]', 0, '[]', 0, ${inForce},
         'api_key', x'ff', 0, 0, 1, 1)`,
    )
  engine.run(
    `insert into account (id, username, username_key, username_skeleton, is_operator, created_at, updated_at)
     values (${workspaceId}, 'a', 'a', 'a', 0, 0, 0)`,
  )
  engine.run(
    `insert into workspace (id, group_name, group_key, owner_id, created_by, created_at, updated_at, version)
     values (${workspaceId}, 'w', 'w', ${workspaceId}, x'ff', 0, 0, 1)`,
  )
  insert(1, 1, 1)
  insert(2, 2, 0)
  expect(() => insert(3, 3, 1)).toThrow('UNIQUE')
  expect(() => insert(4, 2, 0)).toThrow('UNIQUE')
})

describe('migrations', () => {
  const first: Migration = {
    name: '0001-first',
    up: async ({ db, finish }) => {
      await finish(db.schema.createTable('one')).addColumn('id', 'text').execute()
    },
  }
  const broken: Migration = {
    name: '0002-broken',
    up: async ({ db, finish }) => {
      await finish(db.schema.createTable('two')).addColumn('id', 'text').execute()
      await db.insertInto('one').values({ id: 'half' }).execute()
      throw new Error('the power went')
    },
  }
  const listTables = (file: Engine) =>
    file
      .query<{ name: string }, []>("select name from sqlite_master where type = 'table' order by name")
      .all()
      .map(({ name }) => name)

  test('are applied once each, in order; a failed one is rolled back', async () => {
    const file = new Engine(':memory:')
    const up = (list: readonly Migration[]) => migrate(createKysely(file), sqliteTools, () => 0, list)
    expect(await up([first])).toEqual(['0001-first'])
    expect(await up([first])).toEqual([])
    await expect(up([first, broken])).rejects.toThrow('the power went')
    expect(listTables(file)).toEqual(['migration', 'one'])
    expect(file.query('select * from one').all()).toEqual([])
    expect(await up([first, { ...broken, up: async () => {} }])).toEqual(['0002-broken'])
    file.close()
  })
})
