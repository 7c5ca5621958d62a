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
import { formatMiB, formatTimestamp } from '../format.ts'
import {
  type BackupDestination,
  computeInstanceTag,
  createFolder,
  notWritableError,
  pruneBackups,
  removePartials,
  toChecksumPath,
  toFileName,
  toPartialPath,
} from './destination.ts'
import { readLastBackup, writeLastBackup } from './last-backup.ts'
import { type DatabaseReport, requireKnownSchema, verifyDatabase } from './verify-database.ts'

/** Left free on the disk, in bytes: a backup must not be what stops the server from writing. */
const RESERVED_BYTES = 64 * 2 ** 20

/** A backup that was made. */
export interface CreatedBackup extends DatabaseReport {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly takenAt: string
  /** Older ones that made room for it. */
  readonly removed: readonly string[]
}

export interface BackupOptions {
  readonly dataDir: string
  readonly destination: BackupDestination
  /** How many stay in the folder; 0 is all. */
  readonly keep: number
}

/**
 * Makes a backup: a copy of one moment, read by a connection of this process, so that a server on the same data folder
 * goes on undisturbed. It gets its name once it has been checked and is on the disk. What came of it is kept in the data
 * folder for `reeve doctor`.
 * @throws DataFolderError, NewerSchemaError; Error with a sentence. There is no new backup then
 */
export async function createBackup(
  { dataDir, destination, keep }: BackupOptions,
  now: () => number,
  progress: Progress,
): Promise<CreatedBackup> {
  const namedFile = destination.name === null ? null : join(destination.folder, destination.name)
  if (namedFile !== null && existsSync(namedFile)) {
    throw new Error(`${namedFile} is there already. Name another file, or a folder.`)
  }
  const source = acquireBackupLock(dataDir)
  try {
    const made = await writeBackup(source.database, destination, keep, now, progress)
    const failed =
      made.faults.length > 0
        ? { at: now(), problem: `The instance has faults: ${made.faults.join(' ')}` }
        : null
    writeLastBackup(dataDir, { made: { at: Date.parse(made.takenAt), file: made.file }, failed })
    return made
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    try {
      writeLastBackup(dataDir, { made: readLastBackup(dataDir).made, failed: { at: now(), problem } })
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
  destination: BackupDestination,
  keep: number,
  now: () => number,
  progress: Progress,
): Promise<CreatedBackup> {
  const { folder } = destination
  const { tag, size } = inspectSource(database)
  const at = now()
  const file = join(folder, destination.name ?? toFileName(tag, at))
  const partial = toPartialPath(file)
  createFolder(folder)
  try {
    if (destination.name === null) removePartials(folder, tag)
    else rmSync(partial, { force: true })
    assertDiskSpace(folder, size)
    progress.step(`Copying ${formatMiB(size)} to ${folder}`)
    await copyDatabase(database, partial, (bytes) => progress.update(`${percent(bytes, size)} copied`))
  } catch (error) {
    rmSync(partial, { force: true })
    throw (error as { code?: unknown }).code === undefined ? error : toWriteError(folder, error)
  }
  try {
    progress.step('Checking the copy')
    const report = await verifyFile(partial, progress)
    const { size: bytes } = statSync(partial)
    const sha256 = await checksumFile(partial, (read) => progress.update(`${percent(read, bytes)} summed up`))
    // First the checksum, then the backup: what has the name of a backup has been checked, and can be again.
    writeFileFsync(toChecksumPath(file), `${sha256}  ${basename(file)}\n`)
    renameSync(partial, file)
    fsyncFolder(folder)
    // Faults are kept from spreading: while there are any, the backups of better days stay.
    const removed =
      destination.name === null && report.faults.length === 0 ? pruneBackups(folder, tag, keep, file) : []
    return { file, bytes, sha256, takenAt: new Date(at).toISOString(), ...report, removed }
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** What has to be known of a database before it is copied. @throws NewerSchemaError; Error of the engine */
function inspectSource(database: string): { tag: string; size: number } {
  const inspection = inspectDatabase(database)
  try {
    requireKnownSchema(inspection)
    return { tag: computeInstanceTag(inspection.times().createdAt ?? 0), size: inspection.bytes() }
  } finally {
    inspection.close()
  }
}

/** @throws NewerSchemaError; Error with a sentence where it is damaged or not one of ours */
export async function verifyFile(file: string, progress: Progress): Promise<DatabaseReport> {
  let inspection: Inspection | undefined
  try {
    inspection = inspectDatabase(file)
    return await verifyDatabase(inspection, progress)
  } finally {
    inspection?.close()
  }
}

function assertDiskSpace(folder: string, size: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  if (freeBytes >= size + RESERVED_BYTES) return
  throw new Error(
    `A backup takes ${formatMiB(size)} and must leave ${formatMiB(RESERVED_BYTES)}, but only ${formatMiB(freeBytes)} are free in ${folder}. ` +
      'Make room, or name another folder with --to or REEVE_BACKUP_DIR.',
  )
}

function toWriteError(folder: string, error: unknown): Error {
  const { code, message } = error as { code: string; message: string }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|SQLITE_READONLY|SQLITE_CANTOPEN)/.test(code))
    return notWritableError(folder, error)
  return new Error(`The backup could not be written to ${folder}: ${message} (${code}).`)
}

const percent = (part: number, whole: number): string =>
  `${Math.min(99, Math.floor((part / Math.max(1, whole)) * 100))} %`

/** A backup in words. */
export const formatBackup = ({ file, bytes, takenAt, removed }: CreatedBackup): string[] => [
  `The backup is made, and has been checked: ${file}`,
  `  of ${formatTimestamp(Date.parse(takenAt))}, ${formatMiB(bytes)}`,
  ...removed.map((old) => `  removed: ${old}`),
]
