import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  acquireBackupLock,
  checksumFile,
  copyDatabase,
  fsyncFolder,
  type Inspection,
  inspectDatabase,
  writeFileFsync,
} from '@reeve/db'
import type { Progress } from '../commands/command.ts'
import { inMiB, moment } from '../words.ts'
import { type Examined, examine, needKnownSchema } from './examine.ts'
import {
  checksumFor,
  dropPartials,
  makeFolder,
  makeRoom,
  nameFor,
  notWritable,
  type Place,
  partialFor,
  tagOf,
} from './place.ts'
import { readRecord, writeRecord } from './record.ts'

/** Left free on the disk, in bytes: a backup must not be what stops the server from writing. */
const ROOM_LEFT = 64 * 2 ** 20

/** A backup that was made. */
export interface Made extends Examined {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly takenAt: string
  /** Older ones that made room for it. */
  readonly removed: readonly string[]
}

export interface BackupOrder {
  readonly dataDir: string
  readonly place: Place
  /** How many stay in the folder; 0 is all. */
  readonly keep: number
}

/**
 * Makes a backup: a copy of one moment, read by a connection of this process, so that a server on the same data folder
 * goes on undisturbed. It gets its name once it has been checked and is on the disk. What came of it is kept in the data
 * folder for `reeve doctor`.
 * @throws DataFolderError, NewerSchemaError; Error with a sentence. There is no new backup then
 */
export async function makeBackup(
  { dataDir, place, keep }: BackupOrder,
  now: () => number,
  progress: Progress,
): Promise<Made> {
  const named = place.name === null ? null : join(place.folder, place.name)
  if (named !== null && existsSync(named)) {
    throw new Error(`${named} is there already. Name another file, or a folder.`)
  }
  const source = acquireBackupLock(dataDir)
  try {
    const made = await writeBackup(source.database, place, keep, now, progress)
    const failed =
      made.faults.length > 0
        ? { at: now(), problem: `The instance has faults: ${made.faults.join(' ')}` }
        : null
    writeRecord(dataDir, { made: { at: Date.parse(made.takenAt), file: made.file }, failed })
    return made
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    try {
      writeRecord(dataDir, { made: readRecord(dataDir).made, failed: { at: now(), problem } })
    } catch {
      // A disk that is full takes no record either; what went wrong first is what has to be told.
    }
    throw error
  } finally {
    source.release()
  }
}

async function writeBackup(
  database: string,
  place: Place,
  keep: number,
  now: () => number,
  progress: Progress,
): Promise<Made> {
  const { folder } = place
  const { tag, size } = lookAtSource(database)
  const at = now()
  const file = join(folder, place.name ?? nameFor(tag, at))
  const partial = partialFor(file)
  makeFolder(folder)
  try {
    if (place.name === null) dropPartials(folder, tag)
    else rmSync(partial, { force: true })
    needRoom(folder, size)
    progress.step(`Copying ${inMiB(size)} to ${folder}`)
    await copyDatabase(database, partial, (bytes) => progress.part(`${percent(bytes, size)} copied`))
  } catch (error) {
    rmSync(partial, { force: true })
    throw (error as { code?: unknown }).code === undefined ? error : whyNotWritten(folder, error)
  }
  try {
    progress.step('Checking the copy')
    const examined = await examineFile(partial, progress)
    const { size: bytes } = statSync(partial)
    const sha256 = await checksumFile(partial, (read) => progress.part(`${percent(read, bytes)} summed up`))
    // First the checksum, then the backup: what has the name of a backup has been checked, and can be again.
    writeFileFsync(checksumFor(file), `${sha256}  ${basename(file)}\n`)
    renameSync(partial, file)
    fsyncFolder(folder)
    // Faults are kept from spreading: while there are any, the backups of better days stay.
    const removed =
      place.name === null && examined.faults.length === 0 ? makeRoom(folder, tag, keep, file) : []
    return { file, bytes, sha256, takenAt: new Date(at).toISOString(), ...examined, removed }
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** What has to be known of a database before it is copied. @throws NewerSchemaError; Error of the engine */
function lookAtSource(database: string): { tag: string; size: number } {
  const inspection = inspectDatabase(database)
  try {
    needKnownSchema(inspection)
    return { tag: tagOf(inspection.times().createdAt ?? 0), size: inspection.bytes() }
  } finally {
    inspection.close()
  }
}

/** @throws NewerSchemaError; Error with a sentence where it is damaged or not one of ours */
export async function examineFile(file: string, progress: Progress): Promise<Examined> {
  let inspection: Inspection | undefined
  try {
    inspection = inspectDatabase(file)
    return await examine(inspection, progress)
  } finally {
    inspection?.close()
  }
}

function needRoom(folder: string, size: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const room = bavail * bsize
  if (room >= size + ROOM_LEFT) return
  throw new Error(
    `A backup takes ${inMiB(size)} and must leave ${inMiB(ROOM_LEFT)}, but only ${inMiB(room)} are free in ${folder}. ` +
      'Make room, or name another folder with --to or REEVE_BACKUP_DIR.',
  )
}

function whyNotWritten(folder: string, error: unknown): Error {
  const { code, message } = error as { code: string; message: string }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|SQLITE_READONLY|SQLITE_CANTOPEN)/.test(code))
    return notWritable(folder, error)
  return new Error(`The backup could not be written to ${folder}: ${message} (${code}).`)
}

const percent = (part: number, whole: number): string =>
  `${Math.min(99, Math.floor((part / Math.max(1, whole)) * 100))} %`

/** A backup in words. */
export const inWords = ({ file, bytes, takenAt, removed }: Made): string[] => [
  `The backup is made, and has been checked: ${file}`,
  `  of ${moment(Date.parse(takenAt))}, ${inMiB(bytes)}`,
  ...removed.map((old) => `  removed: ${old}`),
]
