import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { type Migration, noUpgradeCheck, type OpenOptions, type UpgradeCheck } from '../migration.ts'
import { migrations } from '../migrations/index.ts'
import { openSqliteWriter } from './connection.ts'
import { createDatabase } from './create-database.ts'
import { acquireDataFolder } from './data-folder.ts'
import { sqliteDatabase } from './database.ts'
import { loadHistoryId } from './history-id.ts'
import { assertSchemaNotNewer } from './inspect.ts'
import { sqliteTools } from './migration-tools.ts'
import { clearUnfinishedMove } from './moved-marker.ts'
import { createKysely, createQueries, createStatementCache } from './statements.ts'

/**
 * Opens the SQLite database of a data folder: locks the folder, creates or migrates the database, and opens it.
 * @returns the database and the names of the applied migrations
 * @throws DataFolderError, NewerSchemaError; what `beforeUpgrade` throws
 */
export async function openDataFolder(
  folder: string,
  { now, migrations: list = migrations, beforeUpgrade = noUpgradeCheck }: OpenOptions,
): Promise<{ database: Database; applied: string[] }> {
  const dataFolder = acquireDataFolder(folder)
  try {
    const created = await createDatabase(dataFolder.database, now, list)
    assertSchemaNotNewer(dataFolder.database, list)
    const writer = openSqliteWriter(dataFolder.database)
    const applied = [...created, ...(await migrateOrClose(writer, now, list, beforeUpgrade))]
    clearUnfinishedMove(writer)
    dataFolder.markInstance(now())
    const database = sqliteDatabase(dataFolder.database, writer, loadHistoryId(writer))
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
  beforeUpgrade: UpgradeCheck,
): Promise<string[]> {
  const kysely = createKysely(writer)
  try {
    return await migrate(kysely, sqliteTools, now, list, () =>
      beforeUpgrade(createQueries(createStatementCache(writer, kysely))),
    )
  } catch (error) {
    writer.close()
    throw error
  }
}
