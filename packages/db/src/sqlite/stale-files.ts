import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The path of a database that is being restored, until it replaces the current one. */
export const incomingRestorePath = (database: string): string => `${database}.incoming`

/** The path of a database that is being created, until it is complete. */
export const incompletePath = (database: string): string => `${database}.incomplete`

/** The path of a database that is being moved to a folder, until it replaces the current one. */
export const incomingMovePath = (database: string): string => `${database}.moving`

/** The path to which a replaced database is renamed. */
export const replacedDatabasePath = (database: string, now: number): string =>
  `${database}.before-restore-${new Date(now).toISOString().replace(/[-:.]/g, '')}`

/**
 * Whether a database file exists and is not empty. A database is never empty, because it gets its name once it is complete. An empty one
 * must not be opened: SQLite would delete its WAL, and with it what may be left of the data.
 */
export const hasContent = (database: string): boolean => existsSync(database) && statSync(database).size > 0

/** The suffixes of the files that SQLite may create next to a database. */
export const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal'] as const

/** The paths of a file and of those that SQLite may create next to it. */
export const withCompanions = (file: string): string[] =>
  ['', ...COMPANION_SUFFIXES].map((suffix) => `${file}${suffix}`)

/**
 * Removes the files of an interrupted creation or restore: the incomplete database, the incoming copy, and the second hard
 * link to the current database. The caller must have locked the folder.
 */
export function removeStaleFiles(database: string): void {
  for (const stale of [incompletePath(database), incomingRestorePath(database)])
    for (const file of withCompanions(stale)) rmSync(file, { force: true })
  const current = statSync(database, { throwIfNoEntry: false })
  if (current === undefined || current.nlink < 2) return
  const prefix = `${basename(database)}.before-restore-`
  for (const name of readdirSync(dirname(database))) {
    const path = join(dirname(database), name)
    if (name.startsWith(prefix) && statSync(path).ino === current.ino) rmSync(path)
  }
}
