import { existsSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import {
  acquireForRestore,
  assertOwnedByUser,
  checksumFile,
  clearMovedMarker,
  copyFileFsync,
  DataFolderError,
  databasePath,
  hasInstance,
  incomingRestorePath,
  replaceDatabase,
} from '@reeve/db'
import type { Progress } from '../commands/command.ts'
import { formatMiB, pluralize } from '../format.ts'
import { verifyFile } from './create.ts'
import { toChecksumPath } from './destination.ts'
import type { DatabaseReport } from './verify-database.ts'

/** A backup that was looked at. */
export interface CheckedBackup extends DatabaseReport {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  /** Whether a checksum beside the file said that it is as it was made. */
  readonly isVouchedFor: boolean
}

/**
 * Reads a backup from end to end, and changes nothing.
 * @throws NewerSchemaError; Error with a sentence where it is not there, not as it was made, damaged or not one of ours
 */
export async function checkBackup(file: string, progress: Progress): Promise<CheckedBackup> {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) throw new Error(`There is no file ${file}.`)
  if (!stats.isFile()) throw new Error(`${file} is no file. Name one of the backups (*.db) in it.`)
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(
      `${file} has a log beside it (-wal): it is a copied data folder, not a backup. Make a backup of that folder ` +
        'with `reeve backup --data-dir`, and restore that.',
    )
  }
  progress.step(`Checking ${file} (${formatMiB(stats.size)})`)
  const sha256 = await checksumFile(file, (bytes) => progress.update(`${formatMiB(bytes)} summed up`))
  const expected = readChecksumFile(file)
  if (expected !== null && expected !== sha256) {
    throw new Error(
      `${file} is not as it was made: its checksum is ${sha256}, and ${basename(toChecksumPath(file))} says ${expected}. ` +
        'Take another backup.',
    )
  }
  try {
    const report = await verifyFile(file, progress)
    return { file, bytes: stats.size, sha256, isVouchedFor: expected !== null, ...report }
  } catch (error) {
    if (error instanceof Error && error.name === 'Error') error.message = `${file}: ${error.message}`
    throw error
  }
}

/** What the file beside a backup says its checksum is; null where there is none. */
function readChecksumFile(file: string): string | null {
  const sidecar = toChecksumPath(file)
  if (!existsSync(sidecar)) return null
  const [, expected] = /^([0-9a-f]{64})\b/i.exec(readFileSync(sidecar, 'utf8')) ?? []
  if (expected === undefined) throw new Error(`${sidecar} holds no checksum. Remove it to go without one.`)
  return expected.toLowerCase()
}

/** @throws DataFolderError where a process uses the folder, or it is another user's */
export function assertNotInUse(dataDir: string): void {
  if (!hasInstance(dataDir)) return
  assertOwnedByUser(databasePath(dataDir))
  acquireForRestore(dataDir).release()
}

/**
 * Puts a backup that was looked at in the place of the database of a data folder. Whenever this is cut off, the old one
 * is there or the new one.
 * @returns where the old one is kept; null where there was none
 * @throws DataFolderError; Error with a sentence. Nothing has changed then
 */
export async function installBackup(
  { file, bytes, sha256 }: CheckedBackup,
  dataDir: string,
  now: () => number,
  progress: Progress,
): Promise<string | null> {
  const lock = acquireForRestore(dataDir)
  const incoming = incomingRestorePath(lock.database)
  try {
    assertDiskSpace(dirname(lock.database), bytes)
    progress.step(`Copying it into ${dataDir}`)
    const copiedSha256 = await copyFileFsync(file, incoming, (read) =>
      progress.update(`${formatMiB(read)} copied`),
    )
    if (copiedSha256 !== sha256)
      throw new Error(`${file} changed while it was read. Nothing was changed; try again.`)
    clearMovedMarker(incoming)
    const replacedFile = replaceDatabase(lock.database, now())
    lock.markInstance(now())
    return replacedFile
  } finally {
    // Half a copy must not take the room that the server needs.
    rmSync(incoming, { force: true })
    lock.release()
  }
}

function assertDiskSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize > bytes) return
  throw new DataFolderError(
    `The backup takes ${formatMiB(bytes)}, but only ${formatMiB(bavail * bsize)} are free in ${folder}. Make room first; ` +
      'nothing was changed.',
  )
}

/** What a backup holds, in words. */
export function describeBackup({ holds, newestChange, isVouchedFor }: CheckedBackup): string {
  const { workspaces, accounts, records } = holds
  const counts = [
    pluralize(workspaces, 'workspace'),
    pluralize(accounts, 'account'),
    pluralize(records, 'moderation record'),
  ].join(', ')
  const newestText =
    newestChange === null ? 'no change was made in it' : `its newest change is of ${newestChange}`
  const checksumText = isVouchedFor
    ? 'It is as it was made, by its checksum.'
    : 'No checksum lies beside it; it was read from end to end, and is whole.'
  return `It holds ${counts}; ${newestText}. ${checksumText}`
}
