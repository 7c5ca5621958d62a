import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileFsync } from '@reeve/db'

/** An attempt that failed. */
interface FailedAttempt {
  readonly at: number
  readonly problem: string
}

/** The outcome of the last uploads to a bucket. */
export interface LastUpload {
  /** The last uploaded backup, by the time at which it was taken, and the URL of its object. */
  readonly made: { readonly at: number; readonly object: string } | null
  /** The last attempt, if it failed or has not finished. */
  readonly failed: FailedAttempt | null
}

/** The outcome of the last backups of a data folder. Times are epoch milliseconds. */
export interface LastBackup {
  readonly made: { readonly at: number; readonly file: string } | null
  /** The last attempt, if it failed. */
  readonly failed: FailedAttempt | null
  /** Null if no backup was to be uploaded yet. */
  readonly offsite: LastUpload | null
}

const NO_BACKUP: LastBackup = { made: null, failed: null, offsite: null }
const lastBackupPath = (dataDir: string): string => join(dataDir, 'last-backup.json')

/** Reads the file. A missing or unreadable file counts as no backup. */
export function readLastBackup(dataDir: string): LastBackup {
  try {
    const { made, failed, offsite } = JSON.parse(
      readFileSync(lastBackupPath(dataDir), 'utf8'),
    ) as Partial<LastBackup>
    return {
      made: made && Number.isFinite(made.at) && typeof made.file === 'string' ? made : null,
      failed: parseFailedAttempt(failed),
      offsite: offsite
        ? { made: parseUpload(offsite.made), failed: parseFailedAttempt(offsite.failed) }
        : null,
    }
  } catch {
    return NO_BACKUP
  }
}

const parseFailedAttempt = (failed: LastBackup['failed'] | undefined): LastBackup['failed'] =>
  failed && Number.isFinite(failed.at) && typeof failed.problem === 'string' ? failed : null

const parseUpload = (made: LastUpload['made'] | undefined): LastUpload['made'] =>
  made && Number.isFinite(made.at) && typeof made.object === 'string' ? made : null

/** Replaces the file atomically. */
export function writeLastBackup(dataDir: string, lastBackup: LastBackup): void {
  const file = lastBackupPath(dataDir)
  writeFileFsync(`${file}.new`, `${JSON.stringify(lastBackup)}\n`)
  renameSync(`${file}.new`, file)
}
