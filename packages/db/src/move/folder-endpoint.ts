import { existsSync, rmSync } from 'node:fs'
import { createPrivateFile } from '../fsync.ts'
import { migrations } from '../migrations/index.ts'
import { isMovedAway, labelsForFolder } from '../moved-marker.ts'
import {
  acquireForRestore,
  assertOwnedByUser,
  hasInstanceMarker,
  lockFolder,
  missingDatabaseError,
} from '../sqlite/data-folder.ts'
import { DataFolderError } from '../sqlite/folder-access.ts'
import { assertSchemaNotNewer } from '../sqlite/inspect.ts'
import { readMarker } from '../sqlite/moved-marker.ts'
import { replaceDatabase } from '../sqlite/replace-database.ts'
import { hasContent, incomingMovePath, withCompanions } from '../sqlite/stale-files.ts'
import type { MoveSource, MoveTarget } from './endpoint.ts'
import { openSqliteEndpoint, type SqliteEndpoint } from './sqlite-endpoint.ts'

const createError = (message: string): Error => new DataFolderError(message)

/** Opens a data folder as the source of a move. @throws DataFolderError, NewerSchemaError */
export function openSourceFolder(folder: string): MoveSource {
  assertOwnedByUser(folder)
  const { database, release } = acquireForRestore(folder)
  try {
    if (!hasContent(database)) throw missingDatabaseError(folder)
    assertSchemaNotNewer(database, migrations)
    const endpoint = openSqliteEndpoint(database)
    return {
      ...endpoint,
      labels: labelsForFolder(folder, incomingMovePath(database)),
      createError,
      // The lock of the folder excludes other processes.
      assertExclusive: async () => {},
      async close() {
        await endpoint.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Opens a data folder as the target of a move. The data is copied to a separate file, which replaces the database at the end.
 * @throws DataFolderError
 */
export function openTargetFolder(folder: string): MoveTarget {
  assertOwnedByUser(folder)
  const { database, markInstance, release } = lockFolder(folder)
  const incomingPath = incomingMovePath(database)
  let opened: SqliteEndpoint | null = null
  /** The file is empty until it has a marker. */
  const isBegun = readMarker(incomingPath) !== null
  const endpoint = (): SqliteEndpoint => {
    opened ??= openSqliteEndpoint(incomingPath)
    return opened
  }
  const closeEndpoint = async () => {
    await opened?.close()
    opened = null
  }
  return {
    labels: labelsForFolder(folder, incomingPath),
    createError,
    notEmptyReason: findNotEmptyReason(folder, database),
    marker: async () => (isBegun ? endpoint().marker() : null),
    setMarker: (marker) => endpoint().setMarker(marker),
    query: (sql, values) => endpoint().query(sql, values),
    migrate: (now) => endpoint().migrate(now),
    listTables: () => endpoint().listTables(),
    insertRows: (table, rows) => endpoint().insertRows(table, rows),
    async begin(marker) {
      for (const file of withCompanions(incomingPath)) rmSync(file, { force: true })
      createPrivateFile(incomingPath)
      await endpoint().setMarker(marker)
    },
    // On SQLite, a number follows from the names themselves.
    async continueNumbers() {},
    async activate(now) {
      endpoint().checkpoint()
      await closeEndpoint()
      const replacedPath = replaceDatabase(database, now, incomingPath)
      markInstance(now)
      return replacedPath
    },
    async close() {
      await closeEndpoint()
      release()
    },
  }
}

/** A database whose data was moved away may still be in the folder. The move renames it. */
function findNotEmptyReason(folder: string, database: string): string | null {
  if (!hasContent(database))
    return existsSync(database) || hasInstanceMarker(folder) ? missingDatabaseError(folder).message : null
  if (isMovedAway(readMarker(database))) return null
  return `${folder} contains an instance already. Choose a folder without one; nothing was changed.`
}
