import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sha256Hex } from '@reeve/core/sha256'
import { isAccessibleToOthers, isWritableByOthers, privateFolderCommand } from '@reeve/db'
import { formatMiB } from '../format.ts'
import { selectExpired } from './names.ts'

/** Where to write a backup. */
export interface BackupDestination {
  readonly folder: string
  /** The file name that the user chose; null if names are generated and old backups are removed. */
  readonly name: string | null
}

/**
 * The backup folder: that of the settings, otherwise that of the running server, otherwise the default next to the data folder, so that
 * deleting the data folder does not delete the backups.
 * @param server the running server, for a command that may lack its settings
 */
export const resolveBackupFolder = (
  { backupDir }: { readonly backupDir: string | null },
  dataDir: string,
  server: { readonly backupDir: string } | null = null,
): string => backupDir ?? server?.backupDir ?? `${dataDir}-backups`

/** Parses a path: a file if it ends in `.db` and is not an existing folder, otherwise a folder. */
export function parseDestination(text: string): BackupDestination {
  const path = resolve(text)
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  return !isFolder && /\.db$/.test(text)
    ? { folder: dirname(path), name: basename(path) }
    : { folder: path, name: null }
}

/**
 * Distinguishes the backups of different instances in one folder: six characters derived from the creation time of the
 * database, which a restore preserves.
 */
export const computeInstanceTag = (createdAt: number): string => sha256Hex(String(createdAt)).slice(0, 6)

/** Where a file is written until it is complete: next to it, so that a rename completes it. */
export const toPartialPath = (file: string): string => join(dirname(file), `.${basename(file)}.partial`)

export const toChecksumPath = (file: string): string => `${file}.sha256`

/**
 * Checks that no other user can read or exchange what is written to a folder. A file whose name the user chose can be written to a
 * folder that others can read, as its content is private; they must not be able to exchange it.
 * @throws Error with the command that corrects it
 */
export function assertPrivateDestination({ folder, name }: BackupDestination): void {
  if (name === null ? !isAccessibleToOthers(folder) : !isWritableByOthers(folder)) return
  throw new Error(
    `Other users of this machine can ${name === null ? 'access' : 'write to'} the backup folder ${folder}. Run ` +
      `\`${privateFolderCommand(folder)}\` as its owner, or choose another folder with --to or REEVE_BACKUP_DIR.`,
  )
}

/** Creates the folder, accessible only to its owner. @throws Error with advice */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw notWritableError(folder, error)
  }
}

export const notWritableError = (folder: string, error: unknown): Error =>
  new Error(
    `Backups cannot be written to ${folder} (${String((error as { code?: unknown }).code)}). Give this user write ` +
      'permission, or choose another folder with --to or REEVE_BACKUP_DIR.',
  )

/**
 * Checks the free space of the disk that a folder is on.
 * @param toError makes the error from the formatted free space
 * @throws the error that `toError` returns
 */
export function assertDiskSpace(
  folder: string,
  requiredBytes: number,
  toError: (free: string) => Error,
): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < requiredBytes) throw toError(formatMiB(bavail * bsize))
}

/** The backups of an instance in a folder. */
function listBackups(folder: string, tag: string): string[] {
  const pattern = new RegExp(`^reeve-${tag}-\\d{8}T\\d{9}Z\\.db$`)
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
}

/** Removes checksum files of an instance from a folder whose backups did not get their names, because the process was killed. */
export function removeOrphanedChecksums(folder: string, tag: string): void {
  const checksum = new RegExp(`^reeve-${tag}-.*\\.db\\.sha256$`)
  for (const name of readdirSync(folder)) {
    const isOrphan = checksum.test(name) && !existsSync(join(folder, name.replace(/\.sha256$/, '')))
    if (isOrphan) rmSync(join(folder, name), { force: true })
  }
}

/**
 * Removes all but the newest backups of an instance.
 * @param keep how many to keep; 0 keeps all
 * @param exempt is never removed
 * @param now epoch milliseconds
 * @returns the removed files
 */
export function pruneBackups(
  folder: string,
  tag: string,
  keep: number,
  exempt: string,
  now: number,
): string[] {
  const old = selectExpired(listBackups(folder, tag), keep, exempt, now)
  for (const file of old) {
    // The checksum file is removed last, so that a backup is never without one.
    rmSync(file, { force: true })
    rmSync(toChecksumPath(file), { force: true })
  }
  return old
}
