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
import { counted, inMiB } from '../words.ts'
import type { Examined } from './examine.ts'
import { examineFile } from './make.ts'
import { checksumFor } from './place.ts'

/** A backup that was looked at. */
export interface Looked extends Examined {
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
export async function lookAtBackup(file: string, progress: Progress): Promise<Looked> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Error(`There is no file ${file}.`)
  if (!found.isFile()) throw new Error(`${file} is no file. Name one of the backups (*.db) in it.`)
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(
      `${file} has a log beside it (-wal): it is a copied data folder, not a backup. Make a backup of that folder ` +
        'with `reeve backup --data-dir`, and restore that.',
    )
  }
  progress.step(`Checking ${file} (${inMiB(found.size)})`)
  const sha256 = await checksumFile(file, (bytes) => progress.part(`${inMiB(bytes)} summed up`))
  const said = saidOf(file)
  if (said !== null && said !== sha256) {
    throw new Error(
      `${file} is not as it was made: its checksum is ${sha256}, and ${basename(checksumFor(file))} says ${said}. ` +
        'Take another backup.',
    )
  }
  try {
    const examined = await examineFile(file, progress)
    return { file, bytes: found.size, sha256, isVouchedFor: said !== null, ...examined }
  } catch (error) {
    if (error instanceof Error && error.name === 'Error') error.message = `${file}: ${error.message}`
    throw error
  }
}

/** What the file beside a backup says its checksum is; null where there is none. */
function saidOf(file: string): string | null {
  const beside = checksumFor(file)
  if (!existsSync(beside)) return null
  const [, said] = /^([0-9a-f]{64})\b/i.exec(readFileSync(beside, 'utf8')) ?? []
  if (said === undefined) throw new Error(`${beside} holds no checksum. Remove it to go without one.`)
  return said.toLowerCase()
}

/** @throws DataFolderError where a process uses the folder, or it is another user's */
export function needFree(dataDir: string): void {
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
export async function putInPlace(
  { file, bytes, sha256 }: Looked,
  dataDir: string,
  now: () => number,
  progress: Progress,
): Promise<string | null> {
  const taken = acquireForRestore(dataDir)
  const incoming = incomingRestorePath(taken.database)
  try {
    needRoom(dirname(taken.database), bytes)
    progress.step(`Copying it into ${dataDir}`)
    const copied = await copyFileFsync(file, incoming, (read) => progress.part(`${inMiB(read)} copied`))
    if (copied !== sha256)
      throw new Error(`${file} changed while it was read. Nothing was changed; try again.`)
    clearMovedMarker(incoming)
    const aside = replaceDatabase(taken.database, now())
    taken.markInstance(now())
    return aside
  } finally {
    // Half a copy must not take the room that the server needs.
    rmSync(incoming, { force: true })
    taken.release()
  }
}

function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize > bytes) return
  throw new DataFolderError(
    `The backup takes ${inMiB(bytes)}, but only ${inMiB(bavail * bsize)} are free in ${folder}. Make room first; ` +
      'nothing was changed.',
  )
}

/** What a backup holds, in words. */
export function contentOf({ holds, newestChange, isVouchedFor }: Looked): string {
  const { workspaces, accounts, records } = holds
  const held = [
    counted(workspaces, 'workspace'),
    counted(accounts, 'account'),
    counted(records, 'moderation record'),
  ].join(', ')
  const newest =
    newestChange === null ? 'no change was made in it' : `its newest change is of ${newestChange}`
  const vouched = isVouchedFor
    ? 'It is as it was made, by its checksum.'
    : 'No checksum lies beside it; it was read from end to end, and is whole.'
  return `It holds ${held}; ${newest}. ${vouched}`
}
