import { existsSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  acquireBackupLock,
  checksumFile,
  copyDatabase,
  fsyncFolder,
  type Inspection,
  inspectDatabase,
  isDamagedDatabase,
  isDiskFull,
  isReadOnlyFileSystem,
  READ_ONLY_ADVICE,
  readOnlyFileSystemMessage,
  writeFileFsync,
} from '@reeve/db'
import { withCleanUp } from '../clean-up.ts'
import type { Progress } from '../command-line/command.ts'
import { formatMiB, formatPercent, formatTimestamp } from '../format.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import {
  assertDiskSpace,
  assertPrivateDestination,
  type BackupDestination,
  computeInstanceTag,
  createFolder,
  notWritableError,
  pruneBackups,
  removeOrphanedChecksums,
  toChecksumPath,
} from './destination.ts'
import { type LastBackup, type LastUpload, readLastBackup, writeLastBackup } from './last-backup.ts'
import { toFileName } from './names.ts'
import { type OffsiteBackup, type OffsiteTarget, uploadBackup } from './offsite/upload.ts'
import { createPartial, type PartialBackup, removeStalePartials } from './partial.ts'
import { removeStaleScratch } from './scratch.ts'
import { type DatabaseReport, requireKnownSchema, verifyDatabase } from './verify-database.ts'

/** Free space that a backup must leave, in bytes, so that the server can still write. */
const RESERVED_BYTES = 64 * 2 ** 20

/** A completed backup. */
export interface CreatedBackup extends DatabaseReport {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly takenAt: string
  /** Older backups that were removed. */
  readonly removed: readonly string[]
  /** Null if it was not to be uploaded. */
  readonly offsite: OffsiteBackup | null
}

export interface BackupOptions {
  readonly dataDir: string
  readonly destination: BackupDestination
  /** How many backups to keep in the folder; 0 keeps all. */
  readonly keep: number
  /** Where to upload the backup; null for a local backup only. */
  readonly offsite: OffsiteTarget | null
  /** The settings of the instance. */
  readonly secretKey: SecretKeyConfig
}

/**
 * Creates a backup: a consistent snapshot, read over a connection of this process, so that a server on the same data folder is
 * not disturbed. The file gets its final name after verification and fsync. It is then uploaded. The outcome is stored in the
 * data folder for `reeve doctor`.
 * @throws DataFolderError, NewerSchemaError; Error with a message for the user. No backup was created then
 */
export async function createBackup(
  { dataDir, destination, keep, offsite, secretKey }: BackupOptions,
  now: () => number,
  progress: Progress,
): Promise<CreatedBackup> {
  const namedFile = destination.name === null ? null : join(destination.folder, destination.name)
  if (namedFile !== null && existsSync(namedFile)) {
    throw new Error(`${namedFile} already exists. Choose another file name or a folder.`)
  }
  const source = acquireBackupLock(dataDir)
  try {
    const { name, ...created } = await writeBackup(
      source.database,
      { destination, keep, secretKey },
      now,
      progress,
    )
    const at = Date.parse(created.takenAt)
    const hasFaults = created.faults.length > 0
    const failed = hasFaults
      ? { at: now(), problem: `The instance has faults: ${created.faults.join(' ')}` }
      : null
    const last = { made: { at, file: created.file }, failed }
    const lastUpload = readLastBackup(dataDir).offsite
    const store = (outcome: LastBackup) => storeOutcome(dataDir, outcome, progress)
    if (offsite === null) {
      store({ ...last, offsite: lastUpload })
      return { ...created, offsite: null }
    }
    store({ ...last, offsite: toUnfinishedUpload(lastUpload, now()) })
    const uploaded = await uploadBackup(offsite, created, name, !hasFaults, now, progress)
    store({ ...last, offsite: toLastUpload(uploaded, at, lastUpload, now()) })
    return { ...created, offsite: uploaded }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    try {
      writeLastBackup(dataDir, { ...readLastBackup(dataDir), failed: { at: now(), problem } })
    } catch {
      // On a full disk this write fails as well. The first error is the one to report.
    }
    throw error
  } finally {
    source.release()
  }
}

/** Stores the outcome of a backup. A disk that is full or read-only is no reason for a backup on another one to fail. */
function storeOutcome(dataDir: string, outcome: LastBackup, progress: Progress): void {
  try {
    writeLastBackup(dataDir, outcome)
  } catch (error) {
    if (!isDiskFull(error) && !isReadOnlyFileSystem(error)) throw error
    const reason = isDiskFull(error)
      ? `The disk of ${dataDir} is full.`
      : `${readOnlyFileSystemMessage(dataDir)} ${READ_ONLY_ADVICE}`
    progress.step(`${reason} The backup is complete, but \`reeve doctor\` does not know of it.`)
  }
}

/** What is stored before an upload, and remains if the process is killed. */
const toUnfinishedUpload = (last: LastUpload | null, now: number): LastUpload => ({
  made: last?.made ?? null,
  failed: { at: now, problem: 'It has not finished: it is in progress, or it was interrupted.' },
})

const toLastUpload = (
  { object, problem }: OffsiteBackup,
  at: number,
  last: LastUpload | null,
  now: number,
): LastUpload => ({
  made: object === null ? (last?.made ?? null) : { at, object },
  failed: problem === null ? null : { at: now, problem },
})

