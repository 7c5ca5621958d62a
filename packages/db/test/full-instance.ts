import { Database as Engine } from 'bun:sqlite'
import { join } from 'node:path'
import { encodeCompactJson } from '../src/compact-json.ts'
import { tables } from '../src/tables/index.ts'
import { queryServer } from './cluster.ts'
import { openScratch, queryFolder } from './scratch.ts'

/** Texts whose order depends on the collation, and whose bytes depend on the encoding. */
const SAMPLE_TEXTS = [
  'a',
  'B',
  'Zoë',
  'ß',
  '😀',
  '~',
  '10',
  '9',
  ' space',
  "it's",
  '"quoted"',
  '\\back',
  'ｗｉｄｅ',
  '{}',
  '\n',
]

/** More than a page of a move. */
export const AUDIT_ROWS = 2500
const OTHER_ROWS = 30

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
}

/**
 * Inserts rows into every table of an instance. All texts and all ids of a row number have the same value, so that foreign keys
 * refer to the row with the same number.
 * @returns the names of the tables
 */
export async function seedEveryTable(): Promise<{ folder: string; tables: string[] }> {
  const { db, folder } = await openScratch()
  await db.close()
  const engine = new Engine(join(folder, 'reeve.db'))
  const names = listTables(folder)
  engine.run('BEGIN')
  for (const table of names.filter((name) => name !== 'migration')) {
    const columns = engine.query<Column, []>(`PRAGMA table_info("${table}")`).all()
    const insert = engine.prepare(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`)
    for (let row = 0; row < (table === 'audit' ? AUDIT_ROWS : OTHER_ROWS); row++)
      insert.run(...columns.map((column, index) => valueFor(table, column, row, index)))
  }
  engine.run('COMMIT')
  const violations = engine.query('PRAGMA foreign_key_check').all()
  engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  engine.close()
  if (violations.length > 0) throw new Error(`a foreign key is violated: ${JSON.stringify(violations[0])}`)
  return { folder, tables: names }
}

/** Half of the columns for ids or texts contain an id. */
const idOrText = (row: number, index: number): Uint8Array =>
  (row + index) % 2 === 0
    ? idBytes(row)
    : Buffer.from(`\xff${SAMPLE_TEXTS[row % SAMPLE_TEXTS.length]}`, 'latin1')

const idBytes = (row: number): Uint8Array => new Uint8Array(16).fill(row % 256).fill(row >> 8, 0, 1)

function valueFor(table: string, { name, type, notnull }: Column, row: number, index: number) {
  if (notnull === 0 && (row + index) % 3 === 0) return null
  const columns: Record<string, { type: string }> = tables[table as keyof typeof tables] ?? {}
  const columnType = columns[name]?.type
  if (columnType === 'id') return idBytes(row)
  if (columnType === 'id_or_text') return idOrText(row, index)
  if (columnType === 'compact_json') return encodeCompactJson(`{"before":null,"after":{"name":"${row}"}}`)
  if (columnType === 'hash') return new Uint8Array(32).fill(row)
  if (columnType === 'int32') return (row - 3) * 500_000
  if (type === 'INTEGER') return (row - 3) * 3_000_000_000_000
  if (type === 'TEXT') return `${SAMPLE_TEXTS[row % SAMPLE_TEXTS.length]}${row}`
  return row === 7
    ? crypto.getRandomValues(new Uint8Array(2 ** 21)).map((byte, offset) => (offset < 2 ** 16 ? byte : 0))
    : Uint8Array.from({ length: 256 }, (_, byte) => byte ^ row)
}

/** The tables of a folder's database, without the marker table of a move. */
export const listTables = (folder: string): string[] =>
  queryFolder<{ name: string }>(
    folder,
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name <> 'move' and name not like 'sqlite_%' order by name",
  ).map(({ name }) => name)

/** Queries a location without our own code. */
export type Query = <Row>(sql: string) => Promise<Row[]>
export const createFolderQuery =
  (folder: string): Query =>
  async (sql) =>
    queryFolder(folder, sql)
export const createServerQuery =
  (url: string): Query =>
  (sql) =>
    queryServer(url, sql)

/** The content of tables, in an order that does not depend on the engine. */
export async function readContent(query: Query, tables: readonly string[]): Promise<Map<string, string[]>> {
  const content = new Map<string, string[]>()
  for (const table of tables) {
    const rows = await query<Record<string, unknown>>(`select * from "${table}"`)
    const lines = rows.map((row) =>
      JSON.stringify(row, (_, value) =>
        value instanceof Uint8Array ? toComparable(value) : (value as unknown),
      ),
    )
    content.set(table, lines.sort())
  }
  return content
}

/** PostgreSQL returns ids as text. */
function toComparable(bytes: Uint8Array): string {
  if (bytes.length !== 16) return Bun.hash(bytes).toString()
  const hex = bytes.toHex()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
