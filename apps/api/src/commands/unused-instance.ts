import {
  assertUnused,
  type Database,
  DataFolderError,
  type DataLocation,
  hasInstance,
  openDatabase,
  type UpgradeCheck,
} from '@reeve/db'
import { noInstanceMessage } from '../command-line/command.ts'
import { systemPorts } from '../ports.ts'
import { getDataFolder } from '../settings.ts'

/** @throws DataFolderError if the data folder contains no instance */
export function assertInstance(config: DataLocation): void {
  const folder = getDataFolder(config)
  if (folder !== null && !hasInstance(folder)) throw new DataFolderError(noInstanceMessage(folder))
}

/**
 * Opens the database of an instance that no process uses, and closes it after `use`.
 * @param beforeUpgrade runs before its schema is migrated
 * @throws Error if a process uses it; what `beforeUpgrade` throws
 */
export async function withUnusedDatabase<Result>(
  config: DataLocation,
  use: (db: Database) => Promise<Result>,
  beforeUpgrade?: UpgradeCheck,
): Promise<Result> {
  await assertUnused(config)
  const { database: db } = await openDatabase(config, { now: systemPorts.now, beforeUpgrade })
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