/** @returns the backup, and the name that it gets in a folder of backups */
async function writeBackup(
  database: string,
  { destination, keep, secretKey }: Pick<BackupOptions, 'destination' | 'keep' | 'secretKey'>,
  now: () => number,
  progress: Progress,
): Promise<Omit<CreatedBackup, 'offsite'> & { readonly name: string }> {
  const { folder } = destination
  const { tag, size } = inspectSource(database)
  const at = now()
  const name = toFileName(tag, at)
  const file = join(folder, destination.name ?? name)
  createFolder(folder)
  assertPrivateDestination(destination)
  let partial: PartialBackup | null = null
  return withCleanUp(
    () => partial?.remove(),
    async () => {
      try {
        removeStalePartials(folder)
        if (destination.name === null) {
          removeOrphanedChecksums(folder, tag)
          removeStaleScratch(folder)
        }
        assertBackupFits(folder, size)
        partial = createPartial(file)
        progress.step(`Copying ${formatMiB(size)} to ${folder}`)
        const onProgress = (bytes: number) => progress.update(`${formatPercent(bytes, size)} copied`)
        await copyDatabase(database, partial.copy, onProgress)
      } catch (error) {
        throw (error as { code?: unknown }).code === undefined ? error : toWriteError(folder, error)
      }
      const completed = await complete(partial.copy, file, secretKey, progress)
      // While the instance has faults, older backups without them are not removed.
      const removed =
        destination.name === null && completed.faults.length === 0
          ? pruneBackups(folder, tag, keep, file, now())
          : []
      return { name, file, takenAt: new Date(at).toISOString(), ...completed, removed }
    },
  )
}

/** Verifies the copy of a database, and gives it the name of the backup. */
async function complete(
  copy: string,
  file: string,
  secretKey: SecretKeyConfig,
  progress: Progress,
): Promise<DatabaseReport & Pick<CreatedBackup, 'bytes' | 'sha256'>> {
  progress.step('Verifying the copy')
  const report = await verifyFile(copy, secretKey, progress)
  const { size: bytes } = statSync(copy)
  const sha256 = await checksumFile(copy, (read) =>
    progress.update(`${formatPercent(read, bytes)} checksummed`),
  )
  // The checksum file is written first, so that every file with a backup's name is verified and has a checksum.
  writeFileFsync(toChecksumPath(file), `${sha256}  ${basename(file)}\n`)
  renameSync(copy, file)
  fsyncFolder(dirname(file))
  return { ...report, bytes, sha256 }
}

/** Reads the instance tag and the size of a database. @throws NewerSchemaError; Error of SQLite */
function inspectSource(database: string): { tag: string; size: number } {
  const inspection = inspectDatabase(database)
  try {
    requireKnownSchema(inspection)
    return { tag: computeInstanceTag(inspection.times().createdAt ?? 0), size: inspection.bytes() }
  } finally {
    inspection.close()
  }
}

/**
 * @param label how the errors name the file; by default they do not
 * @throws NewerSchemaError; Error with a message for the user if the file is damaged or not a Reeve database
 */
export async function verifyFile(
  file: string,
  secretKey: SecretKeyConfig,
  progress: Progress,
  label = '',
): Promise<DatabaseReport> {
  let inspection: Inspection | undefined
  try {
    inspection = inspectDatabase(file)
    return await verifyDatabase(inspection, secretKey, progress)
  } catch (error) {
    if (label !== '' && isDamagedDatabase(error)) throw damagedBackupError(label, error)
    if (label !== '' && error instanceof Error && error.name === 'Error')
      error.message = `${label}: ${error.message}`
    throw error
  } finally {
    inspection?.close()
  }
}

/** The error for a backup that SQLite cannot read. The database of the instance has nothing to do with it. */
export const damagedBackupError = (location: string, error: unknown): Error =>
  new Error(
    `${location} is damaged or not a backup: ${(error as Error).message}. Nothing was changed. Choose another backup ` +
      '(`reeve backup list`).',
  )

function assertBackupFits(folder: string, size: number): void {
  assertDiskSpace(
    folder,
    size + RESERVED_BYTES,
    (free) =>
      new Error(
        `The backup needs ${formatMiB(size)} and must leave ${formatMiB(RESERVED_BYTES)} free, but only ${free} are free in ` +
          `${folder}. Free up disk space, or choose another folder with --to or REEVE_BACKUP_DIR.`,
      ),
  )
}

function toWriteError(folder: string, error: unknown): Error {
  const { code, message } = error as { code: string; message: string }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|SQLITE_READONLY|SQLITE_CANTOPEN)/.test(code))
    return notWritableError(folder, error)
  return new Error(`The backup could not be written to ${folder}: ${message} (${code}).`)
}

/** Formats a backup for output. */
export const formatBackup = ({ file, bytes, takenAt, removed, offsite }: CreatedBackup): string[] => [
  `Created and verified backup ${file}`,
  `  taken at ${formatTimestamp(Date.parse(takenAt))}, ${formatMiB(bytes)}`,
  ...removed.map((old) => `  removed: ${old}`),
  ...(offsite === null ? [] : formatUpload(offsite)),
]

const formatUpload = ({ object, bytes, removed, problem }: OffsiteBackup): string[] => [
  ...(object === null ? [] : [`Encrypted and uploaded it to ${object}`, `  ${formatMiB(bytes)}`]),
  ...removed.map((old) => `  removed: ${old}`),
  ...(problem === null ? [] : [problem]),
]
