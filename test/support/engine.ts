import { Database } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataLocation, decodeCompactJson, decodeWord, openDataFolder } from '@reeve/db'

const DATABASE_FILE = 'reeve.db'

/** Whether instances use PostgreSQL: `REEVE_TEST_ENGINE=postgres bun test contract`. */
export const usePostgres = process.env.REEVE_TEST_ENGINE === 'postgres'

export type EngineName = 'SQLite' | 'PostgreSQL'

/** The default engine of this run. */
export const defaultEngine: EngineName = usePostgres ? 'PostgreSQL' : 'SQLite'

interface DatabaseQueries {
  /** Runs plain SQL, without our database layer. Ids and hashes in the result are text. */
  readonly query: <Row>(sql: string) => Promise<Row[]>
  /** Runs several queries in plain SQL at a time, which is faster. */
  readonly queryEach: <Row>(sqls: readonly string[]) => Promise<Row[][]>
  /** Every column of every table, in order. */
  readonly listColumns: () => Promise<{ table: string; column: string }[]>
}

/** Creates storage for an instance. */
export interface TestStorage extends DataLocation, DatabaseQueries {
  readonly remove: () => Promise<void>
}

/** The id of a row as a literal in plain SQL. */
export const idLiteral = (id: string, engine = defaultEngine): string =>
  engine === 'PostgreSQL' ? `'${id}'` : `x'${id.replaceAll('-', '')}'`

/** The id of a row as a literal in plain SQL, where the column contains texts too. */
export const idOrTextLiteral = (id: string): string =>
  usePostgres ? `'\\x${id.replaceAll('-', '')}'` : idLiteral(id)

/** Texts in a column of ids are stored after this byte. */
const TEXT_MARK = 0xff

/** Converts the bytes of ids, hashes and texts among them. Those of images and archives are longer. */
function toReadable(value: unknown): unknown {
  if (typeof value === 'string') return decodeWord(value)
  if (!(value instanceof Uint8Array)) return value
  const hex = value.toHex()
  if (value.length === 16) return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  if (value.length === 32) return hex
  return value[0] === TEXT_MARK ? new TextDecoder().decode(value.subarray(1)) : value
}

const toReadableRow = <Row>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row as object).map(([name, value]) => [
      name,
      name === 'changes' && value instanceof Uint8Array ? decodeCompactJson(value) : toReadable(value),
    ]),
  ) as Row

/** @param template database to copy: one with an empty instance, or an empty one */
export async function createTestStorage(
  engine = defaultEngine,
  template: 'instance' | 'template1' = 'instance',
): Promise<TestStorage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'reeve-test-'))
  const { drop: dropDatabase, ...storage } = await (engine === 'PostgreSQL'
    ? createPostgresStorage(template)
    : createSqliteStorage(dataDir, template))
  return {
    ...storage,
    dataDir,
    async remove() {
      await dropDatabase()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let emptyInstance: Promise<Uint8Array> | undefined

/** Creates an empty instance for all SQLite storage of this process. @returns its database */
async function createEmptyInstance(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-test-'))
  const { database } = await openDataFolder(folder, { now: Date.now })
  await database.close()
  const bytes = readFileSync(join(folder, DATABASE_FILE))
  rmSync(folder, { recursive: true })
  return bytes
}

/** Copies an empty instance into a data folder, which takes less time than creating it there. */
export async function copyEmptyInstance(dataDir: string): Promise<void> {
  emptyInstance ??= createEmptyInstance()
  writeFileSync(join(dataDir, DATABASE_FILE), await emptyInstance, { mode: 0o600 })
}

async function createSqliteStorage(dataDir: string, template: 'instance' | 'template1') {
  if (template === 'instance') await copyEmptyInstance(dataDir)
  const queryEach = async <Row>(sqls: readonly string[]): Promise<Row[][]> => {
    const engine = new Database(join(dataDir, DATABASE_FILE))
    try {
      engine.run('PRAGMA busy_timeout = 5000')
      return sqls.map((sql) => engine.query<Row, []>(sql).all().map(toReadableRow))
    } finally {
      engine.close()
    }
  }
  const query = async <Row>(sql: string): Promise<Row[]> => (await queryEach<Row>([sql])).flat()
  const listColumns: DatabaseQueries['listColumns'] = () =>
    query(
      `select tables.name as "table", columns.name as "column"
       from pragma_table_list tables join pragma_table_info(tables.name) columns
       where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite_%' order by tables.name, columns.cid`,
    )
  return { databaseUrl: null, query, queryEach, listColumns, drop: async () => {} }
}

async function createPostgresStorage(template: 'instance' | 'template1') {
  // Imported here, so that a run on SQLite needs no server.
  const { connectTo, dropDatabase, createDatabase } = await import('@reeve/db/test-cluster')
  const databaseUrl = await createDatabase(template)
  let connection: ReturnType<typeof connectTo> | undefined
  const connect = () => {
    connection ??= connectTo(databaseUrl)
    return connection
  }
  const query = async <Row>(sql: string): Promise<Row[]> => (await connect()).query<Row>(sql)
  const listColumns: DatabaseQueries['listColumns'] = () =>
    query(
      `select table_name as "table", column_name as "column" from information_schema.columns
       where table_schema = 'public' and table_name <> 'player_name_gram' order by table_name, ordinal_position`,
    )
  const drop = async () => {
    await (await connection)?.close()
    await dropDatabase(databaseUrl)
  }
  const queryReadable: DatabaseQueries['query'] = async <Row>(sql: string) =>
    (await query<Row>(sql)).map(toReadableRow)
  const queryEach = async <Row>(sqls: readonly string[]): Promise<Row[][]> =>
    (await (await connect()).queryEach<Row>(sqls)).map((rows) => rows.map(toReadableRow))
  return { databaseUrl, query: queryReadable, queryEach, listColumns, drop }
}
