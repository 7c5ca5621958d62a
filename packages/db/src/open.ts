import type { Database, DataLocation } from './database.ts'
import type { OpenOptions, ServerOpenOptions } from './migration.ts'
import type { ServerInspection } from './postgres/inspect.ts'
import { openDataFolder } from './sqlite/open.ts'

/**
 * Opens the database of an instance and migrates its schema.
 * @returns the database and the names of the applied migrations
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError; what `beforeUpgrade` throws
 */
export async function openDatabase(
  { dataDir, databaseUrl, poolerUrl = null }: DataLocation,
  options: OpenOptions,
): Promise<{ database: Database; applied: string[] }> {
  return databaseUrl === null
    ? openDataFolder(dataDir, options)
    : openServer(databaseUrl, { ...options, poolerUrl })
}

/**
 * Opens a PostgreSQL database and migrates its schema. Several processes may use it at the same time.
 * @throws DatabaseServerError, NewerSchemaError; what `beforeUpgrade` throws
 */
export async function openServer(
  url: string,
  options: ServerOpenOptions,
): Promise<{ database: Database; applied: string[] }> {
  // Loaded on demand: an instance on SQLite does not need it.
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(url, options)
}

/**
 * Checks before a database is opened that no other process uses it. A data folder cannot be opened then anyway.
 * @throws DatabaseServerError
 */
export async function assertUnused({ databaseUrl }: DataLocation): Promise<void> {
  if (databaseUrl === null) return
  const { assertServerUnused } = await import('./postgres/exclusive.ts')
  await assertServerUnused(databaseUrl)
}

/** Opens a PostgreSQL database read-only, for diagnostics. @throws DatabaseServerError */
export async function inspectServer(url: string): Promise<ServerInspection> {
  const { inspectPostgres } = await import('./postgres/inspect.ts')
  return inspectPostgres(url)
}
