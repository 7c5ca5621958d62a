import { type ColumnDataType, sql } from 'kysely'
import type { MigrationTools } from '../migration.ts'

export interface Reference {
  readonly columns: readonly string[]
  readonly to: string
  readonly keys: readonly string[]
  /** Deleting the row that is referred to deletes this one too. */
  readonly isDeletedTogether?: boolean
}

export interface TableOptions {
  readonly references?: readonly Reference[]
  /** The primary key is the order of the rows, where the engine can do that: for tables that are read in this order. */
  readonly isClustered?: boolean
}

/**
 * Creates a table.
 * @param columns `name type, …`, where the types are those of `dataTypes`, with `!` for not null
 * @param key the columns of the primary key
 */
export async function createTable(
  tools: MigrationTools,
  name: string,
  columns: string,
  key: readonly string[],
  { references = [], isClustered = false }: TableOptions = {},
): Promise<void> {
  const dataTypes: Readonly<Record<string, unknown>> = {
    text: tools.text,
    int: tools.integer,
    int32: tools.int32,
    blob: tools.blob,
    id: tools.id,
    id_or_text: tools.idOrText,
    hash: tools.hash,
    compact_json: tools.compactJson,
  }
  let builder = tools.db.schema.createTable(name)
  for (const column of columns.split(',')) {
    const [, columnName = '', type = '', notNull] = /^(\w+) (\w+)(!?)$/.exec(column.trim()) ?? []
    if (!Object.hasOwn(dataTypes, type)) throw new TypeError(`not a column: ${column}`)
    builder = builder.addColumn(columnName, dataTypes[type] as ColumnDataType, (c) =>
      notNull ? c.notNull() : c,
    )
  }
  builder = builder.addPrimaryKeyConstraint(`${name}_key`, key as never[])
  references.forEach(({ columns, to, keys, isDeletedTogether }, index) => {
    const constraintName = `${name}_refers_${index}`
    builder = builder.addForeignKeyConstraint(constraintName, columns as never[], to, keys as never[], (c) =>
      isDeletedTogether ? c.onDelete('cascade') : c,
    )
  })
  await (isClustered ? tools.clustered(builder) : tools.finish(builder)).execute()
}

/** Creates an index. @param options.where SQL of the rows that a partial index contains */
export async function createIndex(
  { db }: MigrationTools,
  name: string,
  on: string,
  columns: readonly string[],
  options: { readonly unique?: true; readonly where?: string } = {},
): Promise<void> {
  let builder = db.schema
    .createIndex(name)
    .on(on)
    .columns([...columns])
  if (options.unique) builder = builder.unique()
  if (options.where) builder = builder.where(sql.raw<boolean>(options.where))
  await builder.execute()
}
