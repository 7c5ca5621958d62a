import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Where a database waits to be put in the place of the one beside it. */
export const incomingRestorePath = (database: string): string => `${database}.incoming`

/** Where what is moved to a folder gathers, until it is put in the place of the database beside it. */
export const incomingMovePath = (database: string): string => `${database}.moving`

/** How a database is called that another one took the place of. */
export const replacedDatabasePath = (database: string, now: number): string =>
  `${database}.before-restore-${new Date(now).toISOString().replace(/[-:.]/g, '')}`

/** The files that an engine may keep beside a database. */
export const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal'] as const

/**
 * Removes what a restore that was cut off left beside a database: a copy that never was put in place, and a second name
 * of the database that still is. Whoever calls this holds the folder.
 */
export function removeStaleFiles(database: string): void {
  const incoming = incomingRestorePath(database)
  for (const suffix of ['', ...COMPANION_SUFFIXES]) rmSync(`${incoming}${suffix}`, { force: true })
  const current = statSync(database, { throwIfNoEntry: false })
  if (current === undefined || current.nlink < 2) return
  const prefix = `${basename(database)}.before-restore-`
  for (const name of readdirSync(dirname(database))) {
    const path = join(dirname(database), name)
    if (name.startsWith(prefix) && statSync(path).ino === current.ino) rmSync(path)
  }
}
