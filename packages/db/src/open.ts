import type { Database, DataLocation } from './database.ts'
import { type Migration, noUpgradeCheck, type UpgradeCheck } from './migration.ts'
import { migrations } from './migrations/index.ts'
import type { ServerInspection } from './postgres/inspect.ts'
import { openDataFolder } from './sqlite/open.ts'

/**
 * Opens the database of an instance and migrates its schema.
 * @returns the database and the names of the applied migrations
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError; what `beforeUpgrade` throws
 */
export async function openDatabase(
  { dataDir, databaseUrl, poolerUrl }: DataLocation,
  now: () => number,
  beforeUpgrade: UpgradeCheck = noUpgradeCheck,
): Promise<{ database: Database; applied: string[] }> {
  return databaseUrl === null
    ? openDataFolder(dataDir, now, migrations, beforeUpgrade)
    : openServer(databaseUrl, now, migrations, poolerUrl ?? null, beforeUpgrade)
}

/**
 * Opens a PostgreSQL database and migrates its schema. Several processes may use it at the same time.
 * @throws DatabaseServerError, NewerSchemaError; what `beforeUpgrade` throws
 */
export async function openServer(
  url: string,
  now: () => number,
  list: readonly Migration[] = migrations,
  poolerUrl: string | null = null,
  beforeUpgrade: UpgradeCheck = noUpgradeCheck,
): Promise<{ database: Database; applied: string[] }> {
  // Loaded on demand: an instance on SQLite does not need it.
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(url, poolerUrl, now, list, beforeUpgrade)
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
