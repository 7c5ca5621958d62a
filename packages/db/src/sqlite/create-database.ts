import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { createPrivateFile, fsyncFile, fsyncFolder } from '../fsync.ts'
import { migrate } from '../migrate.ts'
import type { Migration } from '../migration.ts'
import { openSqliteWriter } from './connection.ts'
import { sqliteTools } from './migration-tools.ts'
import { incompletePath } from './stale-files.ts'
import { createKysely } from './statements.ts'

/**
 * Creates the database of a folder under another name and renames it once it is complete and on disk, so that a crash leaves
 * none or all of it. The caller must have locked the folder, which removes what a crash left.
 * @returns the names of the applied migrations; none if the database exists
 */
export async function createDatabase(
  database: string,
  now: () => number,
  list: readonly Migration[],
): Promise<string[]> {
  if (existsSync(database)) return []
  const incomplete = incompletePath(database)
  createPrivateFile(incomplete)
  const writer = openSqliteWriter(incomplete)
  let applied: string[]
  try {
    applied = await migrate(createKysely(writer), sqliteTools, now, list)
    // Closing the connection would checkpoint the WAL, too, but not report that the disk is full.
    writer.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    writer.close()
  }
  fsyncFile(incomplete)
  renameSync(incomplete, database)
  fsyncFolder(dirname(database))
  return applied
}
