import type { Queries } from '../database.ts'
import { NewerSchemaError, type SchemaDifference, schemaDifference } from '../migrate.ts'
import type { Migration } from '../migration.ts'
import { Connection, openSqliteSnapshot } from './connection.ts'
import { databasePath } from './data-folder.ts'

/** How many faults of one kind are listed at the most: the first of them say what is wrong. */
const MAX_FAULTS = 20

/** A database as it is at one moment, read beside whoever is using it. Nothing is locked, changed or migrated. */
export interface Inspection {
  readonly read: Queries
  /** What the engine finds wrong with its own file, a sentence each. Reads all of it. */
  readonly integrity: () => readonly string[]
  /** Rows that refer to rows that are not there, a sentence each. */
  readonly foreignKeys: () => readonly string[]
  readonly schema: () => SchemaDifference
  /** How much it holds. Counts rows. */
  readonly rowCounts: () => RowCounts
  /** Epoch milliseconds: when the database was made, and when its newest change was written; null where it does not say. */
  readonly times: () => { readonly createdAt: number | null; readonly newestChange: number | null }
  /** What a copy of it takes, in bytes. */
  readonly bytes: () => number
  readonly close: () => void
}

/**
 * Looks whether a newer version made a database, before anything is opened that could write to it.
 * @throws NewerSchemaError
 */
export function assertSchemaNotNewer(file: string, list: readonly Migration[]): void {
  const engine = new Connection(file, { readonly: true })
  try {
    const hasMigrations = engine.query("select 1 from sqlite_master where name = 'migration'").get() !== null
    const applied = hasMigrations
      ? engine.query<{ name: string }, []>('select name from migration').all()
      : []
    const unknown = applied
      .map(({ name }) => name)
      .filter((name) => !list.some((migration) => migration.name === name))
    if (unknown.length > 0) throw new NewerSchemaError(unknown)
  } finally {
    engine.close()
  }
}

/** How many of each there are in a database, over all workspaces. */
export interface RowCounts {
  readonly workspaces: number
  readonly accounts: number
  readonly records: number
}

/**
 * Opens the database of a data folder to look at it.
 * @throws Error of the engine where the file is missing or is no database
 */
export const inspectDataFolder = (folder: string): Inspection => inspectDatabase(databasePath(folder))

/** The same for a database wherever it lies, such as a backup. */
export function inspectDatabase(file: string): Inspection {
  const { engine, read } = openSqliteSnapshot(file)
  const count = (table: string): number =>
    engine.query<{ rows: number }, []>(`select count(*) as rows from ${table}`).get()?.rows ?? 0
  const pragma = (name: string): number =>
    Number(Object.values(engine.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
  return {
    read,
    integrity: () =>
      engine
        .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MAX_FAULTS})`)
        .all()
        .map((row) => row.integrity_check)
        .filter((message) => message !== 'ok'),
    foreignKeys: () =>
      engine
        .query<{ table: string; rowid: number | null; parent: string }, []>('PRAGMA foreign_key_check')
        .all()
        .slice(0, MAX_FAULTS)
        .map((row) => `${row.table} row ${row.rowid ?? '?'} refers to a ${row.parent} that is not there`),
    schema: () =>
      schemaDifference(
        engine
          .query<{ name: string }, []>('select name from migration order by name')
          .all()
          .map((row) => row.name),
      ),
    rowCounts: () => ({
      workspaces: count('workspace'),
      accounts: count('account'),
      records: count('record'),
    }),
    times() {
      const createdAt = engine
        .query<{ at: number }, []>('select applied_at as at from migration order by name limit 1')
        .get()
      const newest = engine
        .query<{ at: number | null }, []>(
          'select max(a.at) as at from workspace_head h ' +
            'join audit a on a.workspace_id = h.workspace_id and a.sequence = h.audit_sequence',
        )
        .get()
      return { createdAt: createdAt?.at ?? null, newestChange: newest?.at ?? null }
    },
    bytes: () => (pragma('page_count') - pragma('freelist_count')) * pragma('page_size'),
    close() {
      engine.run('ROLLBACK')
      engine.close()
    },
  }
}
