import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sha256Hex } from '@reeve/core/sha256'

/** Where a backup goes. */
export interface BackupDestination {
  readonly folder: string
  /** The name it was given; null where each backup gets a name of its own, and old ones can make room. */
  readonly name: string | null
}

/** Where backups go unless told otherwise: beside the data folder, so that who removes the one has the other. */
export const defaultFolder = (dataDir: string): string => `${dataDir}-backups`

/** Reads what stands for a place: a folder, or a file where it ends in `.db` and is no folder. */
export function parseDestination(text: string): BackupDestination {
  const path = resolve(text)
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  return !isFolder && /\.db$/.test(text)
    ? { folder: dirname(path), name: basename(path) }
    : { folder: path, name: null }
}

/**
 * What tells the backups of one instance from those of another in the same folder: six characters that come from the
 * moment its database was made, which a restore brings along.
 */
export const computeInstanceTag = (createdAt: number): string => sha256Hex(String(createdAt)).slice(0, 6)

/** The name of a backup of a moment. Later ones sort after earlier ones. */
export const toFileName = (tag: string, at: number): string =>
  `reeve-${tag}-${new Date(at).toISOString().replace(/[-:.]/g, '')}.db`

/** Where a backup is written until it has been checked. */
export const toPartialPath = (file: string): string => join(dirname(file), `.${basename(file)}.partial`)

export const toChecksumPath = (file: string): string => `${file}.sha256`

/** Makes the folder, for its owner alone. @throws Error with a sentence that says what to do */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw notWritableError(folder, error)
  }
}

export const notWritableError = (folder: string, error: unknown): Error =>
  new Error(
    `Backups cannot be written to ${folder} (${String((error as { code?: unknown }).code)}). Give this user the right ` +
      'to, or name another folder with --to or REEVE_BACKUP_DIR.',
  )

/** The backups of an instance in a folder, the newest first. */
export function listBackups(folder: string, tag: string): string[] {
  const pattern = new RegExp(`^reeve-${tag}-\\d{8}T\\d{9}Z\\.db$`)
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}

/** Removes what backups of this instance that were cut off left in a folder. */
export function removePartials(folder: string, tag: string): void {
  const partial = new RegExp(`^\\.reeve-${tag}-.*\\.partial(-journal)?$`)
  const checksum = new RegExp(`^reeve-${tag}-.*\\.db\\.sha256$`)
  for (const name of readdirSync(folder)) {
    const isOrphan = checksum.test(name) && !existsSync(join(folder, name.replace(/\.sha256$/, '')))
    if (partial.test(name) || isOrphan) rmSync(join(folder, name), { force: true })
  }
}

/**
 * Removes the oldest backups of an instance until only so many are left; one is spared whatever its age.
 * @param keep 0 keeps all
 * @returns those removed
 */
export function pruneBackups(folder: string, tag: string, keep: number, exempt: string): string[] {
  if (keep === 0) return []
  const others = listBackups(folder, tag).filter((file) => file !== exempt)
  const old = others.slice(keep - 1)
  for (const file of old) {
    // The checksum goes last: a backup is never without one.
    rmSync(file, { force: true })
    rmSync(toChecksumPath(file), { force: true })
  }
  return old
}
