import type { Compilable, InsertQueryBuilder, InsertResult, UpdateResult } from 'kysely'
import type { Sql } from './statement.ts'
import { type Tables, tables } from './tables/index.ts'

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

/** The columns of a `where`, in this order. */
type Key<Table extends keyof Tables> = readonly [Column<Table>, ...Column<Table>[]]

// Kysely's own types make a nullable column optional in `values` and every column optional in `set`, so that a forgotten
// one compiles and stores null. Here the values are typed as the row, and the names come from the table's column list.
const columnNames = (table: keyof Tables): string[] => Object.keys(tables[table])

/** Reads each column by its name, because the parameters of `build` are a Proxy that cannot be enumerated. */
const pick = (columns: readonly string[], values: object): never =>
  Object.fromEntries(columns.map((column) => [column, values[column as never]])) as never

/** The columns of a table without some, for queries that need not read large ones. */
export const columnsExcept = <Table extends keyof Tables, const Except extends Column<Table>>(
  table: Table,
  ...except: readonly Except[]
) =>
  columnNames(table).filter((column) => !except.includes(column as Except)) as Exclude<
    Column<Table>,
    Except
  >[]

/** The columns of a table that can be null. */
export const nullableColumns = (table: keyof Tables): string[] =>
  Object.entries(tables[table]).flatMap(([name, { isNullable }]) => (isNullable ? [name] : []))

/**
 * An insert of every column of a table.
 * @param values the row; a column that is missing does not compile
 */
export const insertAll = <Table extends keyof Tables>(
  sql: Sql,
  table: Table,
  values: Tables[Table],
): InsertQueryBuilder<Tables, Table, InsertResult> =>
  sql.insertInto(table).values(pick(columnNames(table), values))

/**
 * An update of every column of a table but those of `key` and `except`.
 * @param values the row; only the columns of `except` may be missing
 * @example
 * updateAll(sql, 'role', p, { key: ['workspace_id', 'id'], except: ['is_owner', 'created_at'] })
 */
export function updateAll<Table extends keyof Tables, const Except extends readonly Column<Table>[]>(
  sql: Sql,
  table: Table,
  values: Omit<Tables[Table], Except[number]>,
  { key, except }: { readonly key: Key<Table>; readonly except: Except },
): Compilable<UpdateResult> {
  const unchanged: ReadonlySet<string> = new Set([...key, ...except])
  const updated = columnNames(table).filter((column) => !unchanged.has(column))
  // Kysely cannot type this for a generic table, so it gets the types of one table.
  const query = sql.updateTable(table as 'record').set(pick(updated, values))
  return key.reduce((update, column) => update.where(column as 'id', '=', values[column as never]), query)
}

/** The columns that an update sets even if nothing else changes. */
const UPDATE_COLUMNS: ReadonlySet<string> = new Set(['updated_at', 'version', 'sequence'])

/** Whether two versions of a row are the same, apart from the time and the number of the update. */
export const isSameRow = <Row extends object>(before: Row, after: Row): boolean =>
  (Object.keys(after) as (keyof Row & string)[]).every(
    (column) => UPDATE_COLUMNS.has(column) || after[column] === before[column],
  )

/** An insert of every column of a table that, where a row has this key, replaces its other columns. */
export const upsertAll = <Table extends keyof Tables>(
  sql: Sql,
  table: Table,
  values: Tables[Table],
  key: Key<Table>,
): Compilable<InsertResult> => {
  const unchanged: ReadonlySet<string> = new Set(key)
  const replaced = columnNames(table).filter((column) => !unchanged.has(column))
  return sql
    .insertInto(table as 'record')
    .values(pick(columnNames(table), values))
    .onConflict((conflict) =>
      conflict
        .columns(key as never)
        .doUpdateSet((eb) =>
          Object.fromEntries(
            replaced.map((column) => [column, eb.ref(`excluded.${column}` as 'excluded.id')]),
          ),
        ),
    )
}
