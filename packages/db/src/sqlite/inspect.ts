import type { Queries } from '../database.ts'
import { NewerSchemaError, type SchemaDifference, schemaDifference } from '../migrate.ts'
import type { Migration } from '../migration.ts'
import { Connection, openSqliteSnapshot } from './connection.ts'
import { databasePath, missingDatabaseError } from './data-folder.ts'
import { queryInThread } from './query-in-thread.ts'
import { hasContent } from './stale-files.ts'

/** The maximum number of faults listed per kind. */
const MAX_FAULTS = 20

/**
 * A read-only snapshot of a database that may be in use. Nothing is locked, changed or migrated. What takes seconds runs in a thread, and
 * sees the state of that moment.
 */
export interface Inspection {
  readonly read: Queries
  /** The faults that SQLite finds in its file, a sentence each. Reads the whole file. */
  readonly integrity: () => Promise<readonly string[]>
  /** The violated foreign keys, a sentence each. */
  readonly foreignKeys: () => Promise<readonly string[]>
  readonly schema: () => SchemaDifference
  /** Counts rows, so it takes time. */
  readonly rowCounts: () => Promise<RowCounts>
  /** When the database was created and last changed, in epoch milliseconds; null where unknown. */
  readonly times: () => { readonly createdAt: number | null; readonly newestChange: number | null }
  /** The size of a compact copy, in bytes. */
  readonly bytes: () => number
  readonly close: () => void
}

/**
 * Rejects a database of a newer version, through a read-only connection.
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

/** The number of rows in a database, over all workspaces. */
export interface RowCounts {
  readonly workspaces: number
  readonly accounts: number
  readonly records: number
}

/**
 * Opens the database of a data folder for inspection.
 * @throws DataFolderError where the file is missing or empty; Error of the engine where it is not a database
 */
export function inspectDataFolder(folder: string): Inspection {
  const database = databasePath(folder)
  if (!hasContent(database)) throw missingDatabaseError(folder)
  return inspectDatabase(database)
}

interface ForeignKeyViolation {
  readonly table: string
  readonly rowid: number | null
  readonly parent: string
}

/** Opens any database file, such as a backup, for inspection. @throws Error of the engine where it is not a database */
export function inspectDatabase(file: string): Inspection {
  const { engine, read } = openSqliteSnapshot(file)
  const count = async (table: string): Promise<number> =>
    (await queryInThread<{ rows: number }>(file, `select count(*) as rows from ${table}`))[0]?.rows ?? 0
  const pragma = (name: string): number =>
    Number(Object.values(engine.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
  return {
    read,
    async integrity() {
      const sql = `PRAGMA integrity_check(${MAX_FAULTS})`
      const rows = await queryInThread<{ integrity_check: string }>(file, sql)
      return rows.map((row) => row.integrity_check).filter((message) => message !== 'ok')
    },
    async foreignKeys() {
      const rows = await queryInThread<ForeignKeyViolation>(file, 'PRAGMA foreign_key_check')
      return rows
        .slice(0, MAX_FAULTS)
        .map((row) => `${row.table} row ${row.rowid ?? '?'} refers to a ${row.parent} that does not exist`)
    },
    schema: () =>
      schemaDifference(
        engine
          .query<{ name: string }, []>('select name from migration order by name')
          .all()
          .map((row) => row.name),
      ),
    rowCounts: async () => ({
      workspaces: await count('workspace'),
      accounts: await count('account'),
      records: await count('record'),
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
