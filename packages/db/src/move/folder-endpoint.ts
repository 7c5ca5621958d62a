import { existsSync, rmSync } from 'node:fs'
import { migrations } from '../migrations/index.ts'
import { isMovedAway, labelsForFolder } from '../moved-marker.ts'
import {
  acquireForRestore,
  assertOwnedByUser,
  DataFolderError,
  databasePath,
  hasInstanceMarker,
  lockFolder,
  missingDatabaseError,
} from '../sqlite/data-folder.ts'
import { assertSchemaNotNewer } from '../sqlite/inspect.ts'
import { readMarker } from '../sqlite/moved-marker.ts'
import { replaceDatabase } from '../sqlite/replace-database.ts'
import { COMPANION_SUFFIXES, incomingMovePath } from '../sqlite/stale-files.ts'
import type { MoveSource, MoveTarget } from './endpoint.ts'
import { openSqliteEndpoint, type SqliteEndpoint } from './sqlite-endpoint.ts'

const createError = (message: string): Error => new DataFolderError(message)

/** @throws DataFolderError, NewerSchemaError */
export function openSourceFolder(folder: string): MoveSource {
  assertOwnedByUser(databasePath(folder))
  const { database, release } = acquireForRestore(folder)
  try {
    if (!existsSync(database)) throw missingDatabaseError(folder)
    assertSchemaNotNewer(database, migrations)
    const endpoint = openSqliteEndpoint(database)
    return {
      ...endpoint,
      labels: labelsForFolder(folder, incomingMovePath(database)),
      createError,
      // The lock of the folder sees to that.
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
 * A folder gathers what arrives in a file beside its database, whose place that takes at the end.
 * @throws DataFolderError
 */
export function openTargetFolder(folder: string): MoveTarget {
  assertOwnedByUser(databasePath(folder))
  const { database, markInstance, release } = lockFolder(folder)
  const incomingPath = incomingMovePath(database)
  let opened: SqliteEndpoint | null = null
  /** Without a mark there is nothing in it yet. */
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
      for (const suffix of ['', ...COMPANION_SUFFIXES]) rmSync(`${incomingPath}${suffix}`, { force: true })
      await endpoint().setMarker(marker)
    },
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

/** What was moved away from a folder may be there still: it is kept aside. */
function findNotEmptyReason(folder: string, database: string): string | null {
  if (!existsSync(database)) return hasInstanceMarker(folder) ? missingDatabaseError(folder).message : null
  if (isMovedAway(readMarker(database))) return null
  return `${folder} holds an instance already. Name a folder that holds none; nothing was changed.`
}
