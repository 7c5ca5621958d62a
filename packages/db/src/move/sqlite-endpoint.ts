import type { SQLQueryBindings } from 'bun:sqlite'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import {
  MARKER_TABLE,
  type MoveMarker,
  parseMarker,
  SELECT_MARKER,
  upsertMarkerSql,
} from '../moved-marker.ts'
import { openSqliteWriter } from '../sqlite/connection.ts'
import { sqliteTools } from '../sqlite/migration-tools.ts'
import { sqliteNameIndex } from '../sqlite/name-index.ts'
import { createKysely } from '../sqlite/statements.ts'
import { type CatalogRow, type MoveTarget, type Row, toIndexedNames, toTables } from './endpoint.ts'

/** What a source and a target of a move share on a database file. */
export interface SqliteEndpoint
  extends Pick<
    MoveTarget,
    'marker' | 'setMarker' | 'query' | 'migrate' | 'listTables' | 'insertRows' | 'close'
  > {
  /** Checkpoints the whole WAL. @throws Error of the engine where the disk fails */
  readonly checkpoint: () => void
}

/** Opens a database file. Creates it where it does not exist. */
export function openSqliteEndpoint(file: string): SqliteEndpoint {
  const engine = openSqliteWriter(file)
  const query = (sql: string, values: readonly unknown[] = []): Row[] =>
    engine.query<unknown, SQLQueryBindings[]>(sql).values(...(values as SQLQueryBindings[]))
  const kysely = createKysely(engine)
  const runAtomically = engine.transaction((work: () => void) => work())
  return {
    marker: async () =>
      query('select 1 from sqlite_master where name = $1', [MARKER_TABLE]).length === 0
        ? null
        : parseMarker(query(SELECT_MARKER)),
    async setMarker(marker: MoveMarker) {
      runAtomically.immediate(() => {
        for (const [sql, values] of upsertMarkerSql(marker)) query(sql, values)
      })
    },
    query: async (sql, values) => query(sql, values),
    async migrate(now) {
      await migrate(kysely, sqliteTools, now, migrations)
    },
    async listTables() {
      const columns = query(
        `select t.name, c.name, lower(c.type), c.pk from pragma_table_list t join pragma_table_info(t.name) c
         where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\' and t.name <> $1 order by t.name, c.cid`,
        [MARKER_TABLE],
      )
      const references = query(
        `select t.name, r."table" from sqlite_master t join pragma_foreign_key_list(t.name) r where t.type = 'table'`,
      )
      return toTables(
        columns as unknown as CatalogRow[],
        references as unknown as (readonly [string, string])[],
      )
    },
    async insertRows(table, newRows) {
      const { name, columns } = table
      const names = columns.map((column) => `"${column.name}"`).join(', ')
      const values = columns.map((_, index) => `$${index + 1}`).join(', ')
      const insert = engine.query<unknown, SQLQueryBindings[]>(
        `insert into "${name}" (${names}) values (${values})`,
      )
      runAtomically.immediate(() => {
        for (const row of newRows) insert.run(...(row as SQLQueryBindings[]))
        const names = toIndexedNames(table, newRows)
        if (names === null) return
        const { sql, parameters } = sqliteNameIndex.insertAll(names).compile(kysely)
        query(sql, parameters)
      })
    },
    checkpoint: () => engine.run('PRAGMA wal_checkpoint(TRUNCATE)'),
    close: async () => engine.close(),
  }
}
