import { existsSync, rmSync } from 'node:fs'
import {
  DataFolderError,
  databaseIn,
  hasMarker,
  missingDatabase,
  refuseOtherUser,
  takeFolder,
  takeForRestore,
} from '../data-folder.ts'
import { refuseNewerSchema } from '../inspect.ts'
import { arrivingFor, COMPANIONS } from '../leftovers.ts'
import { migrations } from '../migrations/index.ts'
import { replaceDatabase } from '../replace.ts'
import type { Source, Target } from './end.ts'
import { markOf } from './file-mark.ts'
import { isGone, wordsOfFolder } from './mark.ts'
import { type SqliteEnd, sqliteEnd } from './sqlite-end.ts'

const refusal = (message: string): Error => new DataFolderError(message)

/** @throws DataFolderError, NewerSchemaError */
export function openSourceFolder(folder: string): Source {
  refuseOtherUser(databaseIn(folder))
  const { database, release } = takeForRestore(folder)
  try {
    if (!existsSync(database)) throw missingDatabase(folder)
    refuseNewerSchema(database, migrations)
    const end = sqliteEnd(database)
    return {
      ...end,
      words: wordsOfFolder(folder, arrivingFor(database)),
      refusal,
      // The lock of the folder sees to that.
      needAlone: async () => {},
      async close() {
        await end.close()
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
export function openTargetFolder(folder: string): Target {
  refuseOtherUser(databaseIn(folder))
  const { database, markInstance, release } = takeFolder(folder)
  const arriving = arrivingFor(database)
  let opened: SqliteEnd | null = null
  /** Without a mark there is nothing in it yet. */
  const isBegun = markOf(arriving) !== null
  const end = (): SqliteEnd => {
    opened ??= sqliteEnd(arriving)
    return opened
  }
  const closeEnd = async () => {
    await opened?.close()
    opened = null
  }
  return {
    words: wordsOfFolder(folder, arriving),
    refusal,
    occupied: whyOccupied(folder, database),
    mark: async () => (isBegun ? end().mark() : null),
    setMark: (mark) => end().setMark(mark),
    rows: (sql, values) => end().rows(sql, values),
    migrate: (now) => end().migrate(now),
    tables: () => end().tables(),
    add: (table, rows) => end().add(table, rows),
    async begin(mark) {
      for (const companion of ['', ...COMPANIONS]) rmSync(`${arriving}${companion}`, { force: true })
      await end().setMark(mark)
    },
    async arrive(now) {
      end().fold()
      await closeEnd()
      const aside = replaceDatabase(database, now, arriving)
      markInstance(now)
      return aside
    },
    async close() {
      await closeEnd()
      release()
    },
  }
}

/** What was moved away from a folder may be there still: it is kept aside. */
function whyOccupied(folder: string, database: string): string | null {
  if (!existsSync(database)) return hasMarker(folder) ? missingDatabase(folder).message : null
  if (isGone(markOf(database))) return null
  return `${folder} holds an instance already. Name a folder that holds none; nothing was changed.`
}
