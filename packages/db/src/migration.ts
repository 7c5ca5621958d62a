import type { ColumnDataType, CreateTableBuilder, Kysely, RawBuilder } from 'kysely'

/** What a migration may use: Kysely, and the types whose names differ between engines. */
export interface MigrationTools {
  // A migration works on tables as they were at its time, so it is not typed by the tables of today.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly db: Kysely<any>
  /** Texts sort and compare by their bytes. */
  readonly text: ColumnDataType | RawBuilder<unknown>
  readonly integer: ColumnDataType | RawBuilder<unknown>
  readonly blob: ColumnDataType | RawBuilder<unknown>
  /** Ends a table's definition as the engine wants it. */
  readonly finish: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ) => CreateTableBuilder<T, C>
}

export interface Migration {
  readonly name: string
  readonly up: (tools: MigrationTools) => Promise<void>
}
