import { existsSync } from 'node:fs'
import type { Database } from './database.ts'
import { type Migration, migrate, sqliteTools } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import type { ServerInspection } from './postgres/inspect.ts'
import { acquireDataFolder } from './sqlite/data-folder.ts'
import { createKysely, openSqliteWriter, sqliteDatabase } from './sqlite/database.ts'
import { assertSchemaNotNewer } from './sqlite/inspect.ts'
import { clearUnfinishedMove } from './sqlite/moved-marker.ts'

/** Where the data of an instance lies: in a database of PostgreSQL where one is named, else in a folder. */
export interface DataLocation {
  readonly dataDir: string
  /** Such as `postgres://user:password@host:5432/name`. */
  readonly databaseUrl: string | null
  /** The same database by way of a pooler that lends connections for single transactions. */
  readonly poolerUrl?: string | null
}

/**
 * Opens the database of an instance and brings its schema up to date.
 * @returns the database and the names of the migrations that were applied
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError
 */
export async function openDatabase(
  { dataDir, databaseUrl, poolerUrl }: DataLocation,
  now: () => number,
): Promise<{ database: Database; applied: string[] }> {
  return databaseUrl === null
    ? openDataFolder(dataDir, now)
    : openServer(databaseUrl, now, migrations, poolerUrl ?? null)
}

/** Opens a database of PostgreSQL; several processes may have it open. */
export async function openServer(
  url: string,
  now: () => number,
  list: readonly Migration[] = migrations,
  poolerUrl: string | null = null,
): Promise<{ database: Database; applied: string[] }> {
  // Asked for here, so that whoever keeps to a folder does not pay for it.
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(url, poolerUrl, now, list)
}

/** Opens a database of PostgreSQL to look at it. @throws DatabaseServerError */
export async function inspectServer(url: string): Promise<ServerInspection> {
  const { inspectPostgres } = await import('./postgres/inspect.ts')
  return inspectPostgres(url)
}

/**
 * Opens the embedded database of a data folder: takes the folder, brings the schema up to date, and opens the door.
 * @returns the database and the names of the migrations that were applied
 * @throws DataFolderError, NewerSchemaError
 */
export async function openDataFolder(
  folder: string,
  now: () => number,
  list: readonly Migration[] = migrations,
): Promise<{ database: Database; applied: string[] }> {
  const dataFolder = acquireDataFolder(folder)
  try {
    if (existsSync(dataFolder.database)) assertSchemaNotNewer(dataFolder.database, list)
    const writer = openSqliteWriter(dataFolder.database)
    const applied = await migrateOrClose(writer, now, list)
    clearUnfinishedMove(writer)
    dataFolder.markInstance(now())
    const database = sqliteDatabase(dataFolder.database, writer)
    const close = async () => {
      await database.close()
      dataFolder.release()
    }
    return { database: { ...database, close }, applied }
  } catch (error) {
    dataFolder.release()
    throw error
  }
}

async function migrateOrClose(
  writer: ReturnType<typeof openSqliteWriter>,
  now: () => number,
  list: readonly Migration[],
): Promise<string[]> {
  try {
    return await migrate(createKysely(writer), sqliteTools, now, list)
  } catch (error) {
    writer.close()
    throw error
  }
}
