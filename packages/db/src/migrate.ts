import { type ColumnDataType, type Kysely, sql } from 'kysely'
import type { Migration, MigrationTools } from './migration.ts'
import { migrations } from './migrations/index.ts'

export type EngineTools = Omit<MigrationTools, 'db'>

/** SQLite: strict tables, so that a column holds what it says. */
export const sqliteTools: EngineTools = {
  text: 'text',
  integer: 'integer',
  blob: 'blob',
  finish: (table) => table.modifyEnd(sql`strict`),
}

/** PostgreSQL: the order of texts is said of each column, whatever a database was made with. */
export const postgresTools: EngineTools = {
  text: sql`text collate "C"`,
  integer: 'bigint',
  blob: 'bytea',
  finish: (table) => table,
}

/** Migrations that this version has and a database has not, and the other way round. */
export interface SchemaDifference {
  readonly missing: readonly string[]
  readonly unknown: readonly string[]
}

/** @param applied the names of the migrations that a database has */
export function schemaDifference(applied: readonly string[]): SchemaDifference {
  const known = migrations.map((migration) => migration.name)
  return {
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

/** The database was made by a newer Reeve than this one. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `This database was made by a newer Reeve (it has ${unknown.join(', ')}). ` +
        'Run that version or a later one; nothing was changed.',
    )
    this.name = 'NewerSchemaError'
  }
}

/**
 * Brings the schema up to date: each missing migration in a transaction of its own, in the order of the list.
 * @returns the names of those applied
 * @throws NewerSchemaError where the database holds a migration that this version does not know
 */
export async function migrate(
  // biome-ignore lint/suspicious/noExplicitAny: migrations see tables as they were, not as they are typed today
  kysely: Kysely<any>,
  tools: EngineTools,
  now: () => number,
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  const db: Kysely<{ migration: { name: string; applied_at: number } }> = kysely
  await tools
    .finish(db.schema.createTable('migration').ifNotExists())
    .addColumn('name', tools.text as ColumnDataType, (column) => column.primaryKey().notNull())
    .addColumn('applied_at', tools.integer as ColumnDataType, (column) => column.notNull())
    .execute()
  const applied = new Set((await db.selectFrom('migration').select('name').execute()).map((row) => row.name))
  const unknown = [...applied].filter((name) => !list.some((migration) => migration.name === name))
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
  const missing = list.filter((migration) => !applied.has(migration.name))
  for (const migration of missing) {
    await db.transaction().execute(async (tx) => {
      await migration.up({ db: tx, ...tools })
      await tx.insertInto('migration').values({ name: migration.name, applied_at: now() }).execute()
    })
  }
  return missing.map((migration) => migration.name)
}
