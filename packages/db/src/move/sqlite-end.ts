import type { SQLQueryBindings } from 'bun:sqlite'
import { migrate, sqliteTools } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { kyselyOn, openSqliteWriter } from '../sqlite.ts'
import { type CatalogueRow, type Row, type Target, tablesOf } from './end.ts'
import { MARK_TABLE, type Mark, markIn, marking, READING } from './mark.ts'

/** What both ends of a move need of a database file. */
export interface SqliteEnd
  extends Pick<Target, 'mark' | 'setMark' | 'rows' | 'migrate' | 'tables' | 'add' | 'close'> {
  /** Makes it one file, its log folded in. @throws Error of the engine where the disk does not take it */
  readonly fold: () => void
}

/** Opens a database file, which is made where it is missing. */
export function sqliteEnd(file: string): SqliteEnd {
  const engine = openSqliteWriter(file)
  const rows = (sql: string, values: readonly unknown[] = []): Row[] =>
    engine.query<unknown, SQLQueryBindings[]>(sql).values(...(values as SQLQueryBindings[]))
  const allOrNone = engine.transaction((work: () => void) => work())
  return {
    mark: async () =>
      rows('select 1 from sqlite_master where name = $1', [MARK_TABLE]).length === 0
        ? null
        : markIn(rows(READING)),
    async setMark(mark: Mark) {
      allOrNone.immediate(() => {
        for (const [sql, values] of marking(mark)) rows(sql, values)
      })
    },
    rows: async (sql, values) => rows(sql, values),
    async migrate(now) {
      await migrate(kyselyOn(engine), sqliteTools, now, migrations)
    },
    async tables() {
      const columns = rows(
        `select t.name, c.name, lower(c.type), c.pk from sqlite_master t join pragma_table_info(t.name) c
         where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\' and t.name <> $1 order by t.name, c.cid`,
        [MARK_TABLE],
      )
      const references = rows(
        `select t.name, r."table" from sqlite_master t join pragma_foreign_key_list(t.name) r where t.type = 'table'`,
      )
      return tablesOf(
        columns as unknown as CatalogueRow[],
        references as unknown as (readonly [string, string])[],
      )
    },
    async add({ name, columns }, added) {
      const names = columns.map((column) => `"${column.name}"`).join(', ')
      const values = columns.map((_, index) => `$${index + 1}`).join(', ')
      const insert = engine.query<unknown, SQLQueryBindings[]>(
        `insert into "${name}" (${names}) values (${values})`,
      )
      allOrNone.immediate(() => {
        for (const row of added) insert.run(...(row as SQLQueryBindings[]))
      })
    },
    fold: () => engine.run('PRAGMA wal_checkpoint(TRUNCATE)'),
    close: async () => engine.close(),
  }
}
