import type { Database, DataLocation } from './database.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations/index.ts'
import type { ServerInspection } from './postgres/inspect.ts'
import { openDataFolder } from './sqlite/open.ts'

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
