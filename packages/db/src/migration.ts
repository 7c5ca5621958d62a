import type { ColumnDataType, CreateTableBuilder, Kysely, RawBuilder } from 'kysely'
import type { Queries } from './database.ts'
import type { NameIndex } from './statement.ts'

/** The parameter of a migration: Kysely, and what differs between engines. */
export interface MigrationTools {
  // A migration works on the tables of its time, so the current table types do not apply.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly db: Kysely<any>
  /** Text that is sorted and compared by its bytes. */
  readonly text: ColumnDataType | RawBuilder<unknown>
  readonly integer: ColumnDataType | RawBuilder<unknown>
  readonly int32: ColumnDataType | RawBuilder<unknown>
  readonly blob: ColumnDataType | RawBuilder<unknown>
  readonly id: ColumnDataType | RawBuilder<unknown>
  readonly idOrText: ColumnDataType | RawBuilder<unknown>
  readonly compactJson: ColumnDataType | RawBuilder<unknown>
  readonly hash: ColumnDataType | RawBuilder<unknown>
  /** Adds the table options of the engine. */
  readonly finish: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ) => CreateTableBuilder<T, C>
  /** Makes the primary key of a table the order of its rows, where the engine can. */
  readonly clustered: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ) => CreateTableBuilder<T, C>
  readonly nameIndex: NameIndex
}

/** A change of the schema. It runs once per database, in a transaction. */
export interface Migration {
  readonly name: string
  readonly up: (tools: MigrationTools) => Promise<void>
}

/** Runs before the schema of an existing database is changed, with queries on it. It throws to leave the database as it is. */
export type UpgradeCheck = (read: Queries) => Promise<void>

export const noUpgradeCheck: UpgradeCheck = async () => {}

/** What opening a database needs to migrate its schema. */
export interface OpenOptions {
  /** The time in epoch milliseconds. */
  readonly now: () => number
  /** By default, those of this version. */
  readonly migrations?: readonly Migration[]
  readonly beforeUpgrade?: UpgradeCheck | undefined
}

export interface ServerOpenOptions extends OpenOptions {
  /** The URL of a pooler for the same database, for reads and transactions; by default, connections are direct. */
  readonly poolerUrl?: string | null
}

/** The part of the parameter of a migration that an engine provides. */
export type EngineTools = Omit<MigrationTools, 'db'>
