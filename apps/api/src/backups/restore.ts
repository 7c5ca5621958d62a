import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import {
  acquireForRestore,
  assertOwnedByUser,
  checksumFile,
  clearMovedMarker,
  copyFileFsync,
  type DataFolder,
  DataFolderError,
  hasContent,
  hasInstance,
  incomingRestorePath,
  limitRestoredAccess,
  type RestoredAccess,
  replaceDatabase,
} from '@reeve/db'
import type { Progress } from '../command-line/command.ts'
import { formatMiB, pluralize } from '../format.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { verifyFile } from './create.ts'
import { assertDiskSpace, toChecksumPath } from './destination.ts'
import type { DatabaseReport } from './verify-database.ts'

/** A verified backup. */
export interface CheckedBackup extends DatabaseReport {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  /** Whether the checksum file next to it confirmed that it is unchanged. */
  readonly isVouchedFor: boolean
}

/**
 * Reads and verifies a whole backup. Changes nothing.
 * @throws NewerSchemaError; Error with a message for the user if it is missing, changed, damaged or not a Reeve database
 */
export async function checkBackup(
  file: string,
  secretKey: SecretKeyConfig,
  progress: Progress,
): Promise<CheckedBackup> {
  const { bytes, expected } = openPlainBackup(file)
  progress.step(`Verifying ${file} (${formatMiB(bytes)})`)
  const sha256 = await checksumFile(file, (read) => progress.update(`${formatMiB(read)} checksummed`))
  assertUnchanged(file, sha256, expected)
  const report = await verifyFile(file, secretKey, progress, file)
  return { file, bytes, sha256, isVouchedFor: expected !== null, ...report }
}

/** A backup that is not encrypted. */
export interface PlainSource {
  readonly file: string
  readonly bytes: number
  /** The SHA-256 in its checksum file; null if there is none. */
  readonly expected: string | null
}

/** Reads the size and the checksum of a backup file. @throws Error with a message for the user if it is none */
export function openPlainBackup(file: string): PlainSource {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) throw new Error(`The file ${file} does not exist.`)
  if (!stats.isFile()) throw new Error(`${file} is not a file. Choose one of the backups (*.db) in it.`)
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(
      `${file} has a write-ahead log (-wal): it is part of a copied data folder, not a backup. Create a backup of that ` +
        'folder with `reeve backup --data-dir` and restore that backup.',
    )
  }
  return { file, bytes: stats.size, expected: readChecksumFile(file) }
}

function assertUnchanged(file: string, sha256: string, expected: string | null): void {
  if (expected === null || expected === sha256) return
  throw new Error(
    `${file} has changed since it was created: its checksum is ${sha256}, but ${basename(toChecksumPath(file))} contains ` +
      `${expected}. Choose another backup.`,
  )
}

/** Copies a backup to a new file, synced to disk. @throws Error if its checksum is another one */
export async function copyBackup(
  { file, expected }: PlainSource,
  to: string,
  progress: Progress,
): Promise<void> {
  const onProgress = (read: number) => progress.update(`${formatMiB(read)} copied`)
  assertUnchanged(file, await copyFileFsync(file, to, onProgress), expected)
}

/** @throws Error with advice if a backup has faults */
export function assertNoFaults({ file, faults }: CheckedBackup): void {
  if (faults.length === 0) return
  throw new Error(
    `${file} has faults: ${faults.join(' ')} Nothing was changed. Choose another backup, or restore this one with ` +
      '--with-faults.',
  )
}

/** Reads the expected checksum; null if there is no checksum file. */
function readChecksumFile(file: string): string | null {
  const sidecar = toChecksumPath(file)
  if (!existsSync(sidecar)) return null
  const [, expected] = /^([0-9a-f]{64})\b/i.exec(readFileSync(sidecar, 'utf8')) ?? []
  if (expected === undefined)
    throw new Error(`${sidecar} contains no checksum. Remove that file to restore without a checksum.`)
  return expected.toLowerCase()
}

/** @throws DataFolderError if a process uses the folder, or it belongs to another user */
export function assertNotInUse(dataDir: string): void {
  if (!hasInstance(dataDir)) return
  assertOwnedByUser(dataDir)
  acquireForRestore(dataDir).release()
}

/**
 * Replaces the database of a data folder with a verified backup, atomically: after an interruption, either the old or the new
 * database is in place.
 * @throws DataFolderError; Error with a message for the user. Nothing has changed then
 */
export async function installBackup(
  { file, bytes, sha256 }: CheckedBackup,
  dataDir: string,
  now: () => number,
  progress: Progress,
): Promise<InstalledDatabase> {
  const lock = acquireForRestore(dataDir)
  try {
    const { installed } = await installDatabase(lock, bytes, now, async (incoming) => {
      progress.step(`Copying it to ${dataDir}`)
      const copiedSha256 = await copyFileFsync(file, incoming, (read) =>
        progress.update(`${formatMiB(read)} copied`),
      )
      if (copiedSha256 !== sha256)
        throw new Error(
          `${file} changed while it was being read. The data folder was not changed. Try again.`,
        )
    })
    return installed
  } finally {
    lock.release()
  }
}

/** What a restore did, besides what it restored. */
export interface InstalledDatabase extends RestoredAccess {
  /** The path of the old database; null if there was none. */
  readonly replacedFile: string | null
}

/**
 * Replaces the database of a locked data folder, atomically, and limits the access that it brings back.
 * @param write writes the new database to a file that does not exist yet, syncs and verifies it
 * @throws DataFolderError; what `write` throws. Nothing has changed then
 */
export async function installDatabase<T>(
  lock: DataFolder,
  bytes: number,
  now: () => number,
  write: (incoming: string) => Promise<T>,
): Promise<{ readonly result: T; readonly installed: InstalledDatabase }> {
  const folder = dirname(lock.database)
  const incoming = incomingRestorePath(lock.database)
  assertDiskSpace(
    folder,
    bytes,
    (free) =>
      new DataFolderError(
        `The backup needs ${formatMiB(bytes)}, but only ${free} are free in ${folder}. Nothing was changed. Free up disk ` +
          'space first.',
      ),
  )
  try {
    const result = await write(incoming)
    clearMovedMarker(incoming)
    const replaced = hasContent(lock.database) ? lock.database : null
    const access = limitRestoredAccess(incoming, replaced, now())
    const replacedFile = replaceDatabase(lock.database, now())
    lock.markInstance(now())
    return { result, installed: { replacedFile, ...access } }
  } finally {
    // A partial copy must not occupy disk space that the server needs.
    rmSync(incoming, { force: true })
  }
}

/** Summarizes a backup for output. */
export function describeBackup({ holds, newestChange, isVouchedFor }: CheckedBackup): string {
  const { workspaces, accounts, records } = holds
  const counts = [
    pluralize(workspaces, 'workspace'),
    pluralize(accounts, 'account'),
    pluralize(records, 'moderation record'),
  ].join(', ')
  const newestText = newestChange === null ? 'it has no changes' : `the newest change was at ${newestChange}`
  const checksumText = isVouchedFor
    ? 'The checksum matches.'
    : 'There is no checksum file; the whole backup was read and is intact.'
  return `The backup contains ${counts}; ${newestText}. ${checksumText}`
}
