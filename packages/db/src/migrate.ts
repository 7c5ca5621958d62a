import type { ColumnDataType, Kysely } from 'kysely'
import type { EngineTools, Migration } from './migration.ts'
import { migrations } from './migrations/index.ts'

/** The migrations that are missing in a database, and those in it that this version does not know. */
export interface SchemaDifference {
  readonly missing: readonly string[]
  readonly unknown: readonly string[]
}

/** Compares the schema of a database with that of this version. @param applied the names of its migrations */
export function schemaDifference(applied: readonly string[]): SchemaDifference {
  const known = migrations.map((migration) => migration.name)
  return {
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

/** The first migration of the versions before 1.0.0, whose schema cannot be converted. */
const DEVELOPMENT_SCHEMA = '0001-initial'

/** The database was created or migrated by another version of Reeve: a newer one, or one from before 1.0.0. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      unknown.includes(DEVELOPMENT_SCHEMA)
        ? 'This database was created by a development version of Reeve from before 1.0.0, which this version cannot read. Export ' +
            'its records as CSV with that version, and choose an empty folder or database here; nothing was changed.'
        : `This database was created by a newer Reeve (it has ${unknown.join(', ')}). ` +
            'Run that version or a later one; nothing was changed.',
    )
    this.name = 'NewerSchemaError'
  }
}

/**
 * Applies the missing migrations in the order of the list, each in its own transaction.
 * @param beforeUpgrade runs before an existing schema is changed
 * @returns the names of the applied migrations
 * @throws NewerSchemaError where the database has a migration that is not in the list
 */
export async function migrate(
  // biome-ignore lint/suspicious/noExplicitAny: the current table types do not apply to migrations
  kysely: Kysely<any>,
  tools: EngineTools,
  now: () => number,
  list: readonly Migration[] = migrations,
  beforeUpgrade: () => Promise<void> = async () => {},
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
  if (applied.size > 0 && missing.length > 0) await beforeUpgrade()
  for (const migration of missing) {
    await db.transaction().execute(async (tx) => {
      await migration.up({ db: tx, ...tools })
      await tx.insertInto('migration').values({ name: migration.name, applied_at: now() }).execute()
    })
  }
  return missing.map((migration) => migration.name)
}
